package io.neli.spring.docs;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The links between pages, and what they mention, exist. */
class PagesTest {

    private static final Pattern LINK =
            Pattern.compile("(?:]\\(\\s*|(?m:^\\[[^]]+]:\\s*)|src=\"|srcset=\"|href=\")([^)\"\\s]+)");

    /** A property of Neli; not a method or a part of another name. */
    private static final Pattern PROPERTY = Pattern.compile("(?<![\\w./])neli(\\.[a-z-]++)++(?![A-Z(])");

    /** The names on this page are meters, not properties. */
    private static final Path METRICS = Path.of("docs", "metrics.md");

    private static final Set<String> LOGGING_CONTEXT = Set.of("neli.role", "neli.token");
    private static final Path README = Path.of("README.md");
    private static final Path DOCS = Path.of("docs");

    /** A link on a page, and its target relative to the project's directory. */
    private record Link(Path page, Path target, String anchor) {

        static Link of(Path page, String text) {
            String[] parts = text.split("#", 2);
            Path target =
                    parts[0].isEmpty() ? page : page.resolveSibling(parts[0]).normalize();
            return new Link(page, target, parts.length > 1 ? parts[1] : "");
        }
    }

    @Test
    void every_link_leads_somewhere() {
        assertThat(links()).hasSizeGreaterThan(20).allSatisfy(link -> {
            assertThat(CodeBlock.PROJECT.resolve(link.target())).as("%s", link).exists();
            if (!link.anchor().isEmpty()) {
                assertThat(headings(link.target())).as("%s", link).contains(link.anchor());
            }
        });
    }

    @Test
    void every_page_can_be_reached() {
        Set<Path> reached = new TreeSet<>(Set.of(README));
        List<Link> links = links();
        boolean more = true;
        while (more) {
            more = reached.addAll(links.stream()
                    .filter(link -> reached.contains(link.page()))
                    .map(Link::target)
                    .toList());
        }
        assertThat(reached).containsAll(CodeBlock.pages());
    }

    @Test
    void the_index_lists_every_page() {
        Set<Path> listed = links().stream()
                .filter(link -> link.page().equals(DOCS.resolve("README.md")))
                .map(Link::target)
                .collect(Collectors.toSet());
        assertThat(CodeBlock.pages().stream().filter(page -> DOCS.equals(page.getParent())))
                .filteredOn(page -> !page.endsWith("README.md"))
                .allMatch(listed::contains);
    }

    @Test
    void every_property_that_a_page_names_is_one() {
        Metadata metadata = Metadata.ofThisLibrary();
        assertThat(CodeBlock.pages())
                .filteredOn(page -> !page.equals(METRICS))
                .flatMap(page -> PROPERTY.matcher(String.join("\n", CodeBlock.prose(page)))
                        .results()
                        .map(MatchResult::group)
                        .filter(name -> !LOGGING_CONTEXT.contains(name))
                        .toList())
                .hasSizeGreaterThan(100)
                .allMatch(name -> metadata.find(name).isPresent()
                        || metadata.properties().stream()
                                .anyMatch(property -> property.name().startsWith(name + ".")));
    }

    @Test
    void the_first_page_is_short() {
        assertThat(CodeBlock.lines(README)).hasSizeLessThanOrEqualTo(150);
    }

    @Test
    void every_drawing_can_be_shown() {
        List<Path> drawings = links().stream()
                .map(Link::target)
                .filter(target -> target.toString().endsWith(".svg"))
                .distinct()
                .toList();
        assertThat(drawings).isNotEmpty().allSatisfy(drawing -> DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(CodeBlock.PROJECT.resolve(drawing).toFile()));
    }

    private static List<Link> links() {
        return CodeBlock.pages().stream().flatMap(PagesTest::links).toList();
    }

    private static Stream<Link> links(Path page) {
        return LINK.matcher(String.join("\n", CodeBlock.prose(page)))
                .results()
                .map(link -> link.group(1))
                .filter(link -> !link.contains("://"))
                .map(link -> Link.of(page, link));
    }

    /** The anchors of a page's headings, as GitHub and similar sites name them. */
    private static List<String> headings(Path page) {
        return CodeBlock.prose(page).stream()
                .filter(line -> line.startsWith("#"))
                .map(line -> line.replaceFirst("#+ ", "").toLowerCase(java.util.Locale.ROOT))
                .map(heading -> heading.replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-'))
                .toList();
    }
}
