package io.agenthooks.spring.docs;

import java.io.IOException;
import java.io.StringReader;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import javax.xml.parsers.DocumentBuilderFactory;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.commons.support.AnnotationSupport;
import org.springframework.util.ReflectionUtils;
import org.xml.sax.InputSource;
import tools.jackson.databind.ObjectMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the README and the pages in {@code docs} show is true: Java compiles,
 * configurations start, mistakes give the shown text, links and tests are there. Comments
 * before a block say what else to do with it:
 * <ul>
 * <li>{@code not run: why} - nothing checks the block;</li>
 * <li>{@code given:}, {@code with:}, {@code class:} - see {@link JavaBlocks};</li>
 * <li>{@code call: tool {"argument": 1} -> denied: text} - a call that a started
 * configuration decides so; what else there may be is {@code runs}, {@code answered} and
 * {@code aborted};</li>
 * <li>{@code beans: A, B} - classes of the page that a configuration needs;</li>
 * <li>{@code fails} - the start fails with what the next block shows;</li>
 * <li>{@code file: path} - the block is a file that the configurations of the page name,
 * {@code given file:} one that is not shown;</li>
 * <li>{@code webhook request}, {@code webhook answer: call}, {@code command input} - the
 * JSON is what hooks send or accept.</li>
 * </ul>
 */
class DocsTests {

	private static final List<Page> PAGES = Page.all();

	private static final Pattern LINK = Pattern.compile("(?<!!)\\[[^\\]]*]\\(([^)\\s]+)\\)");

	private static final Pattern TEST = Pattern.compile("`(\\w+Tests)(?:\\.(\\w+))?`");

	private static final Pattern KNOWN = Pattern.compile("(not run|given|given file|with|class|call|beans|file): \\S"
			+ "|given:\\n|(fails|webhook request|command input)$|webhook answer: \\S");

	private static final Pattern DECLARED = Pattern.compile("(?m)^\\t+(?:\\w+ )*void (\\w+)\\(");

	@TempDir
	static Path folder;

	private static JavaBlocks java;

	@BeforeAll
	static void compile() throws IOException {
		java = new JavaBlocks(PAGES, folder);
		for (Block block : blocks((block) -> true)) {
			for (String file : block.notes("file:")) {
				write(block, file, block.text());
			}
			for (String note : block.notes("given file:")) {
				String[] parts = note.split("\n", 2);
				write(block, parts[0].strip(), parts[1] + "\n");
			}
		}
	}

	private static void write(Block block, String file, String text) throws IOException {
		Path written = fileOf(block, file);
		Files.createDirectories(Objects.requireNonNull(written.getParent()));
		Files.writeString(written, text);
		assertThat(written.toFile().setExecutable(true)).isTrue();
	}

	private static Path fileOf(Block block, String file) {
		return folder.resolve("files").resolve(block.page().replace('/', '-')).resolve("./" + file).normalize();
	}

	private static List<Block> blocks(Predicate<Block> wanted) {
		return PAGES.stream().flatMap((page) -> page.blocks().stream()).filter(wanted).toList();
	}

	private static Page page(String path) {
		return PAGES.stream().filter((page) -> page.path().equals(path)).findFirst().orElseThrow();
	}

	@Test
	void everyJavaBlockCompiles() {
		assertThat(java.blocks()).isNotEmpty();
		assertThat(java.mistakes()).isEmpty();
	}

	@TestFactory
	List<DynamicTest> everyTestThatAPageShowsIsGreen() {
		List<DynamicTest> tests = java.classes()
			.stream()
			.flatMap((type) -> Arrays.stream(type.getDeclaredMethods())
				.filter((method) -> AnnotationSupport.isAnnotated(method, Test.class))
				.map((method) -> DynamicTest.dynamicTest(type.getName() + " " + method.getName(),
						() -> run(type, method))))
			.toList();
		assertThat(tests).isNotEmpty();
		return tests;
	}

