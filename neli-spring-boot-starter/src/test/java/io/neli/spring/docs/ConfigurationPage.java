package io.neli.spring.docs;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;

import io.neli.spring.docs.Metadata.Property;

/** The page that lists every property, made of the metadata that editors complete from. */
final class ConfigurationPage {

    private static final String HEAD =
            """
            # Configuration

            Every property of the starter, in `application.yml` or wherever else Spring Boot reads properties
            (`NELI_HEARTBEAT_TIMEOUT=5s` in the environment). Editors complete them. This page is made of the same metadata as their
            suggestions, by a test, and not edited by hand.

            Durations are written like `500ms`, `3s`, `10m`, `1d`. A value that makes no sense, or does not go with another, ends the
            start of the application with a message that names the property, the value and what to do.
            """;

    /** Headings, and what belongs under each; the first that fits takes a property. */
    private static final Map<String, Predicate<String>> SECTIONS = sections();

    /** Words in a description that are code: properties, annotations. */
    private static final Pattern CODE = Pattern.compile("'([a-z.-]+)'|(@\\w+)");

    private final Metadata metadata;

    ConfigurationPage(Metadata metadata) {
        this.metadata = metadata;
    }

    private static Map<String, Predicate<String>> sections() {
        Map<String, Predicate<String>> sections = new LinkedHashMap<>();
        sections.put("Timing", name -> name.matches("neli\\.(heartbeat-.*|handover-timeout|takeover|mode)"));
        sections.put("Running work", name -> name.matches("neli\\.(task\\..*|when-disabled)"));
        sections.put("The leader topic", name -> name.startsWith("neli.topic.name"));
        sections.put("The connection to Kafka", name -> name.matches("neli\\.(kafka\\..*|fail-fast)"));
        sections.put("Who takes part in what", name -> name.startsWith("neli."));
        sections.put("Spring Boot Actuator", name -> name.startsWith("management."));
        return sections;
    }

    String text() {
        Map<String, List<Property>> bySection = new LinkedHashMap<>();
        List.of("Who takes part in what", "Timing").forEach(section -> bySection.put(section, new ArrayList<>()));
        SECTIONS.keySet().forEach(section -> bySection.putIfAbsent(section, new ArrayList<>()));
        for (Property property : metadata.properties()) {
            bySection.get(section(property.name())).add(property);
        }
        StringBuilder page = new StringBuilder(HEAD);
        bySection.forEach((section, properties) -> {
            page.append("\n## ").append(section).append("\n\n| property | default | |\n|---|---|---|\n");
            properties.forEach(property -> page.append(row(property)));
            properties.forEach(property -> page.append(values(property)));
        });
        return page.toString();
    }

    private static String section(String name) {
        return SECTIONS.entrySet().stream()
                .filter(section -> section.getValue().test(name))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow(() -> new AssertionError(name + " belongs under no heading"));
    }

    private static String row(Property property) {
        String name = property.name() + (property.isMap() ? ".*" : "");
        Object value = property.defaultValue();
        return "| `%s` | %s | %s |\n"
                .formatted(name, value == null ? "" : "`" + value + "`", code(property.description()));
    }

    private static String code(String description) {
        return CODE.matcher(description)
                .replaceAll(word -> "`" + (word.group(1) != null ? word.group(1) : word.group(2)) + "`")
                .replace("|", "\\|");
    }

    private String values(Property property) {
        List<Map<String, Object>> hints = metadata.hints(property.name() + (property.isMap() ? ".keys" : ""));
        if (hints.isEmpty()) {
            return "";
        }
        StringBuilder values = new StringBuilder("\n`%s`, for instance:\n\n".formatted(property.name()));
        hints.forEach(hint ->
                values.append("- `%s`: %s\n".formatted(hint.get("value"), lower((String) hint.get("description")))));
        return values.toString();
    }

    private static String lower(String sentence) {
        boolean word = sentence.length() > 1 && Character.isLowerCase(sentence.charAt(1));
        return word ? Character.toLowerCase(sentence.charAt(0)) + sentence.substring(1) : sentence;
    }
}
