package io.neli.spring.docs;

import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Compiles what a page shows, within the context that a reader would have. */
final class JavaCode {

    private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

    private static final List<String> IMPORTED = List.of(
            "java.time.*",
            "java.util.*",
            "java.util.concurrent.*",
            "io.neli.*",
            "io.neli.LeaderEvent.*",
            "io.neli.Neli.*",
            "io.neli.nats.*",
            "io.neli.test.*",
            "io.neli.spring.*",
            "io.neli.spring.test.*",
            "io.neli.spring.docs.DocumentedContext.*",
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
            "org.springframework.security.config.annotation.web.builders.HttpSecurity",
            "org.springframework.security.web.SecurityFilterChain",
            "org.springframework.stereotype.*",
            "org.springframework.transaction.annotation.Transactional",
            "org.testcontainers.junit.jupiter.*",
            "org.testcontainers.kafka.*",
            "reactor.core.publisher.*",
            "static io.neli.spring.LeaderOnly.Otherwise.*",
            "static org.assertj.core.api.Assertions.*",
            "static org.springframework.security.config.Customizer.withDefaults");

    private static final Pattern IMPORT = Pattern.compile("(?m)^import .*;\n");

    private final Path classes;

    /** @param classes a directory to write to */
    JavaCode(Path classes) {
        this.classes = classes;
    }

    /**
     * Reads the code as members of a class, as statements, as an expression or as a file, whichever compiles.
     *
     * @return what the compiler says of the reading that comes closest; empty if it compiles
     */
    String compile(String shown) {
        String imports = IMPORTED.stream().map(name -> "import " + name + ";\n").collect(Collectors.joining())
                + IMPORT.matcher(shown).results().map(found -> found.group()).collect(Collectors.joining());
        String code = withoutEllipses(IMPORT.matcher(shown).replaceAll(""));
        String begin = "@SuppressWarnings(\"all\") abstract class Shown extends DocumentedContext {\n";
        List<String> readings = List.of(
                begin + code + "}\n",
                begin + "void run() throws Exception {\n" + code + "}}\n",
                begin + "Object run() throws Exception {\nreturn " + code.strip() + ";}}\n",
                code);
        List<List<String>> failures = new ArrayList<>();
        for (String reading : readings) {
            List<String> errors = errors(List.of("package io.neli.spring.docs;\n" + imports + reading));
            if (errors.isEmpty()) {
                return "";
            }
            failures.add(errors);
        }
        return String.join("\n", Collections.min(failures, Comparator.comparingInt(List::size)));
    }

    /** Files that a page shows, each with its package and imports: as {@link #compile} for all of them together. */
    String compileFiles(List<String> shown) {
        return String.join("\n", errors(shown));
    }

    /** What a page leaves out, as something that compiles. */
    private static String withoutEllipses(String code) {
        return code.replaceAll("\\bclass (\\w+[^{(]*)\\{ \\.\\.\\. \\}", "abstract class $1{}")
                .replaceAll("\\{ \\.\\.\\. \\}", "{ throw new UnsupportedOperationException(); }")
                .replaceAll("(?m)^\\s*\\.\\.\\.$", "");
    }

    private List<String> errors(List<String> sources) {
        DiagnosticCollector<JavaFileObject> said = new DiagnosticCollector<>();
        List<String> options = List.of(
                "-proc:none",
                "-parameters",
                "-Xlint:deprecation,removal,unchecked",
                "-d",
                classes.toString(),
                "-cp",
                System.getProperty("java.class.path"));
        List<Source> files = sources.stream().map(Source::new).toList();
        COMPILER.getTask(null, null, said, options, null, files).call();
        return said.getDiagnostics().stream()
                .filter(each -> each.getKind() != Diagnostic.Kind.NOTE)
                .map(each -> each.getMessage(Locale.ROOT) + "\n    in: " + line(each))
                .toList();
    }

    private static String line(Diagnostic<? extends JavaFileObject> said) {
        return said.getSource() instanceof Source source
                ? source.text.lines().toList().get((int) Math.max(1, said.getLineNumber()) - 1)
                : "";
    }

    private static final class Source extends SimpleJavaFileObject {

        private static final Pattern TYPE = Pattern.compile("\\b(?:class|interface|record|enum) (\\w+)");

        private final String text;

        Source(String text) {
            super(URI.create("string:///" + typeIn(text) + ".java"), Kind.SOURCE);
            this.text = text;
        }

        private static String typeIn(String text) {
            Matcher type = TYPE.matcher(text);
            return type.find() ? type.group(1) : "Shown";
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
