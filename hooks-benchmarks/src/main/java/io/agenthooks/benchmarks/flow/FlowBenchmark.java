package io.agenthooks.benchmarks.flow;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

import io.agenthooks.CallContext;
import io.agenthooks.flow.Conversation;
import io.agenthooks.flow.FlowRules;
import io.agenthooks.flow.FlowRules.Sink;
import io.agenthooks.flow.FlowRules.Source;
import io.agenthooks.flow.FlowToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolCallStatus;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolOutcome;
import io.agenthooks.toolcall.ToolResult;

/**
 * The cost of a rule on the flow of data: of reading what tools return, a megabyte in
 * each run, beside the words of the same texts in a set; and of deciding about a call
 * after it.
 */
public final class FlowBenchmark {

	private static final int MEGABYTE = 1024 * 1024;

	private static final String IBAN = "GB29 NWBK 6016 1331 9268 19";

	private static final String PROMPT = "Please look through my mails of this week, and see what Ada wrote about the "
			+ "dinner. Then pay her the 50 EUR that I owe her: the account is " + IBAN + ". Tell ada@example.org and "
			+ "bob@example.org that it is done, and put the page https://example.org/news into my list.";

	private FlowBenchmark() {
	}

	static FlowToolHook hook() {
		List<Sink> sinks = List.of(
				new Sink((tool) -> tool.isNamed("send_money"),
						Map.of("recipient", List.of(Source.user(), Source.trusted()), "amount",
								List.of(Source.user()))),
				new Sink((tool) -> tool.isNamed("send_email"),
						Map.of("to", List.of(Source.user(), Source.trusted(), Source.list(List.of("*@example.com"))))));
		return new FlowToolHook("flow",
				new FlowRules((tool) -> tool.isNamed("read_mail"), (tool) -> tool.isNamed("lookup_customer"),
						(tool) -> false, sinks, false, false, FlowRules.DEFAULT_MAX_RUNS),
				null);
	}

	static ToolOutcome outcome(ToolCall call, String result) {
		return ToolOutcome.of(call, ToolCallStatus.SUCCEEDED, ToolResult.success(result), null, Duration.ofNanos(1));
	}

	/**
	 * Results of tools are read.
	 */
	@State(Scope.Benchmark)
	@BenchmarkMode(Mode.AverageTime)
	@OutputTimeUnit(TimeUnit.MICROSECONDS)
	@Fork(1)
	@Warmup(iterations = 3, time = 1)
	@Measurement(iterations = 5, time = 1)
	public static class Reading {

		/** The content of the results. */
		@Param
		public Content content = Content.PROSE;

		/** How long a result is; there are as many as make a megabyte. */
		@Param({ "1", "16", "1024" })
		public int kilobytes = 1;

		private final FlowToolHook hook = hook();

		private List<String> results = List.of();

		private int run;

		/**
		 * Make the results.
		 */
		@Setup
		public void makeResults() {
			this.results = this.content.texts(MEGABYTE / 1024 / this.kilobytes, 1024 * this.kilobytes);
		}

		/**
		 * Ask the hook about a run that reads a megabyte, most of which is more than it
		 * remembers.
		 * @return the hook, so that it is used
		 */
		@Benchmark
		public FlowToolHook megabyte() {
			read(this.results);
			return this.hook;
		}

		private void read(List<String> texts) {
			CallContext context = CallContext.empty().withRunId("run-" + this.run++);
			Conversation.ofUser(PROMPT).execute(() -> {
				for (String text : texts) {
					ToolCall call = ToolCall.of("read_mail", Map.of(), context);
					this.hook.preCall(call);
					this.hook.postCall(outcome(call, text));
				}
				return null;
			});
		}

	}

	/**
	 * Calls are decided about after a megabyte of results has been read.
	 */
	@State(Scope.Benchmark)
	@BenchmarkMode(Mode.AverageTime)
	@OutputTimeUnit(TimeUnit.MICROSECONDS)
	@Fork(1)
	@Warmup(iterations = 3, time = 1)
	@Measurement(iterations = 5, time = 1)
	public static class Deciding {

		/** The call. */
		@Param
		public Sent sent = Sent.NAMED_BY_USER;

		private final FlowToolHook hook = hook();

		private @Nullable ToolCall call;

		/**
		 * Read the results, and make the call.
		 */
		@Setup
		public void readResults() {
			CallContext context = CallContext.empty().withRunId("run");
			Conversation.ofUser(PROMPT).execute(() -> {
				for (String result : Content.MAILS.texts(256, 4096)) {
					read("read_mail", result, context);
				}
				return null;
			});
			this.call = this.sent.call(context);
		}

