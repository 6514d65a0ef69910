package io.neli.spring.docs;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;

import io.neli.spring.docs.Metadata.Property;

/** The page that lists every property, generated from the metadata that editors use. */
final class ConfigurationPage {

    private static final String HEAD =
            """
            # Configuration

            Every property of the starter, with its default in brackets. A test generates this page from the
            metadata that editors use; do not edit it by hand.

            Durations are written like `500ms`, `3s`, `10m`, `1d`; in `neli.*` a number alone is in seconds. If a
            value is invalid or conflicts with another, start-up fails, and the message names the property, value
            and fix. An unknown property is ignored, with a warning unless it is an environment variable or
            system property. A bean of type `NeliBuilderCustomizer` can override properties.
            [Tuning](operations.md#tuning) helps to choose durations.
            """;

    private static final String MEMBERS = "Members and roles";

    /** The headings, and which properties belong under each. A property is listed under the first that matches. */
    private static final Map<String, Predicate<String>> SECTIONS = sections();

    /** Words in a description that are shown as code: properties and annotations. */
    private static final Pattern CODE = Pattern.compile("'([a-z.-]+)'|(@\\w+)");

    private final Metadata metadata;

    ConfigurationPage(Metadata metadata) {
        this.metadata = metadata;
    }

    private static Map<String, Predicate<String>> sections() {
        Map<String, Predicate<String>> sections = new LinkedHashMap<>();
        sections.put(
                "Timing", name -> name.matches("neli\\.(lease-duration|heartbeat-.*|handover-timeout|fail-fast|mode)"));
        sections.put("Work", name -> name.matches("neli\\.(work\\..*|scheduling\\..*|when-disabled)"));
        sections.put("Leader topic", name -> name.startsWith("neli.topic."));
        sections.put("Connection to Kafka", name -> name.startsWith("neli.kafka."));
        sections.put("Connection to NATS", name -> name.startsWith("neli.nats."));
        sections.put(MEMBERS, name -> name.startsWith("neli."));
        sections.put("Spring Boot Actuator", name -> name.startsWith("management."));
        return sections;
    }

    String text() {
        Map<String, List<Property>> bySection = new LinkedHashMap<>();
        List.of(MEMBERS, "Timing").forEach(section -> bySection.put(section, new ArrayList<>()));
        SECTIONS.keySet().forEach(section -> bySection.putIfAbsent(section, new ArrayList<>()));
        for (Property property : metadata.properties()) {
            bySection.get(section(property.name())).add(property);
        }
        StringBuilder page = new StringBuilder(HEAD);
        bySection.forEach((section, properties) -> {
            page.append("\n## ").append(section).append("\n\n");
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
        return "- `%s`%s: %s\n"
                .formatted(name, value == null ? "" : " (`" + value + "`)", code(property.description()));
    }

    private static String code(String description) {
        return CODE.matcher(description)
                .replaceAll(word -> "`" + (word.group(1) != null ? word.group(1) : word.group(2)) + "`");
    }

    /** All allowed values. Durations are left out, because the metadata only has examples of them. */
    private String values(Property property) {
        List<Map<String, Object>> hints = metadata.hints(property.name()).stream()
                .filter(hint -> !hint.get("value").toString().matches("\\d.*"))
                .toList();
        if (hints.isEmpty()) {
            return "";
        }
        StringBuilder values = new StringBuilder("\n`%s` is\n\n".formatted(property.name()));
        hints.forEach(hint ->
                values.append("- `%s`: %s\n".formatted(hint.get("value"), lower((String) hint.get("description")))));
        return values.toString();
    }

    private static String lower(String sentence) {
        boolean word = sentence.length() > 1 && Character.isLowerCase(sentence.charAt(1));
        return word ? Character.toLowerCase(sentence.charAt(0)) + sentence.substring(1) : sentence;
    }
}
