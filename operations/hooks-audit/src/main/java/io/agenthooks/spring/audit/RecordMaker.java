package io.agenthooks.spring.audit;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.agenthooks.CallAttributes;
import io.agenthooks.CallContext;
import io.agenthooks.HookRule;
import io.agenthooks.Withheld;
import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmMessage;
import io.agenthooks.llmcall.LlmUsage;
import io.agenthooks.redact.Redactor;
import io.agenthooks.spring.assembly.ActiveConfiguration;
import io.agenthooks.spring.audit.AuditConfig.Arguments;
import io.agenthooks.spring.json.CanonicalJson;
import io.agenthooks.spring.json.InvalidJsonException;
import io.agenthooks.spring.json.StrictJson;
import io.agenthooks.spring.outcome.AskedHook;
import io.agenthooks.spring.outcome.EndedCall;
import io.agenthooks.spring.outcome.PersonDecision;
import io.agenthooks.spring.outcome.ToolSwitch;
import io.agenthooks.toolcall.Approval;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolIdentity;

/** Used by the thread that writes, so it costs callers nothing. */
final class RecordMaker {

	/** Longer texts are cut: a model chooses names. */
	private static final int MAX_TEXT = 512;

	/** Larger arguments stand in no record; their hash does. */
	private static final int MAX_ARGUMENTS = 1024 * 1024;

	private static final String TOO_LARGE = "[not recorded: too large]";

	private static final int MAX_CHANGED = 100;

	private static final long NANOS_PER_MICRO = 1000;

	private final Arguments arguments;

	private final AuditKey.Hash hash;

	private final Redactor redactor;

	private final Supplier<ActiveConfiguration> active;

	private @Nullable ActiveConfiguration recorded;

	RecordMaker(Arguments arguments, AuditKey key, Redactor redactor, Supplier<ActiveConfiguration> active) {
		this.arguments = arguments;
		this.hash = key.content();
		this.redactor = redactor;
		this.active = active;
	}

	/** {@code null} if there is a record already that says so. */
	@Nullable Map<String, @Nullable Object> changedConfiguration() {
		ActiveConfiguration now = this.active.get();
		if (this.recorded != null && this.recorded.version().equals(now.version())) {
			return null;
		}
		this.recorded = now;
		return now.members();
	}

	Map<String, @Nullable Object> members(AuditEntry entry) {
		if (entry instanceof CallEntry call) {
			return members(call);
		}
		if (entry instanceof DecisionEntry taken) {
			return members(taken.decision());
		}
		return (entry instanceof ModeEntry mode) ? members(mode) : members((SwitchEntry) entry);
	}

	private static Map<String, @Nullable Object> members(ModeEntry entry) {
		Map<String, @Nullable Object> members = new LinkedHashMap<>();
		members.put("hook", cut(entry.hook()));
		members.put("mode", (entry.observes()) ? "observe" : "enforce");
		add("length", (entry.length() != null) ? entry.length().toString() : null, members);
		add("user", entry.user(), members);
		return members;
	}

	private static Map<String, @Nullable Object> members(SwitchEntry entry) {
		Map<String, @Nullable Object> members = new LinkedHashMap<>();
		ToolSwitch.Switched switched = entry.switched();
		members.put("tools_enabled", switched.enabled());
		switch (switched.part().kind()) {
			case TOOL -> members.put("switched_tool", cut(switched.part().glob()));
			case AGENT -> members.put("switched_agent", cut(switched.part().glob()));
			case ALL -> {
			}
		}
		members.put("through", switched.through());
		add("user", switched.user(), members);
		return members;
	}

	private Map<String, @Nullable Object> members(PersonDecision decision) {
		Map<String, @Nullable Object> members = new LinkedHashMap<>();
		ToolCall call = decision.call();
		members.put("id", cut(call.id()));
		addContext(call.context(), members);
		addTool(call, members);
		Map<String, @Nullable Object> approval = new LinkedHashMap<>();
		approval.put("answer", decision.answer());
		approval.put("approver", cut(decision.approver()));
		add("person", decision.person(), approval);
		add("request", decision.request(), approval);
		approval.put("asked_by", cut(decision.askedBy()));
		addRule(decision.rule(), approval);
		approval.put("question", safe(decision.question()));
		if (decision.reason() != null) {
			approval.put("reason", safe(decision.reason()));
		}
		add("scope", decision.scope(), approval);
		add("scope_time", (decision.time() != null) ? decision.time().toString() : null, approval);
		members.put("approval", approval);
		members.put("state", decision.state());
		if (this.recorded != null) {
			members.put("config", this.recorded.version());
		}
		return members;
	}