		private void read(String tool, String result, CallContext context) {
			ToolCall read = ToolCall.of(tool, Map.of(), context);
			this.hook.preCall(read);
			this.hook.postCall(outcome(read, result));
		}

		/**
		 * The decision, as the first one after an answer of the model: the prompt is read
		 * as well.
		 * @return the decision, so that it is used
		 */
		@Benchmark
		public ToolDecision decide() {
			ToolCall made = Objects.requireNonNull(this.call);
			return Objects.requireNonNull(Conversation.ofUser(PROMPT).execute(() -> this.hook.preCall(made)));
		}

	}

	/** The content of a result. */
	public enum Content {

		/** Words. */
		PROSE,

		/** Mails, with addresses, amounts, dates and links. */
		MAILS,

		/** Records of JSON. */
		JSON,

		/** Mails as a text of JSON. */
		MAILS_IN_JSON,

		/** Words, of which each third has a letter that is not ASCII. */
		ACCENTS;

		private static final List<String> WORDS = List.of("the", "of", "and", "meeting", "is", "about", "Tuesday",
				"please", "we", "dinner", "which", "account", "have", "been", "not", "quarter", "report", "yesterday",
				"customer", "don't", "price", "it", "moved", "again");

		private static final int SEED = 19;

		/** Texts of one length, of which no two are the same. */
		List<String> texts(int count, int length) {
			List<String> texts = new ArrayList<>();
			int number = SEED;
			for (int i = 0; i < count; i++) {
				StringBuilder text = new StringBuilder(length + 256);
				while (text.length() < length) {
					number = number * 1_103_515_245 + 12_345;
					text.append(piece((number >>> 8) & 0xFFFF));
				}
				texts.add(text.substring(0, length));
			}
			return texts;
		}

		private String piece(int number) {
			String word = WORDS.get(number % WORDS.size());
			return switch (this) {
				case PROSE -> word + ((number % 17 == 0) ? ". " : " ");
				case ACCENTS -> word + ((number % 3 == 0) ? "\u00E9e " : " ");
				case MAILS_IN_JSON -> MAILS.piece(number).replace("\n", "\\n");
				case MAILS -> (number % 4 != 0) ? word + " " + WORDS.get(number / 7 % WORDS.size()) + " "
						: switch (number / 4 % 5) {
							case 0 -> "\nFrom: %s %d <%s.%d@mail.example.org>\n".formatted(word, number, word, number);
							case 1 -> "%d.%02d EUR ".formatted(number, number % 100);
							case 2 ->
								"https://shop%d.example.org/orders/%d?from=%s ".formatted(number % 100, number, word);
							case 3 ->
								"2026-%02d-%02d, 14:%02d. ".formatted(1 + number % 12, 1 + number % 28, number % 60);
							default -> "GB%02d NWBK %04d %04d 9268 19 ".formatted(number % 100, number % 10_000,
									number % 9973);
						};
				case JSON -> "{\"id\":%d,\"name\":\"%s\",\"email\":\"%s%d@example.org\",\"amount\":%d.5,\"open\":true},"
					.formatted(number, word, word, number, number);
			};
		}

	}

	/**
	 * A call of a sink.
	 */
	public enum Sent {

		/** No sink, which is what most calls are. */
		NO_SINK,

		/** Account and amount of the prompt. */
		NAMED_BY_USER,

		/** An account of which nobody knows: all results are searched. */
		FROM_NOBODY,

		/** Ten addresses, of which the last one is from nobody. */
		TEN_ADDRESSES;

		ToolCall call(CallContext context) {
			return switch (this) {
				case NO_SINK -> ToolCall.of("get_time", Map.of("zone", "UTC"), context);
				case NAMED_BY_USER ->
					ToolCall.of("send_money", Map.of("recipient", "GB29NWBK60161331926819", "amount", 50.0), context);
				case FROM_NOBODY ->
					ToolCall.of("send_money", Map.of("recipient", "US133000000121212121212", "amount", 50.0), context);
				case TEN_ADDRESSES -> ToolCall.of("send_email",
						Map.of("to",
								List.of("ada@example.org", "bob@example.org", "Ada <ada@example.org>", "c@example.com",
										"d@example.com", "e@example.com", "f@example.com", "g@example.com",
										"h@example.com", "mallory@evil.example")),
						context);
			};
		}

	}

}
