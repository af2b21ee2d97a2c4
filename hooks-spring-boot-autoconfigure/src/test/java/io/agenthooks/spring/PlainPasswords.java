package io.agenthooks.spring;

import org.jspecify.annotations.Nullable;
import org.springframework.security.crypto.password.PasswordEncoder;

/**
 * Passwords of people in tests, as they are. Spring Security's default encodes them with
 * bcrypt, also those that are written with {@code {noop}}, which takes most of the time
 * of a test that makes many requests.
 */
public final class PlainPasswords implements PasswordEncoder {

	@Override
	public @Nullable String encode(@Nullable CharSequence password) {
		return (password != null) ? password.toString() : null;
	}

	@Override
	public boolean matches(@Nullable CharSequence password, @Nullable String encoded) {
		return password != null && encoded != null && encoded.contentEquals(password);
	}

}
