package io.agenthooks.spring;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The house can be held in mind: names, files, rooms and modules. What is an exception
 * today may only become less.
 */
class HouseTests {

	private static final int MAX_LINES = 400;

	private static final int MAX_CODE = 2_500;

	private static final int MAX_CODE_OF_MODULE = 4_000;

	/** The same role for two frameworks, in rooms of which a test imports one. */
	private static final Set<String> TWINS = Set.of("ScriptedChatModel");

	/** Files that are longer. Take off what no longer is, and add none. */
	private static final Set<String> LONG_FILES = Set.of("ArgumentCheck", "CelTranslation", "JsonText", "Nfa",
			"Passage", "PolicyToolHook", "Redactor", "RegexParser", "Ruling", "ToolCallHooksProperties", "ToolDecision",
			"ToolHookChain", "ValueRedactor", "YamlText");

	/** Rooms that are larger, with the lines of code that they may have. */
	private static final Map<String, Integer> LARGE_ROOMS = Map.ofEntries(Map.entry("io.agenthooks.policy", 4_310),
			Map.entry("io.agenthooks.redact", 3_830), Map.entry("io.agenthooks.spring.ai", 4_770),
			Map.entry("io.agenthooks.spring.approval", 7_560), Map.entry("io.agenthooks.spring.assembly", 3_930),
			Map.entry("io.agenthooks.spring.audit", 2_960), Map.entry("io.agenthooks.spring.binding", 3_260),
			Map.entry("io.agenthooks.spring.langchain4j", 3_200), Map.entry("io.agenthooks.spring.limit", 4_130),
			Map.entry("io.agenthooks.spring.cel", 4_420));

	/** The same for modules. What is moved out of one goes off its number. */
	private static final Map<String, Integer> LARGE_MODULES = Map.of("frameworks/hooks-spring-ai", 4_770, "hooks-core",
			19_770, "hooks-spring-boot-autoconfigure", 20_960, "types/hooks-approval", 7_560, "types/hooks-limit",
			4_760, "types/hooks-policy-cel", 4_420);

	private static final List<Path> FILES = Sources.files();

	private static String name(Path file) {
		return file.getFileName().toString().replace(".java", "");
	}

	private static String room(Path file) {
		String path = file.toString().replace('\\', '/');
		return path.substring(path.indexOf("src/main/java/") + "src/main/java/".length(), path.lastIndexOf('/'))
			.replace('/', '.');
	}

	private static String module(Path file) {
		return file.toString().replace('\\', '/').replaceFirst("^\\.\\./", "").replaceFirst("/src/main/.*", "");
	}

	private static List<String> lines(Path file) {
		try {
			return Files.readAllLines(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Lines that are neither blank, comment, import nor package.
	 */
	private static int code(Path file) {
		return (int) lines(file).stream()
			.map(String::strip)
			.filter((line) -> !line.isEmpty() && !line.matches("(//|/\\*|\\*|import |package ).*"))
			.count();
	}

	private static Set<String> missing(Set<String> listed, Set<String> found) {
		Set<String> missing = new TreeSet<>(listed);
		missing.removeAll(found);
		return missing;
	}

	@Test
	void noSimpleNameStandsTwice() {
		Map<String, List<Path>> byName = FILES.stream().collect(Collectors.groupingBy(HouseTests::name));
		assertThat(byName.values()).isNotEmpty()
			.filteredOn((files) -> files.size() > 1 && !TWINS.contains(name(files.get(0))))
			.isEmpty();
	}

	@Test
	void eachRoomStandsInTheTableOfRooms() {
		String page = Sources.text("CONTRIBUTING.md");
		String table = page.substring(page.indexOf("## The rooms"), page.indexOf("## Words"));
		Set<String> rooms = FILES.stream()
			.map(HouseTests::room)
			.filter((room) -> room.startsWith("io.agenthooks.")
					&& !room.matches("io\\.agenthooks\\.(test|sample|benchmarks).*"))
			.map((room) -> room.replaceFirst("io\\.agenthooks\\.(spring\\.)?", "."))
			.filter((room) -> !room.equals(".spring"))
			.collect(Collectors.toCollection(TreeSet::new));
		assertThat(rooms).isNotEmpty().allSatisfy((room) -> assertThat(table).contains("`" + room + "`"));
		assertThat(Pattern.compile("`(\\.\\w+)`").matcher(table).results().map((room) -> room.group(1)))
			.isSubsetOf(rooms);
	}

	@Test
	void filesAreShort() {
		Map<String, Integer> longer = FILES.stream()
			.filter((file) -> lines(file).size() > MAX_LINES)
			.collect(Collectors.toMap(HouseTests::name, (file) -> lines(file).size(), Math::max, TreeMap::new));
		System.out.println("Files above " + MAX_LINES + " lines: " + longer);
		System.out.println("Take off the list: " + missing(LONG_FILES, longer.keySet()));
		assertThat(LONG_FILES).as("Split what is new").containsAll(longer.keySet());
	}

	@Test
	void roomsAreSmall() {
		assertSmall("Rooms", HouseTests::room, MAX_CODE, LARGE_ROOMS);
	}

	@Test
	void modulesAreSmall() {
		assertSmall("Modules", HouseTests::module, MAX_CODE_OF_MODULE, LARGE_MODULES);
	}

	@Test
	void eachModuleStandsInTheTableOfRooms() {
		String page = Sources.text("CONTRIBUTING.md");
		String table = page.substring(page.indexOf("## The rooms"), page.indexOf("## Words"));
		assertThat(Sources.modules()).isNotEmpty()
			.allSatisfy((module) -> assertThat(table).contains("**" + module.toString().substring(3) + "**"));
	}

	private static void assertSmall(String what, Function<Path, String> place, int bound, Map<String, Integer> large) {
		Map<String, Integer> sizes = FILES.stream()
			.collect(Collectors.groupingBy(place, TreeMap::new, Collectors.summingInt(HouseTests::code)));
		Map<String, Integer> larger = new TreeMap<>(sizes);
		larger.values().removeIf((code) -> code <= bound);
		System.out.println(what + ", lines of code: " + sizes);
		System.out.println(what + " above " + bound + ": " + larger);
		System.out.println("Take off the list: " + missing(large.keySet(), larger.keySet()));
		assertThat(larger).as("Split what is new, or has grown")
			.allSatisfy((name, code) -> assertThat(code).as(name).isLessThanOrEqualTo(large.getOrDefault(name, 0)));
	}

}
