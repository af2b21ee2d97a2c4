package io.agenthooks.spring.actuator;

import java.security.Principal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

import io.agenthooks.SafeText;
import io.agenthooks.spring.outcome.HookModes;
import io.agenthooks.spring.web.Replies;

/**
 * Lets a hook only observe for a while, on record, for somebody who is logged in. It is
 * an endpoint of its own, and no selector of another: Spring Boot takes selectors from
 * the body too, so a rule about a path could not tell them apart.
 *
 * @since 0.1.0
 */
@Endpoint(id = "hookmodes", defaultAccess = Access.NONE)
public final class HookModesEndpoint {

	private static final int FORBIDDEN = 403;

	private static final Logger logger = LoggerFactory.getLogger(HookModesEndpoint.class);

	private final ToolHooksEndpoint.Chains chains;

	private final ObjectProvider<HookModes.Watch> watches;

	HookModesEndpoint(ToolHooksEndpoint.Chains chains, ObjectProvider<HookModes.Watch> watches) {
		this.chains = chains;
		this.watches = watches;
	}

	/**
	 * Let a hook only observe for a while, or decide again before that.
	 * @param name the name of the hook
	 * @param mode {@code observe}, or {@code enforce} to decide again
	 * @param duration for how long it observes, such as {@code 30m}, or {@code null} if
	 * it is to decide again
	 * @param caller who asks
	 * @return how long the hook observes
	 */
	@WriteOperation
	public WebEndpointResponse<Map<String, @Nullable Object>> change(String name, String mode,
			@Nullable String duration, SecurityContext caller) {
		ModeRequest request;
		try {
			request = ModeRequest.of(name, mode, duration);
		}
		catch (IllegalArgumentException ex) {
			return Replies.badRequest(String.valueOf(ex.getMessage()));
		}
		return Replies.of("The mode of the hook could not be changed", () -> change(request, caller.getPrincipal()));
	}

	private WebEndpointResponse<Map<String, @Nullable Object>> change(ModeRequest request, @Nullable Principal who) {
		if (who == null) {
			return Replies.error("Only somebody who is logged in may change the mode of a hook", FORBIDDEN);
		}
		String hook = request.hook();
		Duration time = request.time();
		List<HookModes> chains = this.chains.modes().toList();
		if (time != null) {
			try {
				// All chains that have the hook, or none: one that only observes in some
				// would do so without a record.
				chains.forEach((modes) -> modes.canObserve(hook));
			}
			catch (IllegalStateException ex) {
				return Replies.error(String.valueOf(ex.getMessage()), Replies.CONFLICT);
			}
		}
		List<HookModes> changed = new ArrayList<>();
		Instant until = null;
		for (HookModes modes : chains) {
			Instant end = (time != null) ? modes.observe(hook, time, () -> report(changed, modes, hook)) : null;
			if (end != null || (time == null && modes.enforce(hook))) {
				changed.add(modes);
				until = end;
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

}