	private static void run(Class<?> type, Method method) throws Throwable {
		ClassLoader before = Thread.currentThread().getContextClassLoader();
		Thread.currentThread().setContextClassLoader(java.classLoader());
		try {
			ReflectionUtils.makeAccessible(method);
			method.invoke(ReflectionUtils.accessibleConstructor(type).newInstance());
		}
		catch (InvocationTargetException ex) {
			throw ex.getTargetException();
		}
		finally {
			Thread.currentThread().setContextClassLoader(before);
		}
	}

	@TestFactory
	Stream<DynamicTest> everyConfigurationDoesWhatThePageSays() {
		return blocks((block) -> block.is("yaml") && block.isRun()).stream()
			.map((block) -> DynamicTest.dynamicTest(block.place(), () -> configuration(block).check()));
	}

	private static StartedConfiguration configuration(Block block) {
		Page page = page(block.page());
		String yaml = block.text();
		for (Block other : page.blocks()) {
			for (String note : Stream.concat(other.notes("file:").stream(), other.notes("given file:").stream())
				.toList()) {
				String file = note.split("\n", 2)[0].strip();
				yaml = yaml.replace(file, fileOf(other, file).toString());
			}
		}
		List<Class<?>> beans = block.notes("beans:")
			.stream()
			.flatMap((names) -> Stream.of(names.split(",\\s*", -1)))
			.<Class<?>>map((name) -> java.named(page.packageName(), name))
			.toList();
		String failure = null;
		if (block.note("fails") != null) {
			failure = page.blocks().get(page.blocks().indexOf(block) + 1).text();
		}
		return new StartedConfiguration(yaml, java.classLoader(), beans, block.notes("call:"), failure);
	}

	@TestFactory
	Stream<DynamicTest> everyBlockOfDataCanBeRead() {
		return blocks((block) -> (block.is("json") || block.is("xml")) && block.isRun()).stream()
			.map((block) -> DynamicTest.dynamicTest(block.place(), () -> {
				if (block.is("json")) {
					assertThat(new ObjectMapper().readTree(block.text()).isContainer()).isTrue();
				}
				else {
					DocumentBuilderFactory.newInstance()
						.newDocumentBuilder()
						.parse(new InputSource(new StringReader(block.text())));
				}
			}));
	}

	@TestFactory
	Stream<DynamicTest> everyWireFormatIsThatOfTheHook() {
		WireFormats formats = new WireFormats(java.classLoader(), folder);
		return blocks((block) -> block.is("json")).stream()
			.flatMap((block) -> block.notes().stream().map((note) -> DynamicTest.dynamicTest(block.place(), () -> {
				String[] words = note.split(": ", 2);
				switch (words[0]) {
					case "webhook request" -> formats.checkWebhookRequest(block.text());
					case "webhook answer" -> formats.checkWebhookAnswer(words[1], block.text());
					case "command input" -> formats.checkCommandInput(block.text());
					default -> throw new IllegalStateException("Nobody knows what '" + note + "' means");
				}
			})));
	}

	/**
	 * The page of a type, and how a list and an entry name their options.
	 */
	@ParameterizedTest
	@CsvSource({ "tool_call, policy, docs/decide/policy.md", "tool_call, webhook, docs/decide/webhooks.md",
			"tool_call, command, docs/decide/command-hooks.md", "tool_call, process, docs/decide/process-hooks.md",
			"tool_call, prompt, docs/decide/llm-judge.md", "tool_call, redact, docs/decide/redact.md",
			"tool_call, respond, docs/decide/respond-and-cache.md",
			"tool_call, cache, docs/decide/respond-and-cache.md", "tool_call, rate_limit, docs/decide/limits.md",
			"tool_call, concurrency, docs/decide/loops.md", "tool_call, loop, docs/decide/loops.md",
			"tool_call, alert, docs/operate/alerts.md", "tool_call, flow, docs/decide/flow.md",
			"tool_call, budget, docs/decide/budgets.md", "tool_call, approval, docs/reference/approval-options.md",
			"tool_call, bean, docs/reference/configuration.md", "llm_call, policy, docs/decide/model-calls-and-runs.md",
			"llm_call, budget, docs/decide/budgets.md" })
	void everyOptionOfATypeIsOnItsPage(String section, String type, String page) {
		checkOptions("{" + section + ": {pre_call: [{type: " + type + ", config: {no_option: 1}}]}}", page);
	}

