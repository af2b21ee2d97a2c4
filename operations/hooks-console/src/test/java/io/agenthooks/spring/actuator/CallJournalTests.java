package io.agenthooks.spring.actuator;

import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.util.unit.DataSize;

import io.agenthooks.CallContext;
import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.spring.ToolHooks;
import io.agenthooks.spring.outcome.AskedHook;
import io.agenthooks.spring.outcome.AskedHooks;
import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolIdentity;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link CallJournal}, {@link JournalEntry}, {@link CallWriter},
 * {@link JournalConfig} and {@link AskedHooks}.
 */
class CallJournalTests {

	private final AskedHooks asked = new AskedHooks();

	/** A hundred thousand lines about denied calls that nobody reads. */
	private final Logger denials = (Logger) LoggerFactory.getLogger("io.agenthooks.denials");

	@BeforeEach
	void silenceDenials() {
		this.denials.setLevel(Level.OFF);
	}

	@AfterEach
	void restoreDenials() {
		this.denials.setLevel(null);
	}

	@Test
	void inventedNamesLeaveTheJournalBounded() {
		CallJournal journal = journal(1_000, DataSize.ofKilobytes(512));
		ToolHookChain chain = new ToolHookChain(List.of(), List.of(journal));
		String text = "x".repeat(300);
		for (int i = 0; i < 100_000; i++) {
			chain.execute(ToolCall.of("invented_" + i + text, Map.of("note", text), CallContext.ofSession(text + i)),
					(call) -> ToolResult.success(text));
		}
		List<JournalEntry> entries = journal.entries();
		assertThat(entries).hasSizeLessThan(1_000).isNotEmpty();
		assertThat(journal.bytes()).isLessThanOrEqualTo(DataSize.ofKilobytes(512).toBytes())
			.isEqualTo(entries.stream().mapToLong(JournalEntry::weight).sum());
		assertThat(journal.dropped(entries)).isEqualTo(100_000 - entries.size());
		assertThat(entries.get(0).tool().name()).startsWith("invented_99999").hasSizeLessThan(300);
		assertThat(entries).isSortedAccordingTo((one, other) -> Long.compare(other.number(), one.number()));
	}

	@Test
	void callsOfManyThreadsAreAllThereOrCounted() throws Exception {
		CallJournal journal = journal(500, DataSize.ofKilobytes(128));
		ToolHookChain chain = new ToolHookChain(List.of(), List.of(journal));
		ExecutorService threads = Executors.newFixedThreadPool(8);
		List<Future<?>> ends = new ArrayList<>();
		for (int thread = 0; thread < 8; thread++) {
			ends.add(threads.submit(() -> {
				for (int i = 0; i < 5_000; i++) {
					chain.execute(ToolCall.of("read", Map.of("n", i)), (call) -> ToolResult.success(""));
				}
			}));
		}
		for (Future<?> end : ends) {
			end.get(1, TimeUnit.MINUTES);
		}
		threads.shutdown();
		List<JournalEntry> entries = journal.entries();
		assertThat(journal.dropped(entries) + entries.size()).isEqualTo(40_000);
		assertThat(journal.bytes()).isEqualTo(entries.stream().mapToLong(JournalEntry::weight).sum())
			.isLessThanOrEqualTo(DataSize.ofKilobytes(128).toBytes());
		assertThat(entries).extracting(JournalEntry::number).doesNotHaveDuplicates();
	}

	@Test
	void newestCallsStayWhenThereIsRoomForFew() {
		CallJournal journal = journal(3, DataSize.ofMegabytes(1));
		ToolHookChain chain = new ToolHookChain(List.of(), List.of(journal));
		for (int i = 0; i < 10; i++) {
			chain.execute(ToolCall.of("read_" + i, Map.of()), (call) -> ToolResult.success(""));
		}
		assertThat(journal.entries()).extracting((entry) -> entry.tool().name())
			.containsExactly("read_9", "read_8", "read_7");
	}

	@Test
	void argumentsThatAreTooLargeAreNotKept() {
		CallJournal journal = journal(10, DataSize.ofMegabytes(1));
		ToolHookChain chain = new ToolHookChain(List.of(), List.of(journal));
		List<Integer> many = new ArrayList<>();
		for (int i = 0; i < 10_000; i++) {
			many.add(i);
		}
		Map<String, Object> names = new HashMap<>();
		for (int i = 0; i < 5_000; i++) {
			names.put("name_" + i, 1);
		}
		for (Map<String, ?> arguments : List.of(Map.of("a", "x".repeat(JournalEntry.MAX_ARGUMENTS)), Map.of("a", many),
				Map.of("a", names))) {
			chain.execute(ToolCall.of("write", arguments), (call) -> ToolResult.success(""));
		}
		CallWriter.Written writer = writer().begin();
		assertThat(journal.entries()).hasSize(3)
			.allSatisfy((entry) -> assertThat(entry.arguments()).isNull())
			.allSatisfy((entry) -> assertThat(writer.write(entry)).containsEntry("arguments", CallWriter.TOO_LARGE));
	}

