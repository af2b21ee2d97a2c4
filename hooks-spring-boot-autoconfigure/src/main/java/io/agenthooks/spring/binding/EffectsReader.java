package io.agenthooks.spring.binding;

import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.env.PropertyResolver;

import io.agenthooks.spring.binding.ConfiguredHooks.Mistake;

/**
 * Reads the effects of all sources together: one that opens what another holds has to say
 * so.
 */
final class EffectsReader {

	private static final Logger logger = LoggerFactory.getLogger(EffectsReader.class);

	private final HookPropertySources properties;

	private final PropertyResolver placeholders;

	private final StrictBinder binder;

	EffectsReader(HookPropertySources properties, PropertyResolver placeholders, StrictBinder binder) {
		this.properties = properties;
		this.placeholders = placeholders;
		this.binder = binder;
	}

	@Nullable ToolEffects read() {
		List<PropertyNode> sources = this.properties.lists(HookSection.TOOL_CALL, ToolEffects.KEY);
		if (sources.isEmpty()) {
			return null;
		}
		PropertyNode all = sources.get(sources.size() - 1);
		for (int i = sources.size() - 2; i >= 0; i--) {
			PropertyNode merged = sources.get(i).over(all, (list, replaced) -> {
			});
			checkLooser(sources.get(i), merged, all);
			all = merged;
		}
		StrictBinder.Bound<EffectsConfig> bound = this.binder.bind(all, EffectsConfig.class, List.of(), Set.of());
		EffectsConfig config = bound.value();
		if (!bound.isSound() || config == null) {
			return null;
		}
		if (config.unknown() == null) {
			problem(all, "does not say what becomes of calls of tools whose effect is written nowhere",
					"Write 'unknown: ask' or 'unknown: deny' below it.");
			return null;
		}
		return new ToolEffects(config, all);
	}

	private void checkLooser(PropertyNode source, PropertyNode merged, PropertyNode below) {
		EffectsConfig before = bind(below);
		EffectsConfig after = bind(merged);
		// What cannot be read may have held anything.
		if (after == null || (before != null && !after.isLooserThan(before))) {
			return;
		}
		if (WrittenHooks.replacedOver(this.properties, HookSection.TOOL_CALL, below).contains(ToolEffects.KEY)) {
			logger.warn("{} ({}) opens what {} holds, as 'replaces' says", source.path(), source.place(),
					below.place());
		}
		else {
			problem(source, "opens what the effects of %s hold".formatted(below.place()),
					"Remove it. If it is meant, write '%s: [%s]' under 'hooks.tool_call' of this source."
						.formatted(HookSection.REPLACES, ToolEffects.KEY));
		}
	}

	/** Null for one with mistakes, which are told once, of all sources together. */
	private @Nullable EffectsConfig bind(PropertyNode node) {
		StrictBinder.Bound<EffectsConfig> bound = new StrictBinder(this.placeholders, HookConversions.inOrder(null),
				(config) -> List.of())
			.bind(node, EffectsConfig.class, List.of(), Set.of());
		return (bound.isSound()) ? bound.value() : null;
	}

	private void problem(PropertyNode node, String message, String action) {
		this.binder.problems().add(Mistake.of(node, message, action));
	}

}
