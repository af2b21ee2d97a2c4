package io.agenthooks.spring.limit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import io.agenthooks.toolcall.ToolCall;

record LimitKeys(List<LimitGroup> groups, OnMissingKey missing) {

	/** It would never be known whether such a call counts. */
	static final String ENDED = "The call has ended while its limit was asked";

	static final String FULL = "Too many limits are counted at the moment, and there is no room for that of this "
			+ "call. Try again later.";

	boolean readsArguments() {
		return this.groups.stream().anyMatch((group) -> group.key().readsArguments());
	}

	List<?> expressions() {
		return this.groups.get(0).key().expressions();
	}

	Found of(ToolCall call) {
		List<String> keys = new ArrayList<>();
		for (LimitGroup group : this.groups) {
			LimitKey.Found found = group.key().of(call);
			if (found.key() == null && !(found.missing() && this.missing == OnMissingKey.SKIP)) {
				return new Found(null, String.valueOf(found.problem()));
			}
			keys.add((found.key() != null) ? found.key() : "");
		}
		return new Found((keys.stream().allMatch(String::isEmpty)) ? null : List.copyOf(keys), null);
	}

	String describe(List<WrittenLimit> limits) {
		return this.groups.stream()
			.filter((group) -> limits.stream().anyMatch(group.limits()::contains))
			.map((group) -> group.key().describe())
			.distinct()
			.collect(Collectors.joining(" and for "));
	}

	String reason(LimitStore.UsedUp usedUp) {
		return "The limit of %s for %s is used up. %s".formatted(texts(usedUp.limits()), describe(usedUp.limits()),
				advice(usedUp));
	}

	private static String advice(LimitStore.UsedUp usedUp) {
		Duration wait = usedUp.freeIn();
		if (usedUp.running()) {
			return "Calls that still run have the last places. Try again when they have ended.";
		}
		return (wait != null) ? "Try again in %s.".formatted(WaitText.of(wait))
				: "It does not come back, so do not try again.";
	}

	static String texts(List<WrittenLimit> limits) {
		return limits.stream().map(WrittenLimit::text).collect(Collectors.joining(" and of "));
	}

	static String fullWarning(String hook, int maxKeys) {
		return ("Hook '%s': a call is denied since there is no room for its limit: %d others are kept. "
				+ "Raise 'max_keys', or use a key with fewer values")
			.formatted(hook, maxKeys);
	}

	List<WrittenLimit> limits() {
		return this.groups.stream().flatMap((group) -> group.limits().stream()).toList();
	}

	/**
	 * A key is empty if the limits of its group do not count the call; {@code null} if
	 * none does. The problem is a sentence without values of the call.
	 */
	record Found(@Nullable List<String> keys, @Nullable String problem) {
	}

}