	private Map<String, @Nullable Object> members(CallEntry entry) {
		Map<String, @Nullable Object> members = new LinkedHashMap<>();
		members.put("id", cut(entry.id()));
		addContext(entry.context(), members);
		if (entry instanceof ToolEntry tool) {
			addTool(tool.effective(), members);
			addChanged(tool, members);
		}
		else if (entry instanceof LlmEntry llm) {
			addLlm(llm, members);
		}
		else if (entry instanceof RunEntry run) {
			members.put("prompt_hash", this.hash.of(run.run().prompt()));
			addUsage(run.usage(), members);
		}
		addHooks(entry.asked(), members);
		addEnd(entry.kind(), entry.ended(), members);
		if (entry instanceof ToolEntry tool && tool.approval() != null) {
			members.put("approval", describe(tool.approval()));
		}
		if (this.recorded != null) {
			members.put("config", this.recorded.version());
		}
		return members;
	}

	private static void addContext(CallContext context, Map<String, @Nullable Object> members) {
		add("session", context.sessionId(), members);
		add("run", context.runId(), members);
		add("agent", context.agent(), members);
		add("user", context.user(), members);
		members.put("role", cut(context.role()));
		members.put("workspace", cut(context.workspace()));
		members.put("attempt", context.attempt());
		Object provider = context.attributes().get(CallAttributes.PROVIDER_CALL_ID);
		add("provider_call_id", (provider != null) ? provider.toString() : null, members);
	}

	private void addTool(ToolCall call, Map<String, @Nullable Object> members) {
		ToolIdentity identity = call.identity();
		Map<String, @Nullable Object> tool = new LinkedHashMap<>();
		tool.put("name", cut(identity.name()));
		if (!identity.isOfApplication()) {
			tool.put("server", (identity.server() != null) ? cut(identity.server()) : null);
			tool.put("model_name", cut(identity.modelName()));
		}
		members.put("tool", tool);
		String canonical = CanonicalJson.write(call.arguments());
		members.put("arguments_hash", this.hash.of(canonical));
		if (this.arguments != Arguments.NONE) {
			members.put("arguments", shown(call, canonical));
		}
	}

	private void addChanged(ToolEntry entry, Map<String, @Nullable Object> members) {
		List<String> changed = changed(entry.requested().arguments(), entry.effective().arguments());
		if (!changed.isEmpty()) {
			members.put("changed", changed);
		}
	}

	/** The arguments, or a note in their place: a call must not evade its record. */
	private Object shown(ToolCall call, String canonical) {
		if (canonical.length() > MAX_ARGUMENTS) {
			return TOO_LARGE;
		}
		Map<String, @Nullable Object> shown = (this.arguments == Arguments.FULL) ? call.arguments()
				: this.redactor.redactStrictly(call.arguments());
		if (shown == null) {
			return TOO_LARGE;
		}
		try {
			StrictJson.write(shown);
			return shown;
		}
		catch (InvalidJsonException ex) {
			return "[not recorded: a number is too long]";
		}
	}

	private List<String> changed(Map<String, @Nullable Object> before, Map<String, @Nullable Object> after) {
		if (before.equals(after)) {
			return List.of();
		}
		TreeSet<String> names = new TreeSet<>(before.keySet());
		names.addAll(after.keySet());
		return names.stream()
			.filter((name) -> before.containsKey(name) != after.containsKey(name)
					|| !Objects.equals(before.get(name), after.get(name)))
			.limit(MAX_CHANGED)
			.map((name) -> cut(safe(name)))
			.toList();
	}

	private void addLlm(LlmEntry entry, Map<String, @Nullable Object> members) {
		LlmCall call = entry.effective();
		add("model", call.model(), members);
		members.put("messages", call.messages().size());
		members.put("tools", call.tools().size());
		members.put("messages_hash", this.hash.of(CanonicalJson.write(messages(call))));
		List<String> changed = new ArrayList<>();
		LlmCall before = entry.requested();
		if (!before.messages().equals(call.messages())) {
			changed.add("messages");
		}
		if (!Objects.equals(before.model(), call.model())) {
			changed.add("model");
		}
		if (!before.options().equals(call.options())) {
			changed.add("options");
		}
		if (!changed.isEmpty()) {
			members.put("changed", changed);
		}
		addUsage(entry.usage(), members);
	}

