package io.neli.spring.docs;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import com.jayway.jsonpath.DocumentContext;
import com.jayway.jsonpath.JsonPath;
import io.neli.spring.LeaderOnly;

/** The metadata of the configuration properties of all libraries on the class path. */
final class Metadata {

    /**
     * @param name the name in canonical form
     * @param type the Java type, with its type arguments
     * @param defaultValue null if there is none
     */
    record Property(String name, String type, Object defaultValue, String description) {

        boolean isMap() {
            return type.startsWith("java.util.Map<");
        }
    }

    private static final String FILE = "META-INF/spring-configuration-metadata.json";

    private final List<DocumentContext> files;

    private final List<Property> properties;

    private Metadata(List<DocumentContext> files) {
        this.files = files;
        this.properties = files.stream().flatMap(Metadata::properties).toList();
    }

    static Metadata ofTheClassPath() {
        return new Metadata(files().map(Metadata::read).toList());
    }

    static Metadata ofThisLibrary() {
        String root = LeaderOnly.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toString();
        return new Metadata(files().filter(file -> file.toString().contains(root))
                .map(Metadata::read)
                .toList());
    }

    private static Stream<URL> files() {
        try {
            return Collections.list(Metadata.class.getClassLoader().getResources(FILE)).stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static DocumentContext read(URL url) {
        try (InputStream content = url.openStream()) {
            return JsonPath.parse(content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<Property> properties(DocumentContext file) {
        return file.<List<Map<String, Object>>>read("$.properties").stream()
                .map(each -> new Property(
                        (String) each.get("name"),
                        (String) each.getOrDefault("type", "java.lang.String"),
                        each.get("defaultValue"),
                        (String) each.get("description")));
    }

    List<Property> properties() {
        return properties;
    }

    /** The hints for the values of a property, each with its description. */
    List<Map<String, Object>> hints(String property) {
        return files.stream()
                .flatMap(
                        file -> file
                                .<List<List<Map<String, Object>>>>read(
                                        "$.hints[?(@.name == '" + property + "')].values")
                                .stream())
                .flatMap(List::stream)
                .toList();
    }

    /** The property of that name, or the map property that it is an entry of. */
    Optional<Property> find(String name) {
        return properties.stream()
                .filter(property -> property.name().equals(name))
                .findFirst()
                .or(() -> properties.stream()
                        .filter(property -> property.isMap() && name.startsWith(property.name() + "."))
                        .findFirst());
    }
}