	@ParameterizedTest
	@ValueSource(strings = { "{tool_call: {no_option: 1}}", "{llm_call: {no_option: 1}}", "{run: {no_option: 1}}",
			"{tool_call: {pre_call: [{type: passthrough, no_option: 1}]}}",
			"{tool_call: {pre_call: [{type: no_type}]}}" })
	void everyKeyIsInTheReference(String hooks) {
		checkOptions(hooks, "docs/reference/configuration.md");
	}

	/**
	 * A part of the configuration beside the lists of hooks, a line of it, and its page.
	 */
	@ParameterizedTest
	@CsvSource({ "approval, enabled: true, docs/reference/approval-options.md",
			"audit, enabled: true, docs/operate/audit.md", "console, enabled: true, docs/operate/console.md",
			"context, claims: sub, docs/reference/configuration.md",
			"journal, max_calls: 1, docs/operate/last-calls.md", "limit, timeout: 1s, docs/decide/shared-limits.md",
			"observation, mdc: true, docs/operate/observability.md" })
	void everyOptionOfAPartIsOnItsPage(String part, String line, String page) {
		checkOptions("{" + part + ": {" + line + ", no_option: 1}}", page);
	}

	private static void checkOptions(String hooks, String page) {
		String failure = new StartedConfiguration("hooks: " + hooks, java.classLoader(), List.of(), List.of(), null)
			.failure();
		Matcher named = Pattern.compile("The (?:options|types|keys here) are:? ([\\w, ]+)").matcher(failure);
		assertThat(named.find()).as(failure).isTrue();
		String text = String.join("\n", page(page).lines());
		assertThat(named.group(1).split(", ", -1)).allSatisfy(
				(option) -> assertThat(Pattern.compile("[`.]" + option + "[`.]").matcher(text).find()).as(option)
					.isTrue());
	}

	@Test
	void everyOtherBlockSaysWhyNothingChecksIt() {
		assertThat(blocks((block) -> !Set.of("java", "yaml", "json", "xml").contains(block.language()) && block.isRun()
				&& block.note("file:") == null && !isShownFailure(block)))
			.isEmpty();
		assertThat(blocks((block) -> !block.isRun()))
			.allSatisfy((block) -> assertThat(block.note(Block.NOT_RUN)).as(block.place()).hasSizeGreaterThan(10));
	}

	@Test
	void everyNoteIsKnown() {
		assertThat(PAGES.stream().flatMap((page) -> page.blocks().stream()).flatMap((block) -> block.notes().stream()))
			.allMatch((note) -> KNOWN.matcher(note).lookingAt());
	}

	private static boolean isShownFailure(Block block) {
		List<Block> blocks = page(block.page()).blocks();
		int index = blocks.indexOf(block);
		return index > 0 && blocks.get(index - 1).note("fails") != null;
	}

	@Test
	void everyLinkLeadsSomewhere() {
		List<String> broken = new ArrayList<>();
		for (Page page : PAGES) {
			Matcher links = LINK.matcher(String.join("\n", page.prose()));
			while (links.find()) {
				String[] link = links.group(1).split("#", 2);
				if (link[0].startsWith("http")) {
					continue;
				}
				Path target = (link[0].isEmpty()) ? page.file() : page.file().resolveSibling(link[0]).normalize();
				if (!Files.exists(target)
						|| (link.length == 2 && !Page.read(Page.root(), target).anchors().contains(link[1]))) {
					broken.add(page + ": " + links.group(1));
				}
			}
		}
		assertThat(broken).isEmpty();
	}

