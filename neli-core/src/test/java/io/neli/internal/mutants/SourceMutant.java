package io.neli.internal.mutants;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

import org.jspecify.annotations.Nullable;

/**
 * A change of one source file. The result is compiled in memory and simulated instead of the original.
 *
 * @param packageName of the rules and their simulation
 * @param rule the rule that the changed source breaks
 * @param file the name of the class
 * @param original a text that occurs once in the file, in any layout
 * @param broken its replacement
 */
public record SourceMutant(String packageName, String rule, String file, String original, String broken) {

    /** Runs seeds against the mutant. {@code simulation} does so for the original, and is loaded again here. */
    @SuppressWarnings("unchecked")
    public LongFunction<@Nullable String> simulate(Class<? extends LongFunction<@Nullable String>> simulation) {
        try {
            Constructor<?> constructor = new MutatedClasses(packageName + ".", compile(this))
                    .loadClass(simulation.getName())
                    .getDeclaredConstructor();
            constructor.setAccessible(true);
            return (LongFunction<@Nullable String>) constructor.newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(rule, e);
        }
    }

    /** The source of the class with the rule broken. */
    public String source() {
        Path sources = Path.of("src/main/java", packageName.replace('.', '/'));
        return mutate(this, read(sources.resolve(file + ".java")));
    }

    private static Map<String, byte[]> compile(SourceMutant mutant) {
        String name = mutant.file() + ".java";
        String source = mutant.source();
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        Map<String, ByteArrayOutputStream> classes = new HashMap<>();
        StringWriter messages = new StringWriter();
        boolean compiled = compiler.getTask(
                        messages,
                        new Memory(compiler.getStandardFileManager(null, null, null), classes),
                        null,
                        List.of("-proc:none", "-nowarn", "-classpath", System.getProperty("java.class.path")),
                        null,
                        List.of(new Text(name, source)))
                .call();
        if (!compiled) {
            throw new IllegalStateException(mutant.rule() + " does not compile: " + messages);
        }
        Map<String, byte[]> bytes = new HashMap<>();
        classes.forEach((type, out) -> bytes.put(type, out.toByteArray()));
        return bytes;
    }

    private static String mutate(SourceMutant mutant, String source) {
        List<MatchResult> places = original(mutant).matcher(source).results().toList();
        if (places.size() != 1) {
            throw new IllegalStateException("%s: %s.java must contain exactly once, as the rule to break: %s"
                    .formatted(mutant.rule(), mutant.file(), mutant.original()));
        }
        MatchResult place = places.get(0);
        return source.substring(0, place.start()) + mutant.broken() + source.substring(place.end());
    }

    /** Matches the original text in any layout. */
    private static Pattern original(SourceMutant mutant) {
        return Pattern.compile(mutant.original()
                .chars()
                .filter(c -> !Character.isWhitespace(c))
                .mapToObj(c -> Pattern.quote(Character.toString(c)))
                .collect(Collectors.joining("\\s*")));
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Loads the mutated rules and their simulation itself, and everything else from its parent. */
    private static final class MutatedClasses extends ClassLoader {
        private final String prefix;
        private final Map<String, byte[]> mutated;

        MutatedClasses(String prefix, Map<String, byte[]> mutated) {
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
            byte[] bytes = mutated.containsKey(name) ? mutated.get(name) : original(name);
            return defineClass(name, bytes, 0, bytes.length);
        }

        private byte[] original(String name) throws ClassNotFoundException {
            try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
                if (in == null) {
                    throw new ClassNotFoundException(name);
                }
                return in.readAllBytes();
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    private static final class Text extends SimpleJavaFileObject {
        private final String text;

        Text(String name, String text) {
            super(URI.create("string:///" + name), JavaFileObject.Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    private static final class Memory extends ForwardingJavaFileManager<JavaFileManager> {
        private final Map<String, ByteArrayOutputStream> classes;

        Memory(JavaFileManager files, Map<String, ByteArrayOutputStream> classes) {
            super(files);
            this.classes = classes;
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                Location location, String className, JavaFileObject.Kind kind, FileObject sibling) {
            return new SimpleJavaFileObject(URI.create("memory:///" + className), kind) {
                @Override
                public OutputStream openOutputStream() {
                    return classes.computeIfAbsent(className, key -> new ByteArrayOutputStream());
                }
            };
        }
    }
}
