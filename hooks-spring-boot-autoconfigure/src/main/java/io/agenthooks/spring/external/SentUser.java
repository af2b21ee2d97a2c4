package io.agenthooks.spring.external;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import io.agenthooks.CallContext;
import io.agenthooks.InvalidHookConfigException.Problem;

/**
 * The part of the user of a call, beside the name, that an external decider learns:
 * nothing, unless the option {@code send_user} lists it.
 *
 * @param authorities whether it learns the authorities
 * @param claims the names of the claims that it learns
 * @since 0.1.0
 */
public record SentUser(boolean authorities, Set<String> claims) {

	/** Nothing is sent. */
	public static final SentUser NOTHING = new SentUser(false, Set.of());

	private static final String SEND_USER = "send_user";

	private static final String AUTHORITIES = "authorities";

	private static final String CLAIMS = "claims";

	private static final String CLAIM = CLAIMS + ".";

	public static SentUser of(@Nullable List<String> send, List<Problem> problems) {
		List<String> written = (send != null) ? send : List.of();
		Set<String> claims = new LinkedHashSet<>();
		boolean authorities = false;
		for (int i = 0; i < written.size(); i++) {
			String name = written.get(i);
			if (name.equals(AUTHORITIES)) {
				authorities = true;
			}
			else if (name.startsWith(CLAIM) && !name.substring(CLAIM.length()).isBlank() && !name.contains("*")) {
				claims.add(name.substring(CLAIM.length()));
			}
			else {
				problems.add(new Problem(List.of(SEND_USER, Integer.toString(i)),
						"The user has nothing that is sent under this name.",
						"Write authorities, or claims. and the name of a claim, such as claims.tenant."));
			}
		}
		return new SentUser(authorities, claims);
	}

	/**
	 * Add what is sent to a message.
	 * @param message the message
	 * @param context who makes the call
	 */
	public void addTo(Map<String, @Nullable Object> message, CallContext context) {
		if (this.authorities) {
			message.put(AUTHORITIES, new ArrayList<>(context.authorities()));
		}
		if (!this.claims.isEmpty()) {
			Map<String, Object> sent = new LinkedHashMap<>(context.claims());
			sent.keySet().retainAll(this.claims);
			message.put(CLAIMS, sent);
		}
	}

}
