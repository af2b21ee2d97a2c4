package io.agenthooks.spring.assembly;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

import org.springframework.core.Ordered;

import io.agenthooks.ArgumentsMask;
import io.agenthooks.ExternalHook;
import io.agenthooks.Hook;
import io.agenthooks.chain.HookEntry;
import io.agenthooks.spring.ActiveHooks;
import io.agenthooks.spring.ActiveHooks.Phase;
import io.agenthooks.spring.HookOptions;
import io.agenthooks.toolcall.ToolHook;

/**
 * The active hooks of one kind, in the order in which they are asked. Stable, so within
 * one order beans come first, then the rest as written and registered.
 */
final class AssembledHooks<H extends Hook> {

	private final List<AssembledHook<H>> hooks;

	AssembledHooks(Collection<AssembledHook<H>> hooks) {
		this.hooks = hooks.stream()
			.sorted(Comparator.comparing((AssembledHook<H> hook) -> hook.listed().phase())
				.thenComparingInt((hook) -> hook.listed().options().order()))
			.toList();
	}

	AssembledHooks<H> with(Collection<AssembledHook<H>> others) {
		return new AssembledHooks<>(Stream.concat(this.hooks.stream(), others.stream()).toList());
	}

	AssembledHooks<H> observing(Predicate<String> names) {
		return new AssembledHooks<>(this.hooks.stream()
			.map((hook) -> (hook.isDecider() && names.test(hook.listed().name())) ? hook.observing() : hook)
			.toList());
	}

	boolean isDecider(String name) {
		return this.hooks.stream().anyMatch((hook) -> hook.listed().name().equals(name) && hook.isDecider());
	}

	List<ActiveHooks.Listed> list() {
		return this.hooks.stream().map(AssembledHook::listed).toList();
	}

	List<AssembledHook<H>> all() {
		return this.hooks;
	}

	private List<ActiveHooks.Listed> list(Phase phase) {
		return list().stream().filter((hook) -> hook.phase() == phase).toList();
	}

	boolean isEmpty() {
		return this.hooks.isEmpty();
	}

	/** Whether a hook is of this kind only: one of all kinds just records or measures. */
	boolean haveOwn() {
		return this.hooks.stream().map((hook) -> hook.entry().hook()).anyMatch((hook) -> !(hook instanceof ToolHook));
	}

	boolean has(String name) {
		return this.hooks.stream().anyMatch((hook) -> hook.listed().name().equals(name));
	}

	/** The hooks that send out arguments before others mask them, each in a sentence. */
	List<String> unmasked() {
		List<String> warnings = new ArrayList<>();
		List<ActiveHooks.Listed> sending = new ArrayList<>();
		for (AssembledHook<H> hook : this.hooks) {
			ActiveHooks.Listed listed = hook.listed();
			if (listed.phase() == Phase.PRE_CALL && hook.entry().hook() instanceof ArgumentsMask) {
				sending.forEach((earlier) -> warnings
					.add(("The hook '%s' (%s) is asked before '%s' (%s), so it gets arguments that this does not mask. "
							+ "Write '%s' before it, or give it a lower 'order'.")
						.formatted(earlier.name(), earlier.origin(), listed.name(), listed.origin(), listed.name())));
			}
			else if (listed.phase() == Phase.PRE_CALL && hook.entry().hook() instanceof ExternalHook) {
				sending.add(listed);
			}
		}
		return warnings;
	}

	<K extends H> List<HookEntry<K>> entries(Phase phase, Class<K> part) {
		return this.hooks.stream()
			.filter((hook) -> hook.listed().phase() == phase)
			.map((hook) -> hook.entry().as(part))
			.toList();
	}

	String describe(String title, String noun, String result) {
		StringBuilder text = new StringBuilder(title);
		describe(text, "before the " + noun, list(Phase.PRE_CALL));
		if (!list(Phase.RESULT).isEmpty()) {
			describe(text, "about the " + result, list(Phase.RESULT));
		}
		describe(text, "after the " + noun, list(Phase.POST_CALL));
		return text.toString();
	}

	private static void describe(StringBuilder text, String title, List<ActiveHooks.Listed> hooks) {
		text.append("%n  %s:".formatted(title));
		if (hooks.isEmpty()) {
			text.append(" none");
		}
		for (int i = 0; i < hooks.size(); i++) {
			ActiveHooks.Listed hook = hooks.get(i);
			HookOptions options = hook.options();
			text.append("%n    %d. %s (type %s%s%s, from %s)%s".formatted(i + 1, hook.name(), hook.type(),
					(options.order() != Ordered.LOWEST_PRECEDENCE) ? ", order " + options.order() : "",
					(options.mode() == HookOptions.Mode.OBSERVE) ? ", observes only" : "", hook.origin(),
					ScopeText.of(options.scope())));
		}
	}

}
