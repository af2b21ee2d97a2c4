package io.agenthooks.spring.audit;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import io.agenthooks.spring.EndedProgram;
import io.agenthooks.spring.audit.AuditVerification.Kind;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link AuditVerifier} and {@link AuditTool}.
 */
class AuditVerifierTests {

	@TempDir
	Path directory;

	/**
	 * Each chain has 13 records: start, config, ten calls, stop.
	 */
	@ParameterizedTest(name = "{0}")
	@MethodSource
	void tamperedChainIsNamedExactly(String name, Kind kind, long number, UnaryOperator<List<String>> change)
			throws IOException {
		record(TestAudit.KEY);
		tamper(change);
		assertProblem(TestAudit.verify(this.directory), kind, number);
	}

	static Stream<Arguments> tamperedChainIsNamedExactly() {
		return Stream.of(
				tampering("a character of a record", Kind.CHANGED, 5,
						(lines) -> replace(lines, 4, (line) -> line.replace("read_file", "list_file"))),
				tampering("the time of a record", Kind.CHANGED, 5,
						(lines) -> replace(lines, 4, (line) -> line.replaceFirst("\"time\":\"20", "\"time\":\"19"))),
				tampering("the number of a record", Kind.CHANGED, 5,
						(lines) -> replace(lines, 4, (line) -> line.replace("\"number\":5,", "\"number\":50,"))),
				tampering("the node of a record", Kind.CHANGED, 5,
						(lines) -> replace(lines, 4, (line) -> line.replace("\"node\":\"n1\"", "\"node\":\"n9\""))),
				tampering("the hash of a record", Kind.CHANGED, 5,
						(lines) -> replace(lines, 4, AuditVerifierTests::flipHash)),
				tampering("a blank at the end", Kind.CHANGED, 5, (lines) -> replace(lines, 4, (line) -> line + " ")),
				tampering("the first record", Kind.CHANGED, 1,
						(lines) -> replace(lines, 0, (line) -> line.replace("\"pid\":", "\"pid\":1"))),
				tampering("the last record", Kind.CHANGED, 13,
						(lines) -> replace(lines, 12, (line) -> line.replace("\"written\":12", "\"written\":11"))),
				tampering("a text in the place of a record", Kind.CHANGED, 5,
						(lines) -> replace(lines, 4, (line) -> "nothing to see here")),
				tampering("an empty line", Kind.CHANGED, 5, (lines) -> insert(lines, 4, "")),
				tampering("plain hash in the place of that of a key", Kind.UNPROVED, 5,
						(lines) -> replace(lines, 4, AuditVerifierTests::asPlain)),
				tampering("one removed", Kind.REMOVED, 5, (lines) -> remove(lines, 4, 5)),
				tampering("several removed", Kind.REMOVED, 5, (lines) -> remove(lines, 4, 8)),
				tampering("the first removed", Kind.REMOVED, 1, (lines) -> remove(lines, 0, 1)),
				tampering("two exchanged", Kind.REORDERED, 5, (lines) -> {
					List<String> changed = new ArrayList<>(lines);
					Collections.swap(changed, 4, 5);
					return changed;
				}),
				tampering("one moved to the end", Kind.REORDERED, 5,
						(lines) -> insert(remove(lines, 4, 5), 12, lines.get(4))),
				tampering("one repeated", Kind.ADDED, 5, (lines) -> insert(lines, 5, lines.get(4))),
				tampering("one repeated later", Kind.ADDED, 3, (lines) -> insert(lines, 9, lines.get(2))),
				tampering("the last cut off", Kind.CUT, 13, (lines) -> remove(lines, 12, 13)),
				tampering("half cut off", Kind.CUT, 7, (lines) -> remove(lines, 6, 13)),
				tampering("all cut off", Kind.CUT, 1, (lines) -> List.of()));
	}

	private static Arguments tampering(String name, Kind kind, long number, UnaryOperator<List<String>> change) {
		return Arguments.of(name, kind, number, change);
	}

	private static List<String> replace(List<String> lines, int index, UnaryOperator<String> change) {
		List<String> changed = new ArrayList<>(lines);
		changed.set(index, change.apply(lines.get(index)));
		assertThat(changed).isNotEqualTo(lines);
		return changed;
	}

