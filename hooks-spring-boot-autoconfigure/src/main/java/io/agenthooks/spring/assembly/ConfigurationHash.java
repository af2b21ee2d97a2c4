package io.agenthooks.spring.assembly;

import java.util.function.UnaryOperator;

import io.agenthooks.Sha256;

/**
 * The hash that versions of the configuration are made with.
 *
 * @param function makes the hash of a text
 * @param keyed whether that takes a key, so that nobody can guess what was hashed
 * @since 0.1.0
 */
public record ConfigurationHash(UnaryOperator<String> function, boolean keyed) {

	public static ConfigurationHash plain() {
		return new ConfigurationHash(Sha256::hex, false);
	}

}
