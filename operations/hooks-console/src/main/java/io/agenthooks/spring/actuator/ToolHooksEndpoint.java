package io.agenthooks.spring.actuator;

import java.security.Principal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

import io.agenthooks.DescribedHook;
import io.agenthooks.Glob;
import io.agenthooks.llmcall.LlmHook;
import io.agenthooks.run.RunHook;
import io.agenthooks.spring.ActiveHooks.Listed;
import io.agenthooks.spring.ActiveHooks.Phase;
import io.agenthooks.spring.Explanation;
import io.agenthooks.spring.LlmHooks;
import io.agenthooks.spring.RunHooks;
import io.agenthooks.spring.ToolHooks;
import io.agenthooks.spring.assembly.CurrentConfiguration;
import io.agenthooks.spring.external.LostNotifications;
import io.agenthooks.spring.outcome.HookModes;
import io.agenthooks.spring.outcome.ToolSwitch;
import io.agenthooks.spring.web.Replies;
import io.agenthooks.toolcall.ToolHook;
import io.agenthooks.toolcall.ToolIdentity;
import io.agenthooks.toolcall.ToolScope;

/**
 * Shows the active hooks and the tools that they guard, explains what would happen to a
 * call, and switches all tools off.
 *
 * @since 0.1.0
 */
@Endpoint(id = "toolhooks", defaultAccess = Access.READ_ONLY)
public final class ToolHooksEndpoint {

	private static final String TOOLS_ENABLED = "tools_enabled";

	private static final String VERSION = "version";

	private final Chains chains;

	private final ToolInventory inventory;

	private final ObjectProvider<CallJournal> journal;

	private final CallWriter writer;

	private final ChainWriter chainWriter;

	private final LostNotifications lost;

	ToolHooksEndpoint(Chains chains, ToolInventory inventory, ObjectProvider<CallJournal> journal, CallWriter writer,
			ChainWriter chainWriter, LostNotifications lost) {
		this.chains = chains;
		this.inventory = inventory;
		this.journal = journal;
		this.writer = writer;
		this.chainWriter = chainWriter;
		this.lost = lost;
	}

	/**
	 * The active hooks of all kinds, and the tools.
	 * @return what is active
	 */
	@ReadOperation
	public WebEndpointResponse<Map<String, @Nullable Object>> hooks() {
		return Replies.of("The hooks and tools could not be listed", this::list);
	}

	private WebEndpointResponse<Map<String, @Nullable Object>> list() {
		List<JournalEntry> calls = calls();
		ToolInventory.Found found = this.inventory.find(calls);
		ToolHooks toolHooks = this.chains.toolHooks().getIfAvailable();
		LlmHooks llmHooks = this.chains.llmHooks().getIfAvailable();
		RunHooks runHooks = this.chains.runHooks().getIfAvailable();
		List<Listed> hooks = (toolHooks != null) ? toolHooks.list() : List.of();
		Map<String, @Nullable Object> members = new LinkedHashMap<>();
		members.put("tool_call", this.chainWriter.write(hooks, ToolHook.class));
		members.put("llm_call",
				this.chainWriter.write((llmHooks != null) ? llmHooks.list() : List.of(), LlmHook.class));
		members.put("run", this.chainWriter.write((runHooks != null) ? runHooks.list() : List.of(), RunHook.class));
		Map<ToolIdentity, JournalEntry> lastCalls = lastOf(calls);
		members.put("tools", found.tools().stream().map((tool) -> write(tool, found, hooks, lastCalls)).toList());
		members.put("unknown_tools", List.copyOf(found.unknown()));
		members.put(TOOLS_ENABLED, toolHooks == null || toolHooks.areToolsEnabled());
		members.put("tools_off",
				(toolHooks != null && !toolHooks.areToolsEnabled()) ? SwitchWriter.all(toolHooks) : null);
		members.put("parts_off", SwitchWriter.parts(toolHooks, found));
		members.put("switch_shared", toolHooks instanceof ToolSwitch known && known.isShared());
		members.put("observing_until", this.chains.observing());
		members.put("lost_notifications", this.lost.all());
		members.put(VERSION, this.chains.current().get().version());
		return Replies.ok(members);
	}

	private List<JournalEntry> calls() {
		CallJournal journal = this.journal.getIfAvailable();
		return (journal != null) ? journal.entries() : List.of();
	}

	private static Map<ToolIdentity, JournalEntry> lastOf(List<JournalEntry> calls) {
		Map<ToolIdentity, JournalEntry> last = new HashMap<>();
		calls.forEach((call) -> last.putIfAbsent(call.tool(), call));
		return last;
	}

	/**
	 * One tool, with the hooks that are for it.
	 * @param tool one of its names
	 * @return the tools of that name, which may be several on several servers
	 */
	@ReadOperation
	public WebEndpointResponse<Map<String, @Nullable Object>> tool(@Selector String tool) {
		return Replies.of("The tool could not be described", () -> describe(tool));
	}