	private static List<String> insert(List<String> lines, int index, String line) {
		List<String> changed = new ArrayList<>(lines);
		changed.add(index, line);
		return changed;
	}

	private static List<String> remove(List<String> lines, int from, int to) {
		List<String> changed = new ArrayList<>(lines);
		changed.subList(from, to).clear();
		return changed;
	}

	private static String flipHash(String line) {
		int last = line.length() - 3;
		return line.substring(0, last) + ((line.charAt(last) == '0') ? '1' : '0') + "\"}";
	}

	private static String asPlain(String line) {
		SealedLine sealed = Objects.requireNonNull(SealedLine.read(line));
		String body = sealed.body().replace("\"alg\":\"HMAC-SHA256\",\"key\":\"k1\"", "\"alg\":\"SHA-256\"");
		return body.substring(0, body.length() - 1) + ",\"hash\":\"" + AuditKey.none().chain().of(body) + "\"}";
	}

	@Test
	void recordOfAnotherChainWithTheSameKeyIsNamed() throws IOException {
		record(TestAudit.KEY);
		List<String> first = TestAudit.lines(this.directory);
		Path other = Files.createDirectory(this.directory.resolve("other"));
		try (AuditLog log = TestAudit.log(other, "n1")) {
			TestAudit.add(log, 10);
		}
		List<String> second = TestAudit.lines(other);
		tamper((lines) -> Stream.concat(first.subList(0, 6).stream(), second.subList(6, 13).stream()).toList());
		assertProblem(TestAudit.verify(this.directory), Kind.ADDED, 7);
	}

	@Test
	void chainThatWasMadeAgainWithoutAKeyIsMissedByTheAnchorsOnly() throws IOException {
		record(AuditKey.none());
		tamper((lines) -> {
			List<String> again = new ArrayList<>();
			String previous = SealedLine.NOTHING_BEFORE;
			for (String line : lines) {
				SealedLine sealed = Objects.requireNonNull(SealedLine.read(line));
				String body = sealed.body().replace(sealed.previous(), previous).replace("read_file", "list_file");
				previous = AuditKey.none().chain().of(body);
				again.add(body.substring(0, body.length() - 1) + ",\"hash\":\"" + previous + "\"}");
			}
			return again;
		});
		AuditVerification alone = new AuditVerifier().records(this.directory.resolve("audit")).result();
		assertThat(alone.isUnbroken()).isTrue();
		assertThat(alone.toString()).contains("plain SHA-256 without a key").contains("0 anchors, so");
		AuditVerification.Problem problem = TestAudit.verify(this.directory, new AuditVerifier())
			.nodes()
			.get(0)
			.problem();
		assertThat(problem).isNotNull();
		assertThat(problem.kind()).isEqualTo(Kind.CHANGED);
		assertThat(problem.place()).isEqualTo("anchor");
	}

	@Test
	void keyThatWasNotGivenProvesNothing() throws IOException {
		record(TestAudit.KEY);
		assertProblem(new AuditVerifier().records(this.directory.resolve("audit")).result(), Kind.UNKNOWN_KEY, 1);
		assertProblem(
				new AuditVerifier().withKey("k2", TestAudit.SECRET).records(this.directory.resolve("audit")).result(),
				Kind.UNKNOWN_KEY, 1);
		assertProblem(
				new AuditVerifier().withKey("k1", "f".repeat(32)).records(this.directory.resolve("audit")).result(),
				Kind.CHANGED, 1);
	}

	@Test
	void secretThatMayBeAnotherOneIsToldApartFromAChange() throws IOException {
		record(TestAudit.KEY);
		record(AuditKey.of("k2", "f".repeat(32)));
		Path records = this.directory.resolve("audit");
		AuditVerification other = new AuditVerifier().withKey("k1", "0".repeat(32))
			.withKey("k2", "f".repeat(32))
			.records(records)
			.result();
		assertProblem(other, Kind.CHANGED, 1);
		assertThat(other.toString()).contains("or the secret of the key 'k1' is another one");
		tamper((lines) -> replace(lines, 3, (line) -> line.replace("read_file", "list_file")));
		AuditVerification changed = new AuditVerifier().withKey("k1", TestAudit.SECRET).records(records).result();
		assertProblem(changed, Kind.CHANGED, 4);
		assertThat(changed.toString()).doesNotContain("secret");
	}