	@Test
	void reasonAndArgumentsAreShownWithoutSecrets() {
		CallJournal journal = journal(10, DataSize.ofMegabytes(1));
		String secret = "sk-proj-Ab1Cd2Ef3Gh4Ij5Kl6Mn7Op8Qr9St0Uv1Wx2Yz3";
		PreToolHook quoting = (call) -> ToolDecision.deny("not with api_key=" + secret);
		ToolHookChain chain = new ToolHookChain(List.of(quoting), List.of(journal));
		chain.execute(ToolCall.of("send", Map.of("api_key", secret)), (call) -> ToolResult.success(""));
		assertThat(writer().begin().write(journal.entries().get(0)).toString()).doesNotContain(secret);
		assertThat(journal.entries().get(0).toString()).doesNotContain(secret);
	}

	@Test
	void nullAndServerOfAToolAreShown() {
		CallJournal journal = journal(10, DataSize.ofMegabytes(1));
		ToolHookChain chain = new ToolHookChain(List.of(), List.of(journal));
		Map<String, @Nullable Object> arguments = new LinkedHashMap<>();
		arguments.put("path", null);
		chain.execute(ToolCall.of("c1", ToolIdentity.onServer("files", "read-file", "alt_1_read_file"), arguments,
				CallContext.empty()), (call) -> ToolResult.success(""));
		assertThat(writer().begin().write(journal.entries().get(0))).containsEntry("tool", "alt_1_read_file")
			.containsEntry("server", "files")
			.containsEntry("server_tool", "read-file")
			.containsEntry("arguments", arguments);
	}

	@Test
	void hooksThatWereAskedAreReadByEveryReader() {
		this.asked.readBy("one", List.of(ToolCall.class));
		this.asked.readBy("other", List.of(ToolCall.class));
		List<List<AskedHook>> read = new ArrayList<>();
		PostToolHook one = (outcome) -> read.add(this.asked.ofThisCall());
		PostToolHook other = (outcome) -> read.add(this.asked.ofThisCall());
		execute(List.of(PreToolHook.named("rules", (call) -> ToolDecision.approve()),
				PreToolHook.named("one", (call) -> ToolDecision.approve())), List.of(one, other));
		assertThat(read).hasSize(2)
			.allSatisfy((hooks) -> assertThat(hooks).extracting(AskedHook::name).containsExactly("rules"));
		assertThat(this.asked.ofThisCall()).isEmpty();
	}

	@Test
	void hooksThatNobodyReadsAreNotNoted() {
		List<List<AskedHook>> read = new ArrayList<>();
		PostToolHook post = (outcome) -> read.add(this.asked.ofThisCall());
		execute(List.of(PreToolHook.named("rules", (call) -> ToolDecision.approve())), List.of(post));
		assertThat(read).containsExactly(List.of());
	}

	private void execute(List<PreToolHook> hooks, List<PostToolHook> learning) {
		ToolHookChain chain = new ToolHookChain(hooks, learning);
		chain.setWatches(List.of(this.asked));
		chain.execute(ToolCall.of("read", Map.of()), (call) -> ToolResult.success("done"));
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, -1, 100_001 })
	void numberOfCallsThatIsOutOfRangeIsAMistake(int calls) {
		assertThatExceptionOfType(InvalidHookConfigException.class).isThrownBy(() -> new JournalConfig(calls, null));
	}

	@ParameterizedTest
	@ValueSource(longs = { 0, 1_000, 2_000_000_000L })
	void sizeThatIsOutOfRangeIsAMistake(long bytes) {
		assertThatExceptionOfType(InvalidHookConfigException.class)
			.isThrownBy(() -> new JournalConfig(null, DataSize.ofBytes(bytes)));
	}

	private CallJournal journal(int calls, DataSize size) {
		return new CallJournal(new JournalConfig(calls, size), this.asked, Clock.systemUTC());
	}

	private static CallWriter writer() {
		return new CallWriter(new DefaultListableBeanFactory().getBeanProvider(ToolHooks.class));
	}

}
