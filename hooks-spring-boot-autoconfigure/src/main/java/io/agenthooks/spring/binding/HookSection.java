package io.agenthooks.spring.binding;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.agenthooks.Hook;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.NameKind;
import io.agenthooks.llmcall.LlmHook;
import io.agenthooks.llmcall.LlmResponseHook;
import io.agenthooks.llmcall.PostLlmHook;
import io.agenthooks.llmcall.PreLlmHook;
import io.agenthooks.run.PostRunHook;
import io.agenthooks.run.PreRunHook;
import io.agenthooks.run.RunHook;
import io.agenthooks.spring.HookOptions;
import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolHook;
import io.agenthooks.toolcall.ToolResultHook;

/**
 * A part of the configuration, with the two lists of one kind of hooks.
 *
 * @param <H> the kind of hooks
 * @param key its name below {@code hooks}
 * @param pre the name of the list of hooks that decide
 * @param post the name of the list of hooks for what comes after
 * @param choices what else may stand there, with the values that each may have; none for
 * a size
 * @param target what hooks may be chosen by, or {@code null} if there is nothing
 * @param factory the name of the type whose beans add types of hooks
 * @param kind the kind of hooks
 * @param deciding those that decide
 * @param rewriting those that may replace what comes after, or {@code null} if none can
 * @param learning those that learn how it ended
 * @since 0.1.0
 */
