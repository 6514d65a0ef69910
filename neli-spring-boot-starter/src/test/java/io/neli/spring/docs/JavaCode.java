package io.neli.spring.docs;

import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Compiles what a page shows, within the surroundings that a reader would have. */
final class JavaCode {

    private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

    private static final List<String> IMPORTED = List.of(
            "java.time.*",
            "java.util.*",
            "java.util.concurrent.*",
            "io.neli.*",
            "io.neli.spring.*",
            "io.neli.spring.kafka.*",
            "io.neli.spring.test.*",
            "io.neli.spring.docs.Surroundings.*",
            "org.apache.kafka.clients.producer.*",
            "org.junit.jupiter.api.*",
            "org.springframework.beans.factory.annotation.*",
            "org.springframework.boot.*",
            "org.springframework.boot.autoconfigure.*",
            "org.springframework.boot.test.context.*",
            "org.springframework.boot.testcontainers.service.connection.*",
            "org.springframework.context.*",
            "org.springframework.context.annotation.*",
            "org.springframework.context.event.EventListener",
            "org.springframework.kafka.annotation.*",
            "org.springframework.kafka.core.*",
            "org.springframework.scheduling.annotation.*",
            "org.springframework.stereotype.*",
            "org.springframework.transaction.annotation.Transactional",
            "org.testcontainers.junit.jupiter.*",
            "org.testcontainers.kafka.*",
            "reactor.core.publisher.*",
            "static io.neli.spring.LeaderOnly.Otherwise.*",
            "static org.assertj.core.api.Assertions.*");

    private static final Pattern IMPORT = Pattern.compile("(?m)^import .*;\n");

    private final Path classes;

    /** @param classes a directory to write to */
    JavaCode(Path classes) {
        this.classes = classes;
    }

    /**
     * Reads the code as a file, as members of a class, or as statements, whichever compiles.
     *
     * @return what the compiler says of the reading that it likes best; empty if it compiles
     */
    String compile(String shown) {
        String imports = IMPORTED.stream().map(name -> "import " + name + ";\n").collect(Collectors.joining())
                + IMPORT.matcher(shown).results().map(found -> found.group()).collect(Collectors.joining());
        String code = withoutEllipses(IMPORT.matcher(shown).replaceAll(""));
        String begin = "@SuppressWarnings(\"all\") abstract class Shown extends Surroundings {\n";
        return List.of(
                        code,
                        begin + code + "}\n",
                        begin + "void run() throws Exception {\n" + code + "}}\n",
                        begin + "Object run() throws Exception {\nreturn " + code.strip() + ";}}\n")
                .stream()
                .map(reading -> errors("package io.neli.spring.docs;\n" + imports + reading))
                .min(Comparator.comparingInt(List::size))
                .map(errors -> String.join("\n", errors))
                .orElseThrow();
    }

    /** What a page leaves out, as something that compiles. */
    private static String withoutEllipses(String code) {
        return code.replaceAll("\\bclass (\\w+[^{(]*)\\{ \\.\\.\\. \\}", "abstract class $1{}")
                .replaceAll("\\{ \\.\\.\\. \\}", "{ throw new UnsupportedOperationException(); }")
                .replaceAll("(?m)^\\s*\\.\\.\\.$", "");
    }

    private List<String> errors(String source) {
        DiagnosticCollector<JavaFileObject> said = new DiagnosticCollector<>();
        List<String> options = List.of(
                "-proc:none",
                "-Xlint:deprecation,removal,unchecked",
                "-d",
                classes.toString(),
                "-cp",
                System.getProperty("java.class.path"));
        COMPILER.getTask(null, null, said, options, null, List.of(new Source(source)))
                .call();
        List<String> lines = source.lines().toList();
        List<String> errors = new ArrayList<>();
        for (Diagnostic<?> each : said.getDiagnostics()) {
            if (each.getKind() != Diagnostic.Kind.NOTE) {
                int line = (int) Math.max(1, each.getLineNumber());
                errors.add(each.getMessage(Locale.ROOT) + "\n    in: " + lines.get(line - 1));
            }
        }
        return errors;
    }

    private static final class Source extends SimpleJavaFileObject {

        private final String text;

        Source(String text) {
            super(URI.create("string:///Shown.java"), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