	private WebEndpointResponse<Map<String, @Nullable Object>> describe(String tool) {
		List<JournalEntry> calls = calls();
		ToolInventory.Found found = this.inventory.find(calls);
		List<FoundTool> named = found.named(tool);
		if (named.isEmpty()) {
			return Replies.notFound("No tool of this name is known");
		}
		ToolHooks toolHooks = this.chains.toolHooks().getIfAvailable();
		List<Listed> hooks = (toolHooks != null) ? toolHooks.list() : List.of();
		List<Map<String, @Nullable Object>> tools = new ArrayList<>();
		for (FoundTool one : named) {
			Map<String, @Nullable Object> members = write(one, found, hooks, lastOf(calls));
			members.put("names", one.identity().names());
			members.put("schema", this.inventory.schemaOf(one.identity(), found));
			members.putAll(this.chainWriter.write(hooks.stream().filter((hook) -> isFor(hook, one.identity())).toList(),
					ToolHook.class));
			tools.add(members);
		}
		Map<String, @Nullable Object> members = new LinkedHashMap<>();
		members.put("tool", tool);
		members.put("tools", tools);
		members.put(TOOLS_ENABLED, toolHooks == null || toolHooks.areToolsEnabled());
		members.put(VERSION, this.chains.current().get().version());
		return Replies.ok(members);
	}

	private static boolean isFor(Listed hook, ToolIdentity tool) {
		return ToolScope.isFor(hook.options().scope().tools(), tool);
	}

	private static Map<String, @Nullable Object> write(FoundTool tool, ToolInventory.Found found, List<Listed> hooks,
			Map<ToolIdentity, JournalEntry> lastCalls) {
		ToolIdentity identity = tool.identity();
		Map<String, @Nullable Object> members = new LinkedHashMap<>();
		members.put("name", identity.modelName());
		putServer(identity, members);
		members.put("source", tool.source());
		members.put("guarded_by", Objects.requireNonNullElse(tool.guardedBy(), FoundTool.UNGUARDED));
		members.put("rules", (tool.isGuarded()) ? rulesFor(identity, found.argumentsOf(identity), hooks) : List.of());
		JournalEntry last = lastCalls.get(identity);
		members.put("last_call", (last != null) ? Instant.ofEpochMilli(last.time()).toString() : null);
		members.put("last_outcome", (last != null) ? last.ended().status() : null);
		return members;
	}

	private static void putServer(ToolIdentity tool, Map<String, @Nullable Object> members) {
		members.put("server", (tool.isOfApplication()) ? null : tool.server());
		if (!tool.isOfApplication()) {
			members.put("server_tool", tool.name());
		}
	}

	/**
	 * And hooks that cannot tell theirs. A rule about an argument that the tool does not
	 * have says nothing of its calls.
	 */
	private static List<Map<String, @Nullable Object>> rulesFor(ToolIdentity tool, @Nullable Set<String> arguments,
			List<Listed> hooks) {
		List<Map<String, @Nullable Object>> rules = new ArrayList<>();
		for (Listed hook : hooks) {
			if (hook.phase() != Phase.PRE_CALL || !isFor(hook, tool)) {
				continue;
			}
			if (hook.rules().isEmpty()) {
				rules.add(rule(hook));
			}
			for (DescribedHook.ListedRule rule : hook.rules()) {
				if (mayApply(rule, arguments)
						&& (rule.tools() == null || tool.anyName(Glob.anyOf(rule.tools().toArray(String[]::new))))) {
					Map<String, @Nullable Object> members = rule(hook);
					members.put("rule", rule.name());
					members.put("then", rule.then());
					members.put("rule_origin", rule.origin());
					rules.add(members);
				}
			}
		}
		return rules;
	}

	/** Whether a tool has the argument that a rule is about, which may be a path. */
	private static boolean mayApply(DescribedHook.ListedRule rule, @Nullable Set<String> arguments) {
		String argument = rule.argument();
		return argument == null || arguments == null || arguments.contains(argument)
				|| arguments.containsAll(List.of(argument.split("\\.", -1)));
	}

	private static Map<String, @Nullable Object> rule(Listed hook) {
		Map<String, @Nullable Object> members = new LinkedHashMap<>();
		members.put("hook", hook.name());
		members.put("type", hook.type());
		members.put("origin", hook.origin());
		return members;
	}

	/**
	 * Say what would happen to a call.
	 * @param call the call as JSON; over HTTP, the body of the request
	 * @return what would happen
	 */
	@WriteOperation
	public WebEndpointResponse<Map<String, @Nullable Object>> explain(String call) {
		return Replies.of("The call could not be explained", () -> explained(call));
	}

	private WebEndpointResponse<Map<String, @Nullable Object>> explained(String call) {
		ToolHooks hooks = this.chains.toolHooks().getIfAvailable();
		if (hooks == null) {
			return Replies.error("The hooks around calls of tools are bypassed, so every call passes",
					Replies.CONFLICT);
		}
		try {
			ExplainRequest request = ExplainRequest.read(call, (name) -> this.inventory.find(calls()).named(name));
			Map<String, @Nullable Object> members = write(hooks.explain(request.call(), request.live()));
			members.put("known_tool", request.known() || this.inventory.isOffered(request.call().tool()));
			return Replies.ok(members);
		}
		catch (ExplainRequest.InvalidRequestException ex) {
			return Replies.badRequest(String.valueOf(ex.getMessage()));
		}
	}

