package io.agenthooks.spring.binding;

import io.agenthooks.Hook;
import io.agenthooks.spring.HookOptions;

/**
 * A hook made from an entry of the configuration.
 *
 * @param <H> the kind of hook
 * @param hook the hook
 * @param name its name
 * @param type its type
 * @param place where it is written, such as {@code application.yaml:6:9}
 * @param options what the entry says beside the type and its configuration
 * @param ownFailOpen whether the hook itself sees to {@code fail_open}
 * @param ownTimeout whether the hook itself sees to {@code timeout}
 * @since 0.1.0
 */
public record ConfiguredHook<H extends Hook>(H hook, String name, String type, String place, HookOptions options,
		boolean ownFailOpen, boolean ownTimeout) {
}
