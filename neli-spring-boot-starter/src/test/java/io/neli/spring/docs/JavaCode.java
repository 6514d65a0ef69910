package io.neli.spring.docs;

import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Compiles the code of a page, within the context that a reader would have. */
final class JavaCode {

    private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

    /** Shared by all runs, so that each jar is opened once. */
    private static final StandardJavaFileManager FILES = COMPILER.getStandardFileManager(null, null, null);

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
            "io.neli.spring.docs.DocumentedContext",
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
            "static io.neli.spring.LeaderOnly.Runs.*",
            "static org.assertj.core.api.Assertions.*",
            "static org.springframework.security.config.Customizer.withDefaults");

    private static final Pattern IMPORT = Pattern.compile("(?m)^import .*;\n");

    private final Path classes;

    /** @param classes the directory for the class files */
    JavaCode(Path classes) {
        this.classes = classes;
    }

    /**
     * Reads each piece of code as members of a class, as statements, as an expression or as a file, whichever compiles.
     *
     * @param shown pieces that do not use each other
     * @return the compiler's messages for each piece, in the reading that comes closest; empty if it compiles
     */
    List<String> compile(List<String> shown) {
        List<Piece> pieces = IntStream.range(0, shown.size())
                .mapToObj(i -> new Piece(i, shown.get(i)))
                .toList();
        for (int reading = 0; reading < Piece.READINGS; reading++) {
            compile(pieces.stream().filter(piece -> !piece.compiles).toList(), reading);
        }
        return pieces.stream().map(Piece::said).toList();
    }

    /** Compiles again without the pieces that fail, because an error in one piece can hide errors in others. */
    private void compile(List<Piece> pieces, int reading) {
        List<Piece> left = new ArrayList<>(pieces);
        boolean failed = true;
        while (failed && !left.isEmpty()) {
            List<Source> sources =
                    left.stream().map(piece -> piece.source(reading)).toList();
            Map<Source, List<String>> errors = errors(sources);
            for (int i = left.size() - 1; i >= 0; i--) {
                List<String> own = errors.getOrDefault(sources.get(i), List.of());
                if (!own.isEmpty()) {
                    left.remove(i).failures.add(own);
                }
            }
            failed = !errors.isEmpty();
        }
        left.forEach(piece -> piece.compiles = true);
    }

    /** Compiles files that a page shows, each with its package and imports, all together. */
    String compileFiles(List<String> shown) {
        return errors(shown.stream().map(Source::new).toList()).values().stream()
                .flatMap(List::stream)
                .collect(Collectors.joining("\n"));
    }

    /** Replaces the ellipses of a page by code that compiles. */
    private static String withoutEllipses(String code) {
        return code.replaceAll("\\bclass (\\w+[^{(]*)\\{ \\.\\.\\. \\}", "abstract class $1{}")
                .replaceAll("\\{ \\.\\.\\. \\}", "{ throw new UnsupportedOperationException(); }")
                .replaceAll("(?m)^\\s*\\.\\.\\.$", "");
    }

    private Map<Source, List<String>> errors(List<Source> sources) {
        DiagnosticCollector<JavaFileObject> said = new DiagnosticCollector<>();
        List<String> options = List.of(
                "-proc:none",
                "-parameters",
                "-Xlint:deprecation,removal,unchecked",
                "-Xmaxerrs",
                "10000",
                "-Xmaxwarns",
                "10000",
                "--should-stop=ifError=FLOW", // so that one run reports the errors of all pieces that can be parsed
                "-d",
                classes.toString(),
                "-cp",
                System.getProperty("java.class.path"));
        COMPILER.getTask(null, FILES, said, options, null, sources).call();
        return said.getDiagnostics().stream()
                .filter(each -> each.getKind() != Diagnostic.Kind.NOTE)
                .collect(Collectors.groupingBy(
                        JavaCode::source,
                        Collectors.mapping(
                                each -> each.getMessage(Locale.ROOT) + "\n    in: " + line(each),
                                Collectors.toList())));
    }

    private static Source source(Diagnostic<? extends JavaFileObject> said) {
        if (said.getSource() instanceof Source source) {
            return source;
        }
        throw new AssertionError(said.getMessage(Locale.ROOT));
    }

    private static String line(Diagnostic<? extends JavaFileObject> said) {
        return source(said).text.lines().toList().get((int) Math.max(1, said.getLineNumber()) - 1);
    }

    /** A piece of code on a page, in its own package. */
    private static final class Piece {

        static final int READINGS = 4;

        private final List<List<String>> failures = new ArrayList<>();
        private final String head;
        private final String code;
        private boolean compiles;

        Piece(int number, String shown) {
            head = Stream.concat(
                            Stream.of("package io.neli.spring.docs.shown" + number + ";\n"),
                            Stream.concat(
                                    IMPORTED.stream().map(name -> "import " + name + ";\n"),
                                    IMPORT.matcher(shown).results().map(MatchResult::group)))
                    .collect(Collectors.joining());
            code = withoutEllipses(IMPORT.matcher(shown).replaceAll(""));
        }

        Source source(int reading) {
            String begin = "@SuppressWarnings(\"all\") abstract class Shown extends DocumentedContext {\n";
            return new Source(head
                    + switch (reading) {
                        case 0 -> begin + code + "}\n";
                        case 1 -> begin + "void run() throws Exception {\n" + code + "}}\n";
                        case 2 -> begin + "Object run() throws Exception {\nreturn " + code.strip() + ";}}\n";
                        default -> code;
                    });
        }

        String said() {
            return compiles ? "" : String.join("\n", Collections.min(failures, Comparator.comparingInt(List::size)));
        }
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
