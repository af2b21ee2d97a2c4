package io.agenthooks.spring.binding;

import java.util.List;
import java.util.Set;

import io.agenthooks.Hook;

/**
 * The hooks that a part of the configuration lists.
 *
 * @param <H> the kind of hook
 * @param preCall those of the list of hooks that decide
 * @param postCall those of the list for what comes after
 * @param placedBeans the names of the beans that an entry puts into a list, also if the
 * entry is not enabled
 * @since 0.1.0
 */
public record ConfiguredHooks<H extends Hook>(List<ConfiguredHook<H>> preCall, List<ConfiguredHook<H>> postCall,
		Set<String> placedBeans) {
}
