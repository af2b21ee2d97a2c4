package io.agenthooks.spring.actuator;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;

import io.agenthooks.HookRule;
import io.agenthooks.SafeText;
import io.agenthooks.Withheld;
import io.agenthooks.redact.Redactor;
import io.agenthooks.spring.ActiveHooks;
import io.agenthooks.spring.ToolHooks;
import io.agenthooks.spring.json.StrictJson;
import io.agenthooks.spring.outcome.AskedHook;
import io.agenthooks.spring.outcome.EndedCall;
import io.agenthooks.toolcall.ToolIdentity;

/** Without secrets, and with the places of the hooks. */
final class CallWriter {

	static final String TOO_LARGE = "[not kept: too large]";

	/** Of larger arguments a list shows the names, in characters. */
	private static final int MAX_GLIMPSED = 4_000;

	/** Beyond so many characters in all, a list shows names. */
	private static final int GLIMPSED_IN_ALL = 400_000;

	private static final int MAX_GLIMPSE = 200;

	private static final int MAX_NAMES = 20;

	private static final double NANOS_PER_MICRO = 1_000;

	private static final double MICROS_PER_MILLI = 1_000;

	private final Redactor redactor = Redactor.ofDefaults();

	private final ObjectProvider<ToolHooks> hooks;

	CallWriter(ObjectProvider<ToolHooks> hooks) {
		this.hooks = hooks;
	}

	Written begin() {
		Map<String, String> origins = new HashMap<>();
		this.hooks.ifAvailable((hooks) -> {
			for (ActiveHooks.Listed hook : hooks.list()) {
				origins.putIfAbsent(hook.name(), hook.origin());
			}
		});
		return new Written(origins);
	}

	Object arguments(@Nullable Map<String, @Nullable Object> arguments) {
		Map<String, @Nullable Object> shown = (arguments != null) ? this.redactor.redactStrictly(arguments) : null;
		return (shown != null) ? shown : TOO_LARGE;
	}

	/** Secrets are masked before it is cut; names, if that would take too long. */
	private String glimpse(Map<String, @Nullable Object> arguments, boolean whole) {
		Map<String, @Nullable Object> shown = (whole) ? this.redactor.redactStrictly(arguments) : null;
		String text = (shown != null) ? new String(StrictJson.write(shown), StandardCharsets.UTF_8) : this.redactor
			.redact(arguments.keySet().stream().limit(MAX_NAMES).map(SafeText::name).collect(Collectors.joining(", ")));
		if (text.length() <= MAX_GLIMPSE) {
			return text;
		}
		int end = Character.isHighSurrogate(text.charAt(MAX_GLIMPSE - 1)) ? MAX_GLIMPSE - 1 : MAX_GLIMPSE;
		return text.substring(0, end) + "...";
	}

	@Nullable String text(@Nullable String text) {
		return (text != null) ? this.redactor.redact(text) : null;
	}

	static double millis(long nanos) {
		return Math.round(nanos / NANOS_PER_MICRO) / MICROS_PER_MILLI;
	}

	final class Written {

		private final Map<String, String> origins;

		private int glimpsed;

		Written(Map<String, String> origins) {
			this.origins = origins;
		}

		Map<String, @Nullable Object> write(JournalEntry call) {
			Map<String, @Nullable Object> members = members(call);
			members.put("arguments", arguments(call.arguments()));
			return members;
		}

		/** To look for secrets in all arguments of many calls would take too long. */
		Map<String, @Nullable Object> writeInList(JournalEntry call) {
			Map<String, @Nullable Object> members = members(call);
			members.put("arguments_glimpse", (call.arguments() != null) ? glimpse(call.arguments()) : TOO_LARGE);
			return members;
		}

		private String glimpse(Map<String, @Nullable Object> arguments) {
			int size = JournalEntry.weigh(arguments);
			boolean whole = size <= MAX_GLIMPSED && this.glimpsed + size <= GLIMPSED_IN_ALL;
			this.glimpsed += (whole) ? size : 0;
			return CallWriter.this.glimpse(arguments, whole);
		}