	@Test
	void keysMayChangeAndComeLater() {
		record(AuditKey.none());
		record(TestAudit.KEY);
		record(AuditKey.of("k2", "f".repeat(32)));
		AuditVerifier verifier = new AuditVerifier().withKey("k1", TestAudit.SECRET).withKey("k2", "f".repeat(32));
		assertProblem(TestAudit.verify(this.directory, verifier), Kind.UNPROVED, 1);
		verifier = new AuditVerifier().withKey("k1", TestAudit.SECRET).withKey("k2", "f".repeat(32)).allowPlain();
		AuditVerification result = TestAudit.verify(this.directory, verifier);
		assertThat(result.isUnbroken()).as(result.toString()).isTrue();
		assertThat(result.nodes().get(0).keyed()).isFalse();
	}

	@Test
	void chainWhoseFirstFilesAreElsewhereIsUnbrokenFromItsStart() throws IOException {
		record(TestAudit.KEY);
		tamper((lines) -> remove(lines, 0, 4));
		assertProblem(TestAudit.verify(this.directory), Kind.REMOVED, 1);
		AuditVerification result = TestAudit.verify(this.directory,
				new AuditVerifier().withKey("k1", TestAudit.SECRET).startingAt("n1", 5));
		assertThat(result.isUnbroken()).as(result.toString()).isTrue();
	}

	@Test
	void keysAfterRecordsAreRefused() throws IOException {
		record(TestAudit.KEY);
		AuditVerifier verifier = new AuditVerifier().records(this.directory.resolve("audit"));
		assertThatIllegalStateException().isThrownBy(() -> verifier.withKey("k1", TestAudit.SECRET));
	}

	@Test
	void forgedAnchorSaysNothing() throws IOException {
		record(TestAudit.KEY);
		Path anchors = this.directory.resolve("anchors/n1.jsonl");
		Files.writeString(anchors, Files.readString(anchors).replace("\"number\":13", "\"number\":99"));
		assertThat(TestAudit.verify(this.directory).isUnbroken()).isTrue();
	}

	/**
	 * Second places that prove nothing.
	 */
	enum SecondPlace {

		MISSING, EMPTY_DIRECTORY, EMPTY_FILE, OTHER_TEXT, OF_ANOTHER_NODE, OF_ANOTHER_KEY, CHANGED, HALF_A_LINE,
		THE_AUDIT_ITSELF;

		Path in(Path directory) throws IOException {
			Path file = directory.resolve("anchors/n1.jsonl");
			String notes = Files.readString(file);
			if (this == THE_AUDIT_ITSELF) {
				return directory.resolve("audit");
			}
			if (this == MISSING || this == EMPTY_DIRECTORY) {
				Files.delete(file);
				return (this == MISSING) ? file : directory.resolve("anchors");
			}
			Files.writeString(file, switch (this) {
				case OTHER_TEXT -> "nothing\n{}\n";
				case OF_ANOTHER_NODE -> anchors(directory, "n2", TestAudit.KEY);
				case OF_ANOTHER_KEY -> anchors(directory, "n1", AuditKey.of("k2", "f".repeat(32)));
				case CHANGED -> notes.replaceAll("\"number\":[0-9]+", "\"number\":7");
				case HALF_A_LINE -> notes.lines().findFirst().orElseThrow();
				default -> "";
			});
			return file;
		}

		private static String anchors(Path directory, String node, AuditKey key) throws IOException {
			Path other = directory.resolve("other");
			try (AuditLog log = TestAudit.log(other, node, key, Clock.systemUTC(), 1_000_000)) {
				TestAudit.add(log, 10);
			}
			return Files.readString(other.resolve("anchors/" + node + ".jsonl"));
		}

	}

