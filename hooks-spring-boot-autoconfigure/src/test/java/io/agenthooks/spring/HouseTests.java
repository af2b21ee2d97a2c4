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
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The house can be held in mind: names, files and rooms. What is an exception today may
 * only become less.
 */
class HouseTests {

	private static final int MAX_LINES = 400;

	private static final int MAX_CODE = 2_500;

	/** The same role for two frameworks, in rooms of which a test imports one. */
	private static final Set<String> TWINS = Set.of("ScriptedChatModel");

	/** Files that are longer. Take off what no longer is, and add none. */
	private static final Set<String> LONG_FILES = Set.of("CelTranslation", "HooksObservationDocumentation", "JsonText",
			"Nfa", "Passage", "PolicyToolHook", "ProcessConnection", "Redactor", "RegexParser", "Ruling", "SharedSlots",
			"ToolCallHooksProperties", "ToolDecision", "ToolHookChain", "ValueRedactor", "YamlText");

	/** Rooms that are larger, with the lines of code that they may have. */
	private static final Map<String, Integer> LARGE_ROOMS = Map.ofEntries(Map.entry("io.agenthooks.chain", 2_600),
			Map.entry("io.agenthooks.pattern", 2_600), Map.entry("io.agenthooks.policy", 2_600),
			Map.entry("io.agenthooks.redact", 3_900), Map.entry("io.agenthooks.spring.ai", 4_700),
			Map.entry("io.agenthooks.spring.approval", 5_700), Map.entry("io.agenthooks.spring.assembly", 3_400),
			Map.entry("io.agenthooks.spring.audit", 3_000), Map.entry("io.agenthooks.spring.binding", 2_900),
			Map.entry("io.agenthooks.spring.langchain4j", 2_900), Map.entry("io.agenthooks.spring.limit", 4_600),
			Map.entry("io.agenthooks.spring.policy", 4_100));

	private static final List<Path> FILES = files();

	private static List<Path> files() {
		try (Stream<Path> modules = Files.list(Path.of(".."))) {
			return modules.map((module) -> module.resolve("src/main/java"))
				.filter(Files::isDirectory)
				.flatMap((folder) -> walk(folder).stream())
				.filter((file) -> file.toString().endsWith(".java") && !file.endsWith("package-info.java"))
				.toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static List<Path> walk(Path folder) {
		try (Stream<Path> files = Files.walk(folder)) {
			return files.toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String name(Path file) {
		return file.getFileName().toString().replace(".java", "");
	}

	private static String room(Path file) {
		String path = file.toString().replace('\\', '/');
		return path.substring(path.indexOf("src/main/java/") + "src/main/java/".length(), path.lastIndexOf('/'))
			.replace('/', '.');
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
	void eachRoomStandsInTheTableOfRooms() throws IOException {
		String page = Files.readString(Path.of("../CONTRIBUTING.md"));
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
		Map<String, Integer> rooms = FILES.stream()
			.collect(Collectors.groupingBy(HouseTests::room, TreeMap::new, Collectors.summingInt(HouseTests::code)));
		Map<String, Integer> larger = new TreeMap<>(rooms);
		larger.values().removeIf((code) -> code <= MAX_CODE);
		System.out.println("Rooms above " + MAX_CODE + " lines of code: " + larger);
		System.out.println("Take off the list: " + missing(LARGE_ROOMS.keySet(), larger.keySet()));
		assertThat(larger).as("Split what is new, or has grown")
			.allSatisfy(
					(room, code) -> assertThat(code).as(room).isLessThanOrEqualTo(LARGE_ROOMS.getOrDefault(room, 0)));
	}

}