		private Map<String, @Nullable Object> members(JournalEntry call) {
			EndedCall ended = call.ended();
			ToolIdentity tool = call.tool();
			Map<String, @Nullable Object> members = new LinkedHashMap<>();
			members.put("call_id", call.id());
			members.put("tool", tool.modelName());
			if (!tool.isOfApplication()) {
				members.put("server", tool.server());
				members.put("server_tool", tool.name());
			}
			members.put("outcome", ended.status());
			members.put("verdict", ended.verdict());
			members.put("decided_by", ended.decidedBy());
			members.put("origin", (ended.decidedBy() != null) ? this.origins.get(ended.decidedBy()) : null);
			putRule(ended.rule(), members);
			JournalEntry.Answer answer = call.answer();
			if (answer != null) {
				members.put("approval", write(answer));
			}
			members.put("reason", JournalEntry.shortReason(text(ended.reason())));
			members.put("at", Instant.ofEpochMilli(call.time()).toString());
			members.put("duration_ms", millis(ended.nanos()));
			members.put("session_id", call.session());
			members.put("run_id", call.run());
			members.put("agent", call.agent());
			members.put("user", call.user());
			if (ended.scope() != null) {
				members.put("scope", ended.scope().toLowerCase(Locale.ROOT));
			}
			if (ended.failure() != null) {
				members.put("failure", ended.failure());
			}
			if (call.error() != null) {
				members.put("error", JournalEntry.shortReason(text(call.error())));
			}
			add("replaced_by", ended.replacedBy(), members);
			if (!ended.withheld().isEmpty()) {
				members.put("withheld", ended.withheld().stream().map(this::write).toList());
			}
			add("failed_open", ended.failedOpen(), members);
			add("would_deny", ended.wouldDeny(), members);
			members.put("hooks", hooks(call.asked()));
			return members;
		}

		private void putRule(@Nullable HookRule rule, Map<String, @Nullable Object> members) {
			members.put("rule", (rule != null) ? rule.name() : null);
			members.put("rule_origin", (rule != null) ? rule.origin() : null);
			members.put("rule_detail", (rule != null) ? JournalEntry.shortReason(text(rule.detail())) : null);
		}

		private Map<String, @Nullable Object> write(Withheld withheld) {
			Map<String, @Nullable Object> members = new LinkedHashMap<>();
			members.put("by", withheld.hook());
			putRule(withheld.rule(), members);
			members.put("reason", JournalEntry.shortReason(text(withheld.reason())));
			return members;
		}

		private static Map<String, @Nullable Object> write(JournalEntry.Answer answer) {
			Map<String, @Nullable Object> members = new LinkedHashMap<>();
			members.put("answer", answer.verdict());
			members.put("person", answer.person());
			members.put("approver", answer.approver());
			members.put("asked_by", answer.askedBy());
			if (answer.request() != null) {
				members.put("request", answer.request());
			}
			if (answer.rememberedSince() != null) {
				members.put("remembered_since", answer.rememberedSince().toString());
			}
			return members;
		}

		private static void add(String name, List<String> names, Map<String, @Nullable Object> members) {
			if (!names.isEmpty()) {
				members.put(name, names);
			}
		}

		private List<Map<String, @Nullable Object>> hooks(List<AskedHook> asked) {
			List<Map<String, @Nullable Object>> hooks = new ArrayList<>();
			for (AskedHook hook : asked) {
				Map<String, @Nullable Object> members = new LinkedHashMap<>();
				members.put("name", hook.name());
				members.put("verdict", hook.verdict());
				members.put("duration_ms", millis(hook.nanos()));
				members.put("origin", this.origins.get(hook.name()));
				if (hook.limit() != null) {
					members.put("limit", hook.limit().members());
				}
				hooks.add(members);
			}
			return hooks;
		}

	}

}