	@ParameterizedTest
	@EnumSource
	void secondPlaceThatProvesNothingIsUnprovedAndNeverZero(SecondPlace place) throws IOException {
		record(TestAudit.KEY);
		Path key = Files.writeString(this.directory.resolve("key"), TestAudit.SECRET);
		Path anchors = place.in(this.directory);
		Ended ended = tool("verify", "--key", "k1=" + key, "--anchors", anchors.toString(),
				this.directory.resolve("audit").toString());
		assertThat(ended.output()).contains("UNPROVED").doesNotContain("n1: unbroken");
		assertThat(ended.status()).isEqualTo(1);
		Ended cut = tool("export", "--key", "k1=" + key, "--anchors", anchors.toString(),
				this.directory.resolve("audit").toString());
		assertThat(cut.errors()).contains("UNPROVED");
		assertThat(cut.status()).isEqualTo(1);
	}

	@Test
	void secondPlaceOfOneOfTwoNodesProvesNothingOfTheOther() throws IOException {
		record(TestAudit.KEY);
		try (AuditLog log = TestAudit.log(this.directory, "n2", TestAudit.KEY, Clock.systemUTC(), 1_000_000)) {
			TestAudit.add(log, 10);
		}
		Path key = Files.writeString(this.directory.resolve("key"), TestAudit.SECRET);
		String anchors = this.directory.resolve("anchors").toString();
		String audit = this.directory.resolve("audit").toString();
		assertThat(tool("verify", "--key", "k1=" + key, "--anchors", anchors, audit).status()).isZero();
		Files.delete(this.directory.resolve("anchors/n2.jsonl"));
		for (String[] arguments : new String[][] { { "verify", "--key", "k1=" + key, "--anchors", anchors, audit },
				{ "verify", "--no-anchors", "--key", "k1=" + key, "--anchors", anchors, audit } }) {
			Ended ended = tool(arguments);
			assertThat(ended.output()).contains("UNPROVED").contains("n1: unbroken").doesNotContain("n2: unbroken");
			assertThat(ended.status()).isEqualTo(1);
		}
	}

	@Test
	void withoutASecondPlaceTheEndIsUnprovedUnlessThatIsAccepted() throws IOException {
		record(TestAudit.KEY);
		Path key = Files.writeString(this.directory.resolve("key"), TestAudit.SECRET);
		String audit = this.directory.resolve("audit").toString();
		Ended ended = tool("verify", "--key", "k1=" + key, audit);
		assertThat(ended.output()).contains("UNPROVED", "--anchors", "--no-anchors");
		assertThat(ended.status()).isEqualTo(1);
		assertThat(tool("verify", "--key", "k1=" + key, "--no-anchors", audit).status()).isZero();
	}

	@Test
	void recordsOfAKeyThatWasNotGivenAreUnproved() throws IOException {
		record(TestAudit.KEY);
		Ended ended = tool("verify", "--no-anchors", this.directory.resolve("audit").toString());
		assertThat(ended.output()).contains("UNKNOWN_KEY", "UNPROVED: whether");
		assertThat(ended.status()).isEqualTo(1);
	}

	@Test
	void whatIsChangedIsBrokenAndNotOnlyUnproved() throws IOException {
		record(TestAudit.KEY);
		Path key = Files.writeString(this.directory.resolve("key"), TestAudit.SECRET);
		tamper((lines) -> replace(lines, 3, (line) -> line.replace("read_file", "list_file")));
		Ended ended = tool("verify", "--key", "k1=" + key, this.directory.resolve("audit").toString());
		assertThat(ended.output()).contains("CHANGED").doesNotContain("UNPROVED");
		assertThat(ended.status()).isEqualTo(1);
	}

