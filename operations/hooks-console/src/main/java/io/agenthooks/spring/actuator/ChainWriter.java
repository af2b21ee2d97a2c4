package io.agenthooks.spring.actuator;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.agenthooks.DescribedHook;
import io.agenthooks.Hook;
import io.agenthooks.spring.ActiveHooks.Listed;
import io.agenthooks.spring.ActiveHooks.Phase;
import io.agenthooks.spring.HookOptions;
import io.agenthooks.spring.HookScope;
import io.agenthooks.spring.SentArguments;
import io.agenthooks.spring.external.SilentDeciders;
import io.agenthooks.spring.scope.UnmatchedNames;

/**
 * Active hooks as they are shown. Their configuration stays out, for secrets may stand in
 * it.
 */
record ChainWriter(LimitsLeft limits, UnmatchedNames unmatched, SilentDeciders silent) {

	static final String PRE_CALL = "pre_call";

	static final String POST_CALL = "post_call";

	private static final String EXCEPT = "except";

	private static final String UNMATCHED = "matched_nothing_so_far";

	Map<String, @Nullable Object> write(Collection<Listed> hooks, Class<? extends Hook> kind) {
		List<Map<String, @Nullable Object>> before = new ArrayList<>();
		List<Map<String, @Nullable Object>> after = new ArrayList<>();
		for (Listed hook : hooks) {
			((hook.phase() == Phase.PRE_CALL) ? before : after).add(writeOne(hook, kind));
		}
		Map<String, @Nullable Object> chain = new LinkedHashMap<>();
		chain.put(PRE_CALL, before);
		chain.put(POST_CALL, after);
		return chain;
	}

	private Map<String, @Nullable Object> writeOne(Listed hook, Class<? extends Hook> kind) {
		HookOptions options = hook.options();
		Map<String, @Nullable Object> members = new LinkedHashMap<>();
		members.put("name", hook.name());
		members.put("type", hook.type());
		members.put("origin", hook.origin());
		members.put("order", options.order());
		members.put("phase", hook.phase().name().toLowerCase(Locale.ROOT));
		members.put("mode", options.mode().name().toLowerCase(Locale.ROOT));
		add("fail_open", options.failOpen(), members);
		add("timeout_ms", (options.timeout() != null) ? options.timeout().toMillis() : null, members);
		addScope(options.scope(), members);
		Map<String, List<String>> unmatched = this.unmatched.of(hook.name());
		add(UNMATCHED, (unmatched.isEmpty()) ? null : unmatched, members);
		SentArguments sent = options.sent();
		if (sent != null) {
			add("send", sent.send(), members);
			add("mask", sent.mask(), members);
		}
		if (hook.phase() == Phase.PRE_CALL) {
			add("never_objected_in_calls", this.silent.of(hook.name()), members);
			add("limit", this.limits.of(hook.name(), kind), members);
		}
		if (!hook.rules().isEmpty()) {
			members.put("rules", hook.rules().stream().map(ChainWriter::write).toList());
		}
		return members;
	}

	private static void addScope(HookScope scope, Map<String, @Nullable Object> members) {
		add("match", scope.match(), members);
		add("matcher", scope.matcher(), members);
		add(EXCEPT, scope.except(), members);
		add("agents", scope.agents(), members);
		add("roles", scope.roles(), members);
		add("workspaces", scope.workspaces(), members);
		add("users", scope.users(), members);
		add("authorities", scope.authorities(), members);
		add("mcp_servers", scope.mcpServers(), members);
	}

	private static Map<String, @Nullable Object> write(DescribedHook.ListedRule rule) {
		Map<String, @Nullable Object> members = new LinkedHashMap<>();
		members.put("name", rule.name());
		members.put("then", rule.then());
		add("tools", rule.tools(), members);
		if (!rule.except().isEmpty()) {
			members.put(EXCEPT, rule.except());
		}
		add("reason", rule.reason(), members);
		add("origin", rule.origin(), members);
		return members;
	}

	private static void add(String name, @Nullable Object value, Map<String, @Nullable Object> members) {
		if (value != null) {
			members.put(name, value);
		}
	}

}
