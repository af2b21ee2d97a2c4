package io.agenthooks.spring.health;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

import io.agenthooks.spring.HookHealth;
import io.agenthooks.spring.assembly.HealthOfHooks;
import io.agenthooks.spring.external.LostNotifications;
import io.agenthooks.spring.external.SilentDeciders;
import io.agenthooks.spring.scope.UnmatchedNames;

/**
 * Down if a hook is down whose failure denies calls, out of service while it recovers.
 * Hooks that fail open, only observe or only learn are shown, too.
 */
record ToolHooksHealthIndicator(HealthOfHooks hooks, UnmatchedNames unmatched, SilentDeciders silent,
		LostNotifications lost) implements HealthIndicator {

	@Override
	public Health health() {
		boolean down = false;
		boolean recovering = false;
		Map<String, Object> details = new LinkedHashMap<>();
		for (Map.Entry<String, HealthOfHooks.Known> named : this.hooks.hooks().entrySet()) {
			HealthOfHooks.Known known = named.getValue();
			HookHealth.Report report = known.report();
			boolean needed = known.isNeeded(report);
			down |= needed && report.state() == HookHealth.State.DOWN;
			recovering |= needed && report.state() == HookHealth.State.RECOVERING;
			details.put(named.getKey(), describe(known.type(), needed, report));
		}
		Map<String, Map<String, List<String>>> unmatched = this.unmatched.all();
		if (!unmatched.isEmpty()) {
			details.put("matched_nothing_so_far", unmatched);
		}
		Map<String, Long> silent = this.silent.all();
		if (!silent.isEmpty()) {
			details.put("never_objected_in_calls", silent);
		}
		Map<String, Long> lost = this.lost.all();
		if (!lost.isEmpty()) {
			details.put("lost_notifications", lost);
		}
		Health.Builder health = (down) ? Health.down() : (recovering) ? Health.outOfService() : Health.up();
		return health.withDetails(details).build();
	}

	private static Map<String, Object> describe(String type, boolean needed, HookHealth.Report report) {
		Map<String, Object> description = new LinkedHashMap<>();
		description.put("type", type);
		description.put("state", report.state().name().toLowerCase(Locale.ROOT));
		description.put("denies_when_down", needed);
		description.putAll(report.details());
		return description;
	}

}
