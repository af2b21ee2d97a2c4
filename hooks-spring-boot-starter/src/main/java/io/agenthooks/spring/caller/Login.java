package io.agenthooks.spring.caller;

import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * Who is logged in, as far as it is known. That it is a guest is knowledge, too: nobody
 * whom another thread or an earlier call knew may take the guest's place.
 *
 * @param user the name, or {@code null} if it is a guest or unknown
 * @param known whether it is known
 * @since 0.1.0
 */
public record Login(@Nullable String user, boolean known) {

	/**
	 * Nobody says who is logged in.
	 */
	public static final Login UNKNOWN = new Login(null, false);

	/**
	 * It is known that nobody is logged in.
	 */
	public static final Login GUEST = new Login(null, true);

	/**
	 * Create a login.
	 * @throws IllegalArgumentException if there is a user who is not known
	 */
	public Login {
		if (user != null && !known) {
			throw new IllegalArgumentException("'known' must be true if there is a user");
		}
	}

	/**
	 * The login of a user.
	 * @param user the name
	 * @return the login
	 */
	public static Login of(String user) {
		return new Login(user, true);
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
	 * This login, unless somebody says who the user is.
	 * @param user who it is, or {@code null} if nobody says
	 * @return what is known then
	 */
	public Login as(@Nullable String user) {
		return (user == null || user.equals(this.user)) ? this : of(user);
	}

}
