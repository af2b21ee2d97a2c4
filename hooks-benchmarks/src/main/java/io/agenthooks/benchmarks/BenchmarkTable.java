package io.agenthooks.benchmarks;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * The one table of the benchmarks: measures each row and prints it in Markdown, with the
 * ratio to another row of the same run and the ratio that it should not exceed.
 *
 * @since 0.1.0
 */
public final class BenchmarkTable {

	private static final List<Row> ROWS = List.of(
	// @formatter:off
			new Row("Tool, called directly", "Chain.direct", Map.of("hooks", "0")),
			new Row("Chain without hooks", "Chain.approved", Map.of("hooks", "0")),
			new Row("Chain, 1 hook approves", "Chain.approved", Map.of("hooks", "1")),
			new Row("Chain, 3 hooks approve", "Chain.approved", Map.of("hooks", "3")),
			new Row("Chain, 10 hooks for other tools", "Chain.unmatched", Map.of("hooks", "10")),
			new Row("Spring AI, bare", "SpringAi.bare", Map.of()),
			new Row("Spring AI, guarded, 3 hooks", "SpringAi.guarded", Map.of()).against("Spring AI, bare", 1.6),
			new Row("LangChain4j, bare", "LangChain4j.call", Map.of("guarded", "false")),
			new Row("LangChain4j, guarded, 3 hooks", "LangChain4j.call", Map.of("guarded", "true"))
				.against("LangChain4j, bare", 3),
			new Row("Policy, 4 patterns, 1 KB", "Policy.policy", Map.of("patterns", "4", "length", "1024")),
			new Row("Policy, 1,000 patterns, 1 KB", "Policy.policy", Map.of("patterns", "1000", "length", "1024"))
				.against("Policy, 4 patterns, 1 KB", 2),
			new Row("RE2/J, 1,000 patterns in a loop, 1 KB", "Policy.re2Loop",
					Map.of("patterns", "1000", "length", "1024")).against("Policy, 1,000 patterns, 1 KB", null),
			new Row("Policy, `(a+)+$` against 100 KB made for it", "Hostile.policy", Map.of("hostile", "NESTED_PLUS")),
			new Row("10 conditions in Java", "Rule.javaHook", Map.of("rules", "10")),
			new Row("10 conditions in CEL", "Rule.policy", Map.of("rules", "10")).against("10 conditions in Java", null),
			new Row("Condition `args.a == 'x'`", "Thing.policy", Map.of("reads", "TEXT")),
			new Row("Condition with `mails(args.a)`", "Thing.policy", Map.of("reads", "MAILS"))
				.against("Condition `args.a == 'x'`", null),
			new Row("Condition with `url(args.a)`", "Thing.policy", Map.of("reads", "URL"))
				.against("Condition `args.a == 'x'`", null),
			new Row("Condition with `path(args.a)`", "Thing.policy", Map.of("reads", "PATH"))
				.against("Condition `args.a == 'x'`", null),
			new Row("Condition with `words(args.a)`", "Thing.policy", Map.of("reads", "WORDS"))
				.against("Condition `args.a == 'x'`", null),
			new Row("Condition with `money(args.a)`", "Thing.policy", Map.of("reads", "MONEY"))
				.against("Condition `args.a == 'x'`", null),
			new Row("Redaction, 1 KB without secrets", "Redact.redact", Map.of("content", "CLEAN_1KB")),
			new Row("Redaction, 1 KB with 20 secrets", "Redact.redact", Map.of("content", "HITS_1KB")),
			new Row("One key of a map, 8 threads", "Limit.compute", Map.of()),
			new Row("Call of an application, 8 threads", "Limit.unlimited", Map.of()),
			new Row("The same with a limit, one key", "Limit.limited", Map.of())
				.against("Call of an application, 8 threads", null),
			new Row("Chain, 1 hook, no metrics", "Metrics.withoutMetrics", Map.of()),
			new Row("The same with all timers", "Metrics.withAllMetrics", Map.of())
				.against("Chain, 1 hook, no metrics", null),
			new Row("Call of an application, 1 hook", "Visibility.oneThread", Map.of("seenBy", "nothing")),
			new Row("The same, audited to a file", "Visibility.oneThread", Map.of("seenBy", "auditFile"))
				.against("Call of an application, 1 hook", null),
			new Row("The same, observed", "Visibility.oneThread", Map.of("seenBy", "observation"))
				.against("Call of an application, 1 hook", null),
			new Row("Flow, to read a megabyte of mails in results of 16 KB", "FlowBenchmark.Reading.megabyte",
					Map.of("content", "MAILS", "kilobytes", "16")),
			new Row("Flow, a call after it, named by the user", "FlowBenchmark.Deciding.decide",
					Map.of("sent", "NAMED_BY_USER")),
			new Row("Line to a program that runs, and back", "Process.rawPipe", Map.of()),
			new Row("Process hook with the same program", "Process.hook", Map.of())
				.against("Line to a program that runs, and back", 2),
			new Row("Program, started and read", "Command.bareSpawn", Map.of()),
			new Row("Command hook with the same program", "Command.hook", Map.of())
				.against("Program, started and read", 1.2));
			// @formatter:on

