package io.agenthooks.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import io.agenthooks.CallContext;
import io.agenthooks.spring.limit.LimitHooksAutoConfiguration;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolCallAbortedException;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolResult;

/**
 * Replays recorded runs of agents through a chain with a hook of type {@code loop}, to
 * find out how often it takes honest work for a loop. A recording is a list of runs in
 * JSON, each with its messages in {@code traj}, as those of tau-bench. Recordings are
 * read where they are, and never part of this project.
 */
public final class LoopReplay {

	/** The beginning of results of tau-bench if the tool failed. */
	private static final String FAILED = "Error";

	private LoopReplay() {
	}

	/**
	 * Replay a recording.
	 * @param args the file; then options of the hook, as {@code repeats.warn=3}, in place
	 * of its defaults
	 * @throws IOException if the file cannot be read
	 */
	public static void main(String[] args) throws IOException {
		if (args.length == 0) {
			throw new IllegalArgumentException("Name a recording, such as gpt-4o-airline.json");
		}
		Map<String, Object> options = new LinkedHashMap<>();
		for (int i = 1; i < args.length; i++) {
			String[] option = args[i].split("=", 2);
			options.put(option[0], (option.length == 2) ? option[1] : "");
		}
		System.out.println(replay(Path.of(args[0]), options));
	}

	static Report replay(Path recording, Map<String, Object> options) throws IOException {
		Map<String, Object> entry = new HashMap<>(Map.of("type", "loop"));
		options.forEach((name, value) -> entry.put("config." + name, value));
		JsonNode runs = JsonMapper.shared().readTree(Files.readAllBytes(recording));
		int calls = 0;
		List<Integer> flagged = new ArrayList<>();
		try (HookedApplication application = new HookedApplication(entry, LimitHooksAutoConfiguration.class)) {
			for (int run = 0; run < runs.size(); run++) {
				List<Recorded> recorded = calls(runs.get(run).get("traj"));
				calls += recorded.size();
				for (Recorded call : recorded) {
					if (isFlagged(application.chain(), "run " + run, call)) {
						flagged.add(run);
					}
				}
			}
		}
		return new Report(runs.size(), calls, flagged.size(), flagged.stream().distinct().toList());
	}

	private static List<Recorded> calls(JsonNode messages) {
		Map<String, JsonNode> asked = new LinkedHashMap<>();
		List<Recorded> calls = new ArrayList<>();
		for (JsonNode message : messages) {
			for (JsonNode call : message.path("tool_calls")) {
				asked.put(call.get("id").asString(), call.get("function"));
			}
			if (message.get("role").asString().equals("tool")) {
				JsonNode function = asked.remove(message.get("tool_call_id").asString());
				if (function == null) {
					throw new IllegalArgumentException("A result in the recording is of no call");
				}
				calls.add(Recorded.of(function, message.get("content").asString()));
			}
		}
		if (!asked.isEmpty()) {
			throw new IllegalArgumentException("A call in the recording has no result");
		}
		return calls;
	}

	private static boolean isFlagged(ToolHookChain chain, String run, Recorded recorded) {
		ToolCall call = ToolCall.of(recorded.tool(), recorded.arguments(), CallContext.ofSession(run).withRunId(run));
		ToolResult result = (recorded.result().startsWith(FAILED)) ? ToolResult.failure(recorded.result())
				: ToolResult.success(recorded.result());
		try {
			ToolResult seen = chain.execute(call, (passed) -> result);
			return seen.additionalContext() != null || !seen.content().equals(result.content());
		}
		catch (ToolCallAbortedException ex) {
			return true;
		}
	}

	/** The result of a replay. */
	record Report(int runs, int calls, int flagged, List<Integer> flaggedRuns) {
	}

	/** A call that was recorded. */
	private record Recorded(String tool, Map<String, @Nullable Object> arguments, String result) {

		private static final TypeReference<Map<String, @Nullable Object>> ARGUMENTS = new TypeReference<>() {
		};

		static Recorded of(JsonNode function, String result) {
			return new Recorded(function.get("name").asString(),
					JsonMapper.shared().readValue(function.get("arguments").asString(), ARGUMENTS), result);
		}

	}

}
