package io.agenthooks.spring.actuator;

import java.security.Principal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

import io.agenthooks.SafeText;
import io.agenthooks.spring.ended.HookModes;
import io.agenthooks.spring.web.Replies;

/**
 * Lets hooks only observe for a while, on record, for somebody who is logged in.
 */
final class ModeSwitch {

	private static final int FORBIDDEN = 403;

	private static final Logger logger = LoggerFactory.getLogger(ModeSwitch.class);

	private final ToolHooksEndpoint.Chains chains;

	private final ObjectProvider<HookModes.Watch> watches;

	ModeSwitch(ToolHooksEndpoint.Chains chains, ObjectProvider<HookModes.Watch> watches) {
		this.chains = chains;
		this.watches = watches;
	}

	/** When the hooks decide again that only observe for a while, by their names. */
	Map<String, String> observing() {
		Map<String, String> observing = new TreeMap<>();
		modes().forEach((modes) -> modes.observing().forEach((name, until) -> observing.put(name, until.toString())));
		return observing;
	}

	WebEndpointResponse<Map<String, @Nullable Object>> change(ModeRequest request, @Nullable Principal who) {
		if (who == null) {
			return Replies.error("Only somebody who is logged in may change the mode of a hook", FORBIDDEN);
		}
		String hook = request.hook();
		Duration time = request.time();
		List<HookModes> changed = new ArrayList<>();
		Instant until = null;
		for (HookModes modes : modes().toList()) {
			try {
				Instant end = (time != null) ? modes.observe(hook, time, () -> report(changed, modes, hook)) : null;
				if (end != null || (time == null && modes.enforce(hook))) {
					changed.add(modes);
					until = end;
				}
			}
			catch (IllegalStateException ex) {
				return Replies.error(String.valueOf(ex.getMessage()), Replies.CONFLICT);
			}
		}
		if (changed.isEmpty()) {
			return Replies.notFound((time != null) ? "There is no hook of this name that decides"
					: "No hook of this name only observes for a while");
		}
		logger.warn("The hook '{}' is switched to {} at the actuator by '{}'", SafeText.name(hook),
				(time != null) ? "observe for " + time : "enforce", SafeText.name(who.getName()));
		this.watches.orderedStream().forEach((watch) -> watch.changed(hook, time != null, time, who.getName()));
		Map<String, @Nullable Object> members = new LinkedHashMap<>();
		members.put("name", hook);
		members.put("mode", (time != null) ? "observe" : "enforce");
		members.put("until", (until != null) ? until.toString() : null);
		return Replies.ok(members);
	}

	/** Report once that the time of a hook is over, however many chains have it. */
	private void report(List<HookModes> changed, HookModes modes, String hook) {
		if (changed.isEmpty() || changed.get(0).equals(modes)) {
			this.watches.orderedStream().forEach((watch) -> watch.changed(hook, false, null, null));
		}
	}

	private Stream<HookModes> modes() {
		return Stream
			.of(this.chains.toolHooks().getIfAvailable(), this.chains.llmHooks().getIfAvailable(),
					this.chains.runHooks().getIfAvailable())
			.filter(HookModes.class::isInstance)
			.map(HookModes.class::cast);
	}

}
