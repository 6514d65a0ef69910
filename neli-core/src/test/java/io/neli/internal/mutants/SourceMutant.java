package io.neli.internal.mutants;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.function.LongFunction;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.ToolProvider;

import org.jspecify.annotations.Nullable;

/**
 * A change of one source file. The result is compiled and simulated instead of the original.
 *
 * @param packageName of the rules and their simulation
 * @param rule the rule that the changed source breaks
 * @param file the name of the class
 * @param original a text that occurs once in the file, in any layout
 * @param broken its replacement
 */
public record SourceMutant(String packageName, String rule, String file, String original, String broken) {

    private static final Pattern FORM = Pattern.compile("(\\w+): (.*)\n- (.*)\n\\+ ?(.*)");

    /** Splits a text that {@link #of} reads one by one. */
    public static List<String> split(String all) {
        return List.of(all.strip().split("\n(?![-+])"));
    }

    /** Reads a mutant: {@code class: rule}, then {@code - original}, then {@code + broken}. */
    public static SourceMutant of(String packageName, String text) {
        Matcher its = FORM.matcher(text);
        if (!its.matches()) {
            throw new IllegalArgumentException("no mutant: " + text);
        }
        return new SourceMutant(packageName, its.group(2), its.group(1), its.group(3), its.group(4));
    }

    /** Runs seeds against the mutant. {@code simulation} does so for the original, and is loaded again here. */
    @SuppressWarnings("unchecked")
    public LongFunction<@Nullable String> simulate(Class<? extends LongFunction<@Nullable String>> simulation) {
        try {
            Constructor<?> constructor = new MutatedClasses(packageName + ".", compile())
                    .loadClass(simulation.getName())
                    .getDeclaredConstructor();
            constructor.setAccessible(true);
            return (LongFunction<@Nullable String>) constructor.newInstance();
        } catch (ReflectiveOperationException | IOException e) {
            throw new IllegalStateException(rule, e);
        }
    }

    /** The source of the class with the rule broken. */
    public String source() {
        Path path = Path.of("src/main/java", packageName.replace('.', '/'), file + ".java");
        try {
            String source = Files.readString(path);
            List<MatchResult> places = pattern().matcher(source).results().toList();
            if (places.size() != 1) {
                throw new IllegalStateException("%s: %s must contain exactly once, as the rule to break: %s"
                        .formatted(rule, path.getFileName(), original));
            }
            MatchResult place = places.get(0);
            return source.substring(0, place.start()) + broken + source.substring(place.end());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Matches the original text in any layout. */
    private Pattern pattern() {
        return Pattern.compile(original.chars()
                .filter(c -> !Character.isWhitespace(c))
                .mapToObj(c -> Pattern.quote(Character.toString(c)))
                .collect(Collectors.joining("\\s*")));
    }

    /** Compiles the class with the rule broken, and returns the directory of the result. */
    private Path compile() throws IOException {
        Path classes = Path.of("target/mutants", UUID.randomUUID().toString());
        Path changed = Files.createDirectories(classes).resolve(file + ".java");
        Files.writeString(changed, source());
        String classPath = System.getProperty("java.class.path");
        String[] arguments = {"-proc:none", "-nowarn", "-cp", classPath, "-d", classes.toString(), changed.toString()};
        ByteArrayOutputStream messages = new ByteArrayOutputStream();
        if (ToolProvider.getSystemJavaCompiler().run(null, messages, messages, arguments) != 0) {
            throw new IllegalStateException(rule + " does not compile: " + messages);
        }
        return classes;
    }

    /** Loads the mutated rules and their simulation itself, and everything else from its parent. */
    private static final class MutatedClasses extends ClassLoader {
        private final String prefix;
        private final Path mutated;

        MutatedClasses(String prefix, Path mutated) {
            super(MutatedClasses.class.getClassLoader());
            this.prefix = prefix;
            this.mutated = mutated;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                if (loaded == null) {
                    loaded = name.startsWith(prefix) ? findClass(name) : super.loadClass(name, resolve);
                }
                return loaded;
            }
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            String file = name.replace('.', '/') + ".class";
            Path changed = mutated.resolve(file);
            try (InputStream in = Files.exists(changed) ? Files.newInputStream(changed) : getResourceAsStream(file)) {
                if (in == null) {
                    throw new ClassNotFoundException(name);
                }
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }
}