	private static List<Map<String, String>> messages(LlmCall call) {
		List<Map<String, String>> messages = new ArrayList<>();
		for (LlmMessage message : call.messages()) {
			messages.add(Map.of("role", message.role().value(), "text", message.text()));
		}
		return messages;
	}

	private static void addUsage(@Nullable LlmUsage usage, Map<String, @Nullable Object> members) {
		if (usage != null) {
			members.put("input_tokens", usage.inputTokens());
			members.put("output_tokens", usage.outputTokens());
		}
	}

	private static void addHooks(List<AskedHook> asked, Map<String, @Nullable Object> members) {
		List<Map<String, Object>> hooks = new ArrayList<>(asked.size());
		for (AskedHook hook : asked) {
			Map<String, Object> described = new LinkedHashMap<>();
			described.put("name", hook.name());
			described.put("verdict", hook.verdict());
			described.put("us", hook.nanos() / NANOS_PER_MICRO);
			if (hook.limit() != null) {
				described.put("limit", hook.limit().members());
			}
			hooks.add(described);
		}
		members.put("hooks", hooks);
	}

	private void addEnd(String kind, EndedCall ended, Map<String, @Nullable Object> members) {
		members.put("verdict", ended.verdict());
		if (ended.decidedBy() != null) {
			members.put("decided_by", ended.decidedBy());
			add("origin", (this.recorded != null) ? this.recorded.originOf(kind, ended.decidedBy()) : null, members);
			addRule(ended.rule(), members);
		}
		if (ended.reason() != null) {
			members.put("reason", safe(ended.reason()));
		}
		if (ended.scope() != null) {
			members.put("scope", ended.scope().toLowerCase(Locale.ROOT));
		}
		members.put("outcome", ended.status());
		add("failure", ended.failure(), members);
		addNames("replaced_by", ended.replacedBy(), members);
		if (!ended.withheld().isEmpty()) {
			members.put("withheld", ended.withheld().stream().map(this::describe).toList());
		}
		addNames("failed_open", ended.failedOpen(), members);
		addNames("would_deny", ended.wouldDeny(), members);
		members.put("us", ended.nanos() / NANOS_PER_MICRO);
	}

	private Map<String, @Nullable Object> describe(Withheld withheld) {
		Map<String, @Nullable Object> members = new LinkedHashMap<>();
		members.put("by", cut(withheld.hook()));
		addRule(withheld.rule(), members);
		members.put("reason", safe(withheld.reason()));
		return members;
	}

	private Map<String, @Nullable Object> describe(Approval approval) {
		Map<String, @Nullable Object> members = new LinkedHashMap<>();
		members.put("answer", approval.answer().value());
		members.put("approver", cut(approval.approver()));
		add("person", approval.person(), members);
		add("request", approval.request(), members);
		if (approval.rememberedSince() != null) {
			members.put("remembered_since", approval.rememberedSince().toString());
		}
		members.put("asked_by", cut(approval.askedBy()));
		addRule(approval.question().rule(), members);
		members.put("question", safe(approval.question().question()));
		return members;
	}

	private void addRule(@Nullable HookRule rule, Map<String, @Nullable Object> members) {
		if (rule != null) {
			members.put("rule", cut(rule.name()));
			add("rule_origin", rule.origin(), members);
			add("rule_detail", (rule.detail() != null) ? safe(rule.detail()) : null, members);
		}
	}

	private static void addNames(String name, List<String> names, Map<String, @Nullable Object> members) {
		if (!names.isEmpty()) {
			members.put(name, names);
		}
	}

	/** A text that may quote an argument, such as the reason of a webhook. */
	private String safe(String text) {
		return (this.arguments == Arguments.FULL) ? text : this.redactor.redact(text);
	}

	private static void add(String name, @Nullable String value, Map<String, @Nullable Object> members) {
		if (value != null) {
			members.put(name, cut(value));
		}
	}

	private static String cut(String text) {
		return (text.length() <= MAX_TEXT) ? text : text.substring(0, MAX_TEXT) + "... (" + text.length() + ")";
	}

}