	@Test
	void everyPageIsInTheIndexWhichTheReadmeFinds() {
		String index = String.join("\n", page("docs/README.md").lines());
		assertThat(PAGES).allSatisfy((page) -> assertThat(index).contains(page.fileName()));
		assertThat(page("README.md").prose()).anyMatch((line) -> line.contains("(docs/README.md)"));
	}

	@Test
	void everyRuleOfACallHasTests() {
		List<String> lines = page("docs/reference/rules-and-failures.md").prose();
		lines = lines.subList(lines.indexOf("## The rules of a call"),
				lines.indexOf("## What `modify` does to policies"));
		List<String> rules = lines.stream()
			.filter((line) -> line.matches("\\d+\\. \\*\\*.*"))
			.map((line) -> line.substring(0, line.indexOf('.')))
			.toList();
		List<String> proved = lines.stream()
			.filter((line) -> line.matches("\\| \\d+ \\|.*") && TEST.matcher(line).find())
			.map((line) -> line.split("[| ]+", -1)[1])
			.toList();
		assertThat(rules).hasSizeGreaterThan(10).isEqualTo(proved);
	}

	@Test
	void everyTestThatIsNamedIsThere() throws IOException {
		Map<String, Set<String>> tests = tests();
		List<String> missing = new ArrayList<>();
		for (Page page : PAGES) {
			String heading = null;
			for (String line : page.prose()) {
				Matcher named = TEST.matcher(line);
				while (named.find()) {
					Set<String> methods = tests.get(named.group(1));
					if (methods == null || (named.group(2) != null && !methods.contains(named.group(2)))) {
						missing.add(page + ": " + named.group());
					}
					heading = (line.startsWith("#")) ? named.group(1) : heading;
				}
				heading = (line.startsWith("#") && !line.contains("Tests`")) ? null : heading;
				addMissingMethods(page, line, (heading != null) ? tests.get(heading) : null, missing);
			}
		}
		assertThat(missing).isEmpty();
	}

	/**
	 * Under a heading that names a test, the last column of a table names its methods.
	 */
	private static void addMissingMethods(Page page, String line, @Nullable Set<String> methods, List<String> missing) {
		if (methods != null && line.startsWith("|")) {
			String last = line.substring(line.lastIndexOf('|', line.length() - 2));
			Pattern.compile("`([a-z]\\w+)`")
				.matcher(last)
				.results()
				.map((match) -> match.group(1))
				.filter((name) -> !methods.contains(name))
				.forEach((name) -> missing.add(page + ": " + name));
		}
	}

	private static Map<String, Set<String>> tests() throws IOException {
		Map<String, Set<String>> tests = new HashMap<>();
		try (Stream<Path> files = Files.walk(Page.root(), 12)) {
			for (Path file : files
				.filter((path) -> path.toString().matches(".*/src/(test|e2e)/(java|kotlin)/.*Tests\\.(java|kt)"))
				.toList()) {
				tests.put(file.getFileName().toString().replaceFirst("\\.(java|kt)$", ""),
						DECLARED.matcher(Files.readString(file))
							.results()
							.map((match) -> match.group(1))
							.collect(Collectors.toSet()));
			}
		}
		return tests;
	}

	@ParameterizedTest
	@ValueSource(strings = { "spring-boot", "spring-ai", "langchain4j", "langchain4j-agentic", "langchain4j-mcp", "mcp",
			"cel" })
	void everyVersionIsThatOfTheBuild(String library) throws IOException {
		Matcher version = Pattern.compile("<" + library + "\\.version>(.+)</")
			.matcher(Files.readString(Page.root().resolve("pom.xml")));
		assertThat(version.find()).isTrue();
		assertThat(page("docs/reference/versions.md").lines()).anyMatch((line) -> line.contains(version.group(1)));
	}

	@Test
	void readmeIsShortAndLinesAre() {
		assertThat(page("README.md").lines()).hasSizeLessThanOrEqualTo(130);
		assertThat(PAGES).allSatisfy((page) -> assertThat(page.prose())
			.filteredOn((line) -> !line.strip().startsWith("|") && line.length() > 140)
			.as(page.path())
			.isEmpty());
	}

}