	private Map<String, @Nullable Object> write(Explanation explanation) {
		Map<String, @Nullable Object> members = new LinkedHashMap<>();
		members.put("verdict", explanation.verdict().value());
		members.put("decided_by", explanation.decidedBy());
		members.put("reason", this.writer.text(explanation.reason()));
		members.put("complete", explanation.isComplete());
		ToolIdentity tool = explanation.call().identity();
		members.put("tool", tool.modelName());
		putServer(tool, members);
		members.put("arguments", this.writer.arguments(explanation.call().arguments()));
		members.put("hooks", explanation.hooks().stream().map(this::write).toList());
		return members;
	}

	private Map<String, @Nullable Object> write(Explanation.Answer answer) {
		Map<String, @Nullable Object> members = new LinkedHashMap<>();
		members.put("name", answer.name());
		members.put("verdict", (answer.verdict() != null) ? answer.verdict().value() : "not_asked");
		members.put("reason", this.writer.text(answer.reason()));
		members.put("origin", answer.origin());
		members.put("type", answer.type());
		members.put("rule", answer.rule());
		members.put("rule_origin", answer.ruleOrigin());
		members.put("rule_detail", this.writer.text(answer.ruleDetail()));
		members.put("observed", answer.observed());
		return members;
	}

	/**
	 * Switch tools off, or on again: all of them, or those that the body names.
	 * @param operation {@code switch} for all tools, {@code switch_tool} or
	 * {@code switch_agent}
	 * @param enabled {@code true} or {@code false}: whether tools may run
	 * @param tool glob of names of tools, for {@code switch_tool} only
	 * @param agent glob of names of agents whose tools are switched, for
	 * {@code switch_agent} only
	 * @param caller who asks
	 * @return what may run now
	 */
	@WriteOperation
	public WebEndpointResponse<Map<String, @Nullable Object>> change(@Selector String operation, String enabled,
			@Nullable String tool, @Nullable String agent, SecurityContext caller) {
		return Replies.of("The tools could not be switched", () -> changed(operation, enabled, tool, agent, caller));
	}

	private WebEndpointResponse<Map<String, @Nullable Object>> changed(String operation, String value,
			@Nullable String tool, @Nullable String agent, SecurityContext caller) {
		ToolHooks hooks = this.chains.toolHooks().getIfAvailable();
		if (!SwitchWriter.OPERATIONS.contains(operation)) {
			return Replies.notFound("The operations here are " + String.join(", ", SwitchWriter.OPERATIONS));
		}
		// As a boolean, Spring Boot would take "on", "yes" and 1 for true.
		boolean enabled = value.equals("true");
		if (!enabled && !value.equals("false")) {
			return Replies.badRequest("'enabled' has to be true or false");
		}
		ToolSwitch.Part part;
		try {
			part = SwitchWriter.part(operation, tool, agent);
		}
		catch (IllegalArgumentException ex) {
			return Replies.badRequest(String.valueOf(ex.getMessage()));
		}
		if (hooks == null) {
			return Replies.error("The hooks around calls of tools are bypassed, so tools cannot be switched off",
					Replies.CONFLICT);
		}
		Principal who = caller.getPrincipal();
		try {
			switchTools(hooks, enabled, part, (who != null) ? who.getName() : null);
		}
		catch (IllegalStateException ex) {
			return Replies.error(String.valueOf(ex.getMessage()), Replies.CONFLICT);
		}
		Map<String, @Nullable Object> members = new LinkedHashMap<>();
		members.put(TOOLS_ENABLED, hooks.areToolsEnabled());
		members.put("parts_off", SwitchWriter.parts(hooks, this.inventory.find(calls())));
		return Replies.ok(members);
	}

	private static void switchTools(ToolHooks hooks, boolean enabled, ToolSwitch.Part part, @Nullable String user) {
		if (hooks instanceof ToolSwitch known) {
			known.switchTools(enabled, part, user, ToolSwitch.ACTUATOR);
		}
		else if (!part.equals(ToolSwitch.Part.ALL)) {
			throw new IllegalStateException("Only all tools can be switched here");
		}
		else if (enabled) {
			hooks.enableTools();
		}
		else {
			hooks.disableTools();
		}
	}

	record Chains(ObjectProvider<ToolHooks> toolHooks, ObjectProvider<LlmHooks> llmHooks,
			ObjectProvider<RunHooks> runHooks, CurrentConfiguration current) {

		Stream<HookModes> modes() {
			return Stream
				.of(this.toolHooks.getIfAvailable(), this.llmHooks.getIfAvailable(), this.runHooks.getIfAvailable())
				.filter(HookModes.class::isInstance)
				.map(HookModes.class::cast);
		}

		/** When hooks decide again, by their names. */
		Map<String, String> observing() {
			Map<String, String> observing = new TreeMap<>();
			modes()
				.forEach((modes) -> modes.observing().forEach((name, until) -> observing.put(name, until.toString())));
			return observing;
		}

	}

}
