package io.agenthooks.benchmarks.flow;

import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.FileSystemResource;
import org.springframework.core.io.Resource;

import io.agenthooks.benchmarks.flow.GuardedAgent.Ending;
import io.agenthooks.benchmarks.flow.GuardedAgent.Outcome;

/**
 * Replays recorded runs, each suite guarded by the rules in a YAML file of its name, and
 * prints what became of them.
 *
 * @since 0.1.0
 */
public final class FlowReplay {

	private static final String ROW = "%-12s %8s %12s %9s %9s %7s %7s%n";

	/** By their names, those of each suite. */
	private final Map<String, Map<Outcome, Integer>> figures = new TreeMap<>();

	private final Map<String, Ending> endings = new LinkedHashMap<>();

	private FlowReplay() {
	}

	/**
	 * Print the figures of a file of runs.
	 * @param arguments the file; a directory with the rules, in place of those here; and
	 * before them {@code --all}, to print also each run that was not left alone
	 */
	public static void main(String... arguments) throws IOException {
		boolean all = arguments.length > 0 && arguments[0].equals("--all");
		List<String> paths = List.of(arguments).subList((all) ? 1 : 0, arguments.length);
		if (paths.isEmpty() || paths.size() > 2) {
			throw new IllegalArgumentException("Usage: FlowReplay [--all] RUNS.jsonl [DIRECTORY OF RULES]");
		}
		Function<String, Resource> rules = (suite) -> (paths.size() == 1)
				? new ClassPathResource("flow/" + suite + ".yaml")
				: new FileSystemResource(Path.of(paths.get(1), suite + ".yaml"));
		LoggingSystem.get(FlowReplay.class.getClassLoader()).setLogLevel(LoggingSystem.ROOT_LOGGER_NAME, LogLevel.WARN);
		FlowReplay replay = of(RecordedRun.readAll(Path.of(paths.get(0))), rules);
		replay.print(all);
	}

	static FlowReplay of(List<RecordedRun> runs, Function<String, Resource> rules) throws IOException {
		FlowReplay replay = new FlowReplay();
		for (String suite : runs.stream().map(RecordedRun::suite).distinct().toList()) {
			try (GuardedAgent agent = new GuardedAgent(rules.apply(suite))) {
				runs.stream().filter((run) -> run.suite().equals(suite)).forEach((run) -> {
					Ending ending = agent.replay(run);
					replay.endings.put(run.name(), ending);
					replay.figures.computeIfAbsent(suite, (name) -> new EnumMap<>(Outcome.class))
						.merge(ending.outcome(), 1, Integer::sum);
				});
			}
		}
		return replay;
	}

	/** How each run ended, by its name. */
	Map<String, Ending> endings() {
		return this.endings;
	}

	/** How many runs of a suite ended so. */
	int count(String suite, Outcome outcome) {
		return this.figures.getOrDefault(suite, Map.of()).getOrDefault(outcome, 0);
	}

	private int count(Outcome outcome) {
		return this.figures.keySet().stream().mapToInt((suite) -> count(suite, outcome)).sum();
	}

	private void print(boolean all) {
		if (all) {
			this.endings.forEach((run, ending) -> {
				if (ending.outcome() == Outcome.ASKED || ending.outcome() == Outcome.BROKEN
						|| ending.outcome() == Outcome.LET_THROUGH) {
					System.out.printf("%s: %s %s%n", run, ending.outcome(), ending.details());
				}
			});
		}
		System.out.printf(ROW, "", "stopped", "let through", "untouched", "asked", "broken", "benign");
		this.figures.keySet().forEach((suite) -> printRow(suite, (outcome) -> count(suite, outcome)));
		printRow("in all", this::count);
	}

	private static void printRow(String name, Function<Outcome, Integer> count) {
		int untouched = count.apply(Outcome.UNTOUCHED);
		int asked = count.apply(Outcome.ASKED);
		int broken = count.apply(Outcome.BROKEN);
		System.out.printf(ROW, name, count.apply(Outcome.STOPPED), count.apply(Outcome.LET_THROUGH), untouched, asked,
				broken, untouched + asked + broken);
	}

}