public record HookSection<H extends Hook>(String key, String pre, String post, Map<String, List<String>> choices,
		@Nullable String target, String factory, Class<H> kind, Class<? extends H> deciding,
		@Nullable Class<? extends H> rewriting, Class<? extends H> learning) {

	static final String BYPASS_HOOKS = "bypass_hooks";

	/** The former switch of the hooks, with the opposite meaning. */
	static final String ENABLED = "enabled";

	static final String KILL_SWITCH = "kill_switch";

	static final String SHARE_KILL_SWITCH = "share_kill_switch";

	/** The former switch of all tools, with the opposite meaning. */
	static final String TOOLS_ENABLED = "tools_enabled";

	/** The longest time that listeners to events may hold a call. */
	public static final String EVENT_TIMEOUT = "event_timeout";

	/** The longest time that an approver may hold a call. */
	public static final String APPROVAL_TIMEOUT = "approval_timeout";

	static final String UNGUARDED = "unguarded";

	static final String WRAP_TOOL_CALLBACKS = "wrap_tool_callbacks";

	/** The names of hooks that a list of another source may replace. */
	static final String REPLACES = "replaces";

	static final String MAX_ARGUMENTS_SIZE = "max_arguments_size";

	static final String MAX_RESULT_SIZE = "max_result_size";

	private static final String MCP_SERVERS = "mcp_servers";

	private static final List<String> SWITCH = List.of("true", "false");

	/** The hooks around tool calls. */
	public static final HookSection<ToolHook> TOOL_CALL = new HookSection<>("tool_call", "pre_call", "post_call",
			Map.of(BYPASS_HOOKS, SWITCH, ENABLED, SWITCH, KILL_SWITCH, SWITCH, SHARE_KILL_SWITCH, SWITCH, TOOLS_ENABLED,
					SWITCH, WRAP_TOOL_CALLBACKS, SWITCH, UNGUARDED, List.of("ignore", "warn", "deny"),
					MAX_ARGUMENTS_SIZE, List.of(), MAX_RESULT_SIZE, List.of()),
			"tool", "ToolHookFactory", ToolHook.class, PreToolHook.class, ToolResultHook.class, PostToolHook.class);

	/** The hooks around model calls. */
	public static final HookSection<LlmHook> LLM_CALL = new HookSection<>("llm_call", "pre_call", "post_call",
			Map.of(BYPASS_HOOKS, SWITCH, ENABLED, SWITCH), "model", "LlmHookFactory", LlmHook.class, PreLlmHook.class,
			LlmResponseHook.class, PostLlmHook.class);

	/** The hooks around runs of agents. */
	public static final HookSection<RunHook> RUN = new HookSection<>("run", "pre_run", "post_run",
			Map.of(BYPASS_HOOKS, SWITCH, ENABLED, SWITCH), null, "RunHookFactory", RunHook.class, PreRunHook.class,
			null, PostRunHook.class);

	static final List<HookSection<?>> ALL = List.of(TOOL_CALL, LLM_CALL, RUN);

	static final List<String> FEATURES = List.of("approval", "audit", "console", "journal", "limit", "observation",
			"refusal");

	/** The features that need no switch: something else says whether they are on. */
	static final List<String> FEATURES_WITHOUT_SWITCH = List.of("journal", "limit", "observation", "refusal");

	static List<String> keys() {
		return Stream.concat(ALL.stream().<String>map(HookSection::key),
				Stream.concat(
						Stream.of(HookPropertySources.APPLICATION, ContextSettings.KEY, HookPropertySources.STRICT),
						FEATURES.stream()))
			.toList();
	}

	static @Nullable HookSection<?> of(PropertyNode node) {
		return ALL.stream().filter((section) -> section.isNamed(node)).findFirst().orElse(null);
	}

	boolean isNamed(PropertyNode node) {
		return node.uniformName().equals(PropertyNode.uniform(this.key));
	}

	/**
	 * The name of the time that a hook which only learns may hold a call.
	 * @return the name below the key
	 */
	public String postTimeout() {
		return this.post + "_timeout";
	}

	Map<String, Bound> bounds() {
		Bound learning = new Bound(Duration.ofSeconds(10), Duration.ofMinutes(5));
		return (this.kind == ToolHook.class)
				? Map.of(postTimeout(), learning, EVENT_TIMEOUT, learning, APPROVAL_TIMEOUT,
						new Bound(Duration.ofMinutes(2), Duration.ofDays(1)))
				: Map.of(postTimeout(), learning, EVENT_TIMEOUT, learning);
	}

	/** The new names of switches that have another name and the opposite meaning now. */
	Map<String, String> renamed() {
		return (this.kind == ToolHook.class) ? Map.of(ENABLED, BYPASS_HOOKS, TOOLS_ENABLED, KILL_SWITCH)
				: Map.of(ENABLED, BYPASS_HOOKS);
	}

	List<String> lists() {
		return List.of(this.pre, this.post);
	}

	List<String> allowed() {
		List<String> others = (this.kind == ToolHook.class) ? List.of(REPLACES, ToolEffects.KEY) : List.of(REPLACES);
		return Stream.of(this.choices.keySet(), bounds().keySet(), lists(), others)
			.flatMap(Collection::stream)
			.sorted()
			.toList();
	}

	/** So that two kinds of hooks never share a name in metrics. */
	String prefix() {
		return (this.kind == ToolHook.class) ? "" : this.key + ".";
	}

	/**
	 * One of these that is written all the same must not make a hook that is for nothing.
	 */
	List<String> meaningless() {
		if (this.kind == ToolHook.class) {
			return List.of();
		}
		return (this.target != null) ? List.of(MCP_SERVERS) : List.of("match", "matcher", "except", MCP_SERVERS);
	}

	/**
	 * Find the mistakes in options of a hook of this kind, whatever the hook.
	 * @param options the options
	 * @return each mistake, at the name of an option as it is written in YAML
	 */
	public List<Problem> problems(HookOptions options) {
		List<String> meaningless = meaningless();
		List<Problem> problems = new ArrayList<>();
		String where = "has no meaning below hooks." + this.key;
		options.scope().options().stream().filter(meaningless::contains).forEach(refuse(where, problems));
		if (this.kind != ToolHook.class) {
			if (options.sent() != null) {
				options.sent().options().forEach(refuse(where + ", where no arguments are sent", problems));
			}
			options.asking().options().forEach(refuse(where + ", where no person is asked", problems));
		}
		options.problems((this.kind == LlmHook.class) ? NameKind.MODEL : NameKind.TOOL)
			.stream()
			.filter((problem) -> !meaningless.contains(problem.path().get(0)))
			.forEach(problems::add);
		return problems;
	}

	private static Consumer<String> refuse(String message, List<Problem> problems) {
		return (option) -> problems.add(new Problem(List.of(option), message, "Remove it."));
	}

	/**
	 * The interfaces of hooks of this kind, in words.
	 * @return such as {@code PreRunHook or PostRunHook}
	 */
	public String hookTypes() {
		String last = " or " + this.learning.getSimpleName();
		return this.deciding.getSimpleName() + ((this.rewriting != null) ? ", " + this.rewriting.getSimpleName() : "")
				+ last;
	}

	boolean isRewriting(Hook hook) {
		return this.rewriting != null && this.rewriting.isInstance(hook);
	}

	record Bound(Duration usual, Duration longest) {
	}

}
