package io.agenthooks;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * The caller of a call: user, agent, session, run and attributes.
 *
 * @param sessionId the conversation that the call belongs to, or {@code null} if there is
 * none
 * @param runId the run of the agent that the call belongs to, or {@code null} if nobody
 * counts runs; to abort the run then ends the session of this user and agent
 * @param rootRunId the outermost run that the call serves: that of the agent inside of
 * one of whose tools this agent works, or the run itself
 * @param user the person that the agent works for, or {@code null} if it is unknown
 * @param authorities what the user may do, such as {@code ROLE_ADMIN}; empty if that is
 * not known, and always without a user
 * @param claims what else is known of the user, such as the tenant, as immutable JSON
 * values by name; always empty without a user. Kept out of {@link #toString()}
 * @param agent the name of the agent, or {@code null} if it has none
 * @param role the role that the agent acts in
 * @param workspace the workspace that the agent acts in
 * @param attempt which try of the same call this is, from 1
 * @param attributes anything else worth knowing about the call; kept out of
 * {@link #toString()}
 * @since 0.1.0
 */
public record CallContext(@Nullable String sessionId, @Nullable String runId, @Nullable String rootRunId,
		@Nullable String user, Set<String> authorities, Map<String, Object> claims, @Nullable String agent, String role,
		String workspace, int attempt, Map<String, Object> attributes) {

	/** The role of a call that names none. */
	public static final String DEFAULT_ROLE = "agent";

	/** The workspace of a call that names none. */
	public static final String DEFAULT_WORKSPACE = "main";

	private static final CallContext EMPTY = new CallContext(null, null, null, null, Set.of(), Map.of(), null,
			DEFAULT_ROLE, DEFAULT_WORKSPACE, 1, Map.of());

	/**
	 * Create a context.
	 * @throws IllegalArgumentException if {@code attempt} is below 1, if there are
	 * authorities or claims but no user, or if a claim is not a JSON value
	 */
	public CallContext {
		authorities = UserDetails.authorities(authorities);
		claims = UserDetails.claims(claims);
		if (user == null && !(authorities.isEmpty() && claims.isEmpty())) {
			throw new IllegalArgumentException("'user' must not be null if there are authorities or claims");
		}
		Objects.requireNonNull(role, "'role' must not be null");
		Objects.requireNonNull(workspace, "'workspace' must not be null");
		Objects.requireNonNull(attributes, "'attributes' must not be null");
		if (attempt < 1) {
			throw new IllegalArgumentException("'attempt' must be 1 or more");
		}
		attributes = Collections.unmodifiableMap(new LinkedHashMap<>(attributes));
		// One that is the run itself goes along when the run is replaced.
		rootRunId = (Objects.equals(rootRunId, runId)) ? null : rootRunId;
	}

	/**
	 * The outermost run that the call serves, for which counts what counts per run.
	 * @return that of the agent inside of one of whose tools this agent works, or the run
	 * itself; {@code null} if neither is known
	 */
	@Override
	public @Nullable String rootRunId() {
		return (this.rootRunId != null) ? this.rootRunId : this.runId;
	}

	/**
	 * A context that says nothing: the defaults, first attempt, no session.
	 * @return the empty context
	 */
	public static CallContext empty() {
		return EMPTY;
	}

	/**
	 * A context of a session.
	 * @param sessionId the conversation that the call belongs to, or {@code null}
	 * @return the context
	 */
	public static CallContext ofSession(@Nullable String sessionId) {
		return EMPTY.withSessionId(sessionId);
	}

	/**
	 * This context with another session.
	 * @param sessionId the session, or {@code null} for none
	 * @return the new context
	 */
	public CallContext withSessionId(@Nullable String sessionId) {
		return new CallContext(sessionId, this.runId, this.rootRunId, this.user, this.authorities, this.claims,
				this.agent, this.role, this.workspace, this.attempt, this.attributes);
	}

	/**
	 * This context with another run.
	 * @param runId the run, or {@code null} for none
	 * @return the new context
	 */
	public CallContext withRunId(@Nullable String runId) {
		return new CallContext(this.sessionId, runId, this.rootRunId, this.user, this.authorities, this.claims,
				this.agent, this.role, this.workspace, this.attempt, this.attributes);
	}

	/**
	 * This context inside of another run: that of an agent inside of one of whose tools
	 * this one works.
	 * @param rootRunId the outermost run, or {@code null} if it is the run itself
	 * @return the new context
	 */
	public CallContext withRootRunId(@Nullable String rootRunId) {
		return new CallContext(this.sessionId, this.runId, rootRunId, this.user, this.authorities, this.claims,
				this.agent, this.role, this.workspace, this.attempt, this.attributes);
	}

	/**
	 * This context with another user, without the authorities and claims of the one
	 * before unless that is the same.
	 * @param user the person, or {@code null} for none
	 * @return the new context
	 */
	public CallContext withUser(@Nullable String user) {
		boolean same = Objects.equals(user, this.user);
		return new CallContext(this.sessionId, this.runId, this.rootRunId, user, (same) ? this.authorities : Set.of(),
				(same) ? this.claims : Map.of(), this.agent, this.role, this.workspace, this.attempt, this.attributes);
	}

	/**
	 * This context with other authorities of its user.
	 * @param authorities all that the user may do
	 * @return the new context
	 * @throws IllegalArgumentException if there are some, but no user
	 */
	public CallContext withAuthorities(Collection<String> authorities) {
		return new CallContext(this.sessionId, this.runId, this.rootRunId, this.user,
				UserDetails.authorities(authorities), this.claims, this.agent, this.role, this.workspace, this.attempt,
				this.attributes);
	}

	/**
	 * This context with other claims about its user.
	 * @param claims all that is known of the user: texts, numbers, booleans, lists and
	 * maps, by name
	 * @return the new context
	 * @throws IllegalArgumentException if there are some, but no user, or if one is no
	 * JSON value
	 */
	public CallContext withClaims(Map<String, ?> claims) {
		return new CallContext(this.sessionId, this.runId, this.rootRunId, this.user, this.authorities,
				UserDetails.claims(claims), this.agent, this.role, this.workspace, this.attempt, this.attributes);
	}

	/**
	 * This context with another agent.
	 * @param agent the agent's name, or {@code null} for none
	 * @return the new context
	 */
	public CallContext withAgent(@Nullable String agent) {
		return new CallContext(this.sessionId, this.runId, this.rootRunId, this.user, this.authorities, this.claims,
				agent, this.role, this.workspace, this.attempt, this.attributes);
	}

	/**
	 * This context with another role.
	 * @param role the role
	 * @return the new context
	 */
	public CallContext withRole(String role) {
		return new CallContext(this.sessionId, this.runId, this.rootRunId, this.user, this.authorities, this.claims,
				this.agent, role, this.workspace, this.attempt, this.attributes);
	}

	/**
	 * This context with another workspace.
	 * @param workspace the workspace
	 * @return the new context
	 */
	public CallContext withWorkspace(String workspace) {
		return new CallContext(this.sessionId, this.runId, this.rootRunId, this.user, this.authorities, this.claims,
				this.agent, this.role, workspace, this.attempt, this.attributes);
	}

	/**
	 * This context as another attempt of the same call.
	 * @param attempt the attempt, from 1
	 * @return the new context
	 */
	public CallContext withAttempt(int attempt) {
		return new CallContext(this.sessionId, this.runId, this.rootRunId, this.user, this.authorities, this.claims,
				this.agent, this.role, this.workspace, attempt, this.attributes);
	}

	/**
	 * This context with one more attribute.
	 * @param name the attribute's name
	 * @param value its value
	 * @return the new context
	 */
	public CallContext withAttribute(String name, Object value) {
		Map<String, Object> more = new LinkedHashMap<>(this.attributes);
		more.put(name, Objects.requireNonNull(value, "'value' must not be null"));
		return new CallContext(this.sessionId, this.runId, this.rootRunId, this.user, this.authorities, this.claims,
				this.agent, this.role, this.workspace, this.attempt, more);
	}

	/**
	 * The context without the values of its attributes and claims, which may be secret.
	 */
	@Override
	public String toString() {
		return ("CallContext[sessionId=%s, runId=%s, rootRunId=%s, user=%s, authorities=%s, claims=%s, agent=%s, role=%s, "
				+ "workspace=%s, attempt=%d, attributes=%s]")
			.formatted(safe(this.sessionId), safe(this.runId), safe(rootRunId()), safe(this.user),
					safe(this.authorities), safe(this.claims.keySet()), safe(this.agent), safe(this.role),
					safe(this.workspace), this.attempt, safe(this.attributes.keySet()));
	}

	private static List<String> safe(Collection<String> names) {
		return names.stream().map(SafeText::name).toList();
	}

	private static @Nullable String safe(@Nullable String text) {
		return (text != null) ? SafeText.name(text) : null;
	}

}
