package io.agenthooks.spring.caller;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.agenthooks.CallContext;

/**
 * The user who is logged in, as far as is known, and what the user may do. That it is a
 * guest is knowledge, too: nobody whom another thread or an earlier call knew may take
 * the guest's place.
 *
 * @since 0.1.0
 */
public final class Login {

	/** The login if no security framework knows the user. */
	public static final Login UNKNOWN = new Login(CallContext.empty(), false);

	/** It is known that nobody is logged in. */
	public static final Login GUEST = new Login(CallContext.empty(), true);

	private final CallContext who;

	private final boolean known;

	private Login(CallContext who, boolean known) {
		this.who = who;
		this.known = known;
	}

	public static Login of(String user) {
		return of(user, List.of(), Map.of());
	}

	/**
	 * The login of a user.
	 * @param user the name
	 * @param authorities what the user may do
	 * @param claims what else is known of the user, and hooks may learn
	 * @return the login
	 */
	public static Login of(String user, Collection<String> authorities, Map<String, ?> claims) {
		Objects.requireNonNull(user, "'user' must not be null");
		return new Login(CallContext.empty().withUser(user).withAuthorities(authorities).withClaims(claims), true);
	}

	/**
	 * The name of the user.
	 * @return the name, or {@code null} if it is a guest or unknown
	 */
	public @Nullable String user() {
		return this.who.user();
	}

	public boolean known() {
		return this.known;
	}

	/**
	 * This login, or another one if this is unknown.
	 * @param other the other one
	 * @return what is known
	 */
	public Login or(Supplier<Login> other) {
		return (this.known) ? this : other.get();
	}

	/**
	 * This login, unless somebody says who the user is. Of another user only the name is
	 * known.
	 * @param user who it is, or {@code null} if nobody says
	 * @return what is known then
	 */
	public Login as(@Nullable String user) {
		return (user == null || user.equals(user())) ? this : of(user);
	}

	/**
	 * This login, unless hooks were told of a user: then that one, with all that they
	 * were told.
	 * @param told what hooks were told
	 * @return what is known then
	 */
	public Login as(CallContext told) {
		if (told.user() == null || in(told).equals(told)) {
			return this;
		}
		return of(told.user(), told.authorities(), told.claims());
	}

	/**
	 * A context of this user, and of no other.
	 * @param context the context
	 * @return the context with user, authorities and claims of this login
	 */
	public CallContext in(CallContext context) {
		CallContext named = context.withUser(user());
		return (user() == null) ? named : named.withAuthorities(this.who.authorities()).withClaims(this.who.claims());
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof Login login && this.known == login.known && this.who.equals(login.who);
	}

	@Override
	public int hashCode() {
		return this.who.hashCode();
	}

	/** The login without the values of claims, which may be secret. */
	@Override
	public String toString() {
		return (this.known) ? "Login[%s]".formatted(this.who) : "Login[unknown]";
	}

}
