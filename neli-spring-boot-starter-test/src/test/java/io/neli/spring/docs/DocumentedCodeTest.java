package io.neli.spring.docs;

import java.io.StringReader;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each block of code on the project's pages, checked as its language allows. Commands are run by {@link
 * DocumentedCommandsIT}.
 */
class DocumentedCodeTest {

    /** Code that is indented, in a list or a quotation, between tildes, or in HTML. */
    private static final Pattern OTHER_FORM = Pattern.compile("^( {4}|\t)|```|~~~|<pre|<code");

    /** The pom of this module: its test class path has everything that the pages tell a reader to add. */
    private static final Path OWN_POM = Path.of("neli-spring-boot-starter-test", "pom.xml");

    @TempDir
    static Path classes;

    /** The compiler's messages for each block of Java. */
    private static final Map<CodeBlock, String> said = new HashMap<>();

    private final Map<String, Consumer<CodeBlock>> checks = Map.of(
            "java", block -> assertThat(said.get(block)).isEmpty(),
            "yaml", DocumentedCodeTest::sets,
            "properties", DocumentedCodeTest::sets,
            "xml", DocumentedCodeTest::isDependency,
            "groovy", DocumentedCodeTest::hasTheDependenciesOfThePom,
            "sql", DocumentedCodeTest::executes,
            "haproxy", block -> assertThat(block.code()).contains("backend"), // RoutingIT runs it in HAProxy
            "sh", block -> assertThat(ShellCommand.of(block)).isNotEmpty(),
            "text", block -> assertThat(block.code()).isNotBlank()); // a drawing, or output of a program

    @TestFactory
    Stream<DynamicTest> every_block_of_code_is_right() {
        return CodeBlock.all().stream()
                .map(block -> DynamicTest.dynamicTest(block.toString(), () -> {
                    assertThat(checks).as("the language that its fence names").containsKey(block.language());
                    checks.get(block.language()).accept(block);
                }));
    }

    @Test
    void no_code_is_on_a_page_in_another_form() {
        assertThat(CodeBlock.pages()).hasSizeGreaterThan(8).allSatisfy(page -> assertThat(CodeBlock.prose(page))
                .noneMatch(OTHER_FORM.asPredicate()));
    }

    @BeforeAll
    static void compile() {
        JavaCode compiler = new JavaCode(classes);
        List<CodeBlock> java = CodeBlock.all().stream()
                .filter(block -> block.language().equals("java"))
                .toList();
        List<CodeBlock> pieces = java.stream().filter(block -> !isFile(block)).toList();
        List<String> saidOfPieces =
                compiler.compile(pieces.stream().map(CodeBlock::code).toList());
        for (int i = 0; i < pieces.size(); i++) {
            said.put(pieces.get(i), saidOfPieces.get(i));
        }
        // Compiled together, because the files on a page use each other.
        java.stream()
                .filter(DocumentedCodeTest::isFile)
                .collect(Collectors.groupingBy(CodeBlock::page))
                .values()
                .forEach(files -> {
                    String saidOfFiles = compiler.compileFiles(
                            files.stream().map(CodeBlock::code).toList());
                    files.forEach(file -> said.put(file, saidOfFiles));
                });
    }

    private static boolean isFile(CodeBlock block) {
        return block.code().startsWith("package ");
    }

    private static void sets(CodeBlock block) {
        Configuration configuration = Configuration.read(block);
        assertThat(configuration.unknown()).as("unknown properties").isEmpty();
        configuration.bind();
    }

    private static void executes(CodeBlock block) {
        Database.execute(block.code());
    }

    /** The only XML on the pages is dependencies for a reader's pom.xml. */
    private static void isDependency(CodeBlock block) {
        NodeList parents = parse("<block>" + block.code() + "</block>").getElementsByTagName("parent");
        if (parents.getLength() > 0) {
            assertThat(text((Element) parents.item(0), "version")).isEqualTo(ofProject("spring-boot.version"));
        }
        for (Element dependency : dependencies("<block>" + block.code() + "</block>")) {
            assertThat(text(dependency, "groupId")).isIn("io.neli", "org.springframework.boot", "org.testcontainers");
            assertThat(String.join("\n", CodeBlock.lines(OWN_POM)))
                    .contains("<artifactId>" + text(dependency, "artifactId") + "</artifactId>");
            if (text(dependency, "groupId").equals("io.neli")) {
                assertThat(CodeBlock.PROJECT.resolve(text(dependency, "artifactId")))
                        .isDirectory();
                assertThat(text(dependency, "version")).isEqualTo(ofProject("version"));
            }
        }
    }

    /** Checks the build of a reader who uses Gradle, on a page that also shows a pom.xml. */
    private static void hasTheDependenciesOfThePom(CodeBlock block) {
        CodeBlock pom = CodeBlock.all().stream()
                .filter(other ->
                        other.page().equals(block.page()) && other.language().equals("xml"))
                .findFirst()
                .orElseThrow();
        assertThat(block.code())
                .contains("'org.springframework.boot' version '" + ofProject("spring-boot.version") + "'");
        assertThat(dependencies(pom.code())).allSatisfy(dependency -> {
            NodeList version = dependency.getElementsByTagName("version");
            boolean test = dependency.getElementsByTagName("scope").getLength() > 0;
            assertThat(block.code())
                    .contains(
                            (test ? "testImplementation" : "implementation") + " '" + text(dependency, "groupId") + ":"
                                    + text(dependency, "artifactId")
                                    + (version.getLength() > 0 ? ":" + text(dependency, "version") : "") + "'");
        });
    }

    private static List<Element> dependencies(String xml) {
        NodeList found = parse(xml).getElementsByTagName("dependency");
        assertThat(found.getLength()).isPositive();
        return Stream.iterate(0, i -> i < found.getLength(), i -> i + 1)
                .map(i -> (Element) found.item(i))
                .toList();
    }

    private static Document parse(String xml) {
        try {
            return DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(new InputSource(new StringReader(xml)));
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static String text(Element parent, String name) {
        return parent.getElementsByTagName(name).item(0).getTextContent().strip();
    }

    private static String ofProject(String element) {
        String pom = String.join("\n", CodeBlock.lines(Path.of("pom.xml")));
        return text(parse(pom).getDocumentElement(), element);
    }
}