	@Test
	void toolNeedsNothingButTheJarAndTheJdk() throws Exception {
		record(TestAudit.KEY);
		Path key = Files.writeString(this.directory.resolve("key"), TestAudit.SECRET + "\n");
		String classes = Path.of(AuditTool.class.getProtectionDomain().getCodeSource().getLocation().toURI())
			.toString();
		List<String> verify = List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
				classes, AuditTool.class.getName(), "verify", "--anchors", this.directory.resolve("anchors").toString(),
				"--key", "k1=" + key, this.directory.resolve("audit").toString());
		EndedProgram unbroken = EndedProgram.run(verify);
		assertThat(unbroken.output()).startsWith("node n1: unbroken; 13 records, 13 is the last");
		assertThat(unbroken.status()).isZero();
		tamper((lines) -> remove(lines, 4, 5));
		EndedProgram broken = EndedProgram.run(verify);
		assertThat(broken.output()).startsWith("node n1: REMOVED: record 5 (").contains("missing");
		assertThat(broken.status()).isEqualTo(1);
	}

	@Test
	void exportWritesThePeriodAndWhetherTheChainIsUnbroken() throws IOException {
		record(TestAudit.KEY);
		Path key = Files.writeString(this.directory.resolve("key"), TestAudit.SECRET);
		List<String> lines = TestAudit.lines(this.directory);
		Ended all = tool("export", "--from", "2020-01-01T00:00:00Z", "--key", "k1=" + key,
				this.directory.resolve("audit").toString());
		assertThat(all.output().lines()).containsExactlyElementsOf(lines);
		assertThat(all.errors()).startsWith("node n1: unbroken");
		Ended none = tool("export", "--until", "2020-01-01T00:00:00Z", "--key", "k1=" + key,
				this.directory.resolve("audit").toString());
		assertThat(none.output()).isEmpty();
		assertThat(none.status()).isZero();
	}

	@Test
	void toolSaysHowItIsUsedAndNeverTheSecret() throws IOException {
		Path key = Files.writeString(this.directory.resolve("key"), "short-secret");
		assertThat(tool().errors()).contains("Usage:");
		assertThat(tool("verify").errors()).contains("No file");
		assertThat(tool("verify", "--nothing", "x", "y").errors()).contains("Unknown option --nothing");
		assertThat(tool("export", "--from", "2026-11-22", "x").errors())
			.contains("'2026-11-22' after --from is not a time", "2026-11-22T00:00:00Z");
		assertThat(tool("export", "--until", "today", "x").errors()).contains("'today' after --until is not a time");
		assertThat(tool("verify", "--start", "n1=x", "x").errors()).contains("'x' after --start is not a number",
				"shop-1=52001");
		assertThat(tool("verify", "--key").errors()).contains("No value follows --key");
		assertThat(tool("verify", "--key", "k1", "y").errors()).contains("--key needs a name");
		assertThat(tool("verify", "/does/not/exist").errors()).contains("/does/not/exist");
		Ended weak = tool("verify", "--key", "k1=" + key, "y");
		assertThat(weak.errors()).contains("32 characters").doesNotContain("short-secret");
		assertThat(weak.status()).isEqualTo(2);
		assertThat(tool("verify", Files.createDirectory(this.directory.resolve("empty")).toString()).status())
			.isEqualTo(2);
	}

	private static Ended tool(String... arguments) {
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		ByteArrayOutputStream err = new ByteArrayOutputStream();
		int status = new AuditTool(new PrintStream(out, true, StandardCharsets.UTF_8),
				new PrintStream(err, true, StandardCharsets.UTF_8))
			.run(List.of(arguments));
		return new Ended(status, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
	}

	private void record(AuditKey key) {
		try (AuditLog log = TestAudit.log(this.directory, "n1", key, Clock.systemUTC(), 1_000_000)) {
			TestAudit.add(log, 10);
		}
	}

	private void tamper(UnaryOperator<List<String>> change) throws IOException {
		Path file = TestAudit.files(this.directory).get(0);
		List<String> changed = change.apply(Files.readAllLines(file));
		Files.writeString(file, (changed.isEmpty()) ? "" : String.join("\n", changed) + "\n");
	}

	private static void assertProblem(AuditVerification result, Kind kind, long number) {
		AuditVerification.Problem problem = result.nodes()
			.stream()
			.map(AuditVerification.Node::problem)
			.filter(Objects::nonNull)
			.findFirst()
			.orElseThrow(() -> new AssertionError(result.toString()));
		assertThat(problem.kind()).as(result.toString()).isEqualTo(kind);
		assertThat(problem.number()).as(result.toString()).isEqualTo(number);
		assertThat(result.isUnbroken()).isFalse();
	}

	private record Ended(int status, String output, String errors) {
	}

}