	private BenchmarkTable() {
	}

	/**
	 * Measure all rows, or those whose label contains a text, and print the table.
	 * @param args texts that labels contain, if any
	 * @throws RunnerException if a benchmark fails
	 */
	public static void main(String[] args) throws RunnerException {
		Map<String, RunResult> results = new LinkedHashMap<>();
		List<Row> rows = rows(args);
		for (Row row : rows) {
			RunResult result = measure(row);
			results.put(row.label(), result);
			System.err.println(line(row, results));
		}
		System.out.println("| | time | memory of a call | ratio | goal |");
		System.out.println("|---|---|---|---|---|");
		rows.forEach((row) -> System.out.println(line(row, results)));
	}

	/** The rows that are asked for, and those that they are compared with. */
	private static List<Row> rows(String[] texts) {
		List<Row> asked = new ArrayList<>();
		for (Row row : ROWS) {
			boolean wanted = texts.length == 0 || List.of(texts).stream().anyMatch(row.label()::contains);
			if (wanted) {
				ROWS.stream()
					.filter((other) -> other.label().equals(row.base()) && !asked.contains(other))
					.forEach(asked::add);
				if (!asked.contains(row)) {
					asked.add(row);
				}
			}
		}
		return asked;
	}

	private static RunResult measure(Row row) throws RunnerException {
		var options = new OptionsBuilder().include(row.pattern())
			.shouldFailOnError(true)
			.addProfiler(GCProfiler.class)
			.verbosity(VerboseMode.SILENT);
		row.params().forEach(options::param);
		Options built = options.build();
		Collection<RunResult> found = new Runner(built).run();
		if (found.size() != 1) {
			throw new IllegalStateException("%d benchmarks are for the row '%s'".formatted(found.size(), row.label()));
		}
		return found.iterator().next();
	}

	private static String line(Row row, Map<String, RunResult> results) {
		RunResult measured = result(row.label(), results);
		String ratio = "";
		if (row.base() != null) {
			ratio = String.format(Locale.ROOT, "%.2f", nanos(measured) / nanos(result(row.base(), results)));
		}
		return "| %s | %s | %s | %s | %s |".formatted(row.label(), time(nanos(measured)), memory(measured), ratio,
				(row.goal() != null) ? "<= " + row.goal() : "");
	}

	private static RunResult result(String label, Map<String, RunResult> results) {
		RunResult result = results.get(label);
		if (result == null) {
			throw new IllegalStateException("Nothing was measured for the row '%s'".formatted(label));
		}
		return result;
	}

	/** The time of one operation. A single shot counts all its operations as one. */
	private static double nanos(RunResult result) {
		BenchmarkParams params = result.getParams();
		return result.getPrimaryResult().getScore() * TimeUnit.NANOSECONDS.convert(1, params.getTimeUnit());
	}

	private static String time(double nanos) {
		if (nanos < 1_000) {
			return String.format(Locale.ROOT, "%.1f ns", nanos);
		}
		return (nanos < 1_000_000) ? String.format(Locale.ROOT, "%.2f us", nanos / 1_000)
				: String.format(Locale.ROOT, "%.2f ms", nanos / 1_000_000);
	}

	private static String memory(RunResult result) {
		Result<?> allocated = result.getSecondaryResults().get("gc.alloc.rate.norm");
		return (allocated != null) ? String.format(Locale.ROOT, "%,.0f B", allocated.getScore()) : "";
	}

	/**
	 * A row of the table.
	 *
	 * @param label the text of the row
	 * @param benchmark the end of the class' name, without {@code Benchmark}, and the
	 * method
	 * @param params the parameters of the benchmark
	 * @param base the label of the row that it is compared with, or {@code null}
	 * @param goal the ratio that it should not exceed, or {@code null}
	 */
	private record Row(String label, String benchmark, Map<String, String> params, @Nullable String base,
			@Nullable Double goal) {

		private Row(String label, String benchmark, Map<String, String> params) {
			this(label, benchmark, params, null, null);
		}

		private Row against(String base, @Nullable Double goal) {
			return new Row(this.label, this.benchmark, this.params, base, goal);
		}

		private Row against(String base, int goal) {
			return against(base, (double) goal);
		}

		/** The regular expression of the one method. */
		private String pattern() {
			int dot = this.benchmark.lastIndexOf('.');
			String type = this.benchmark.substring(0, dot);
			String name = (type.contains("Benchmark")) ? type : type + "Benchmark";
			return "\\." + name.replace(".", "\\.") + "\\." + this.benchmark.substring(dot + 1) + "$";
		}

	}

}
