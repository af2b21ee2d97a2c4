package io.agenthooks.spring.assembly;

import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.Map;

import org.springframework.beans.factory.ObjectProvider;

import io.agenthooks.chain.FailMode;
import io.agenthooks.spring.ActiveHooks;
import io.agenthooks.spring.HookHealth;

/**
 * The health of the active hooks of all kinds, as far as they know it.
 *
 * @since 0.1.0
 */
public final class HealthOfHooks {

	private static final Comparator<RunTimeHooks<?>> TOOLS_FIRST = Comparator
		.<RunTimeHooks<?>, String>comparing(RunTimeHooks::kind)
		.reversed();

	private final ObjectProvider<RunTimeHooks<?>> hooks;

	HealthOfHooks(ObjectProvider<RunTimeHooks<?>> hooks) {
		this.hooks = hooks;
	}

	/**
	 * Return the active hooks that know how they are. A hook of several phases or kinds
	 * is there once; of several with one name, the later ones have their kind behind it.
	 * @return the hooks by name, in the order in which they are asked
	 */
	public Map<String, Known> hooks() {
		IdentityHashMap<HookHealth, String> names = new IdentityHashMap<>();
		Map<String, Known> known = new LinkedHashMap<>();
		this.hooks.stream()
			.sorted(TOOLS_FIRST)
			.forEach((kind) -> kind.active().forEach((hook) -> add(kind.kind(), hook, names, known)));
		return known;
	}

	private static void add(String kind, AssembledHook<?> hook, IdentityHashMap<HookHealth, String> names,
			Map<String, Known> known) {
		if (hook.entry().hook() instanceof HookHealth health) {
			ActiveHooks.Listed listed = hook.listed();
			String name = names.computeIfAbsent(health,
					(absent) -> (known.containsKey(listed.name())) ? listed.name() + " (" + kind + ")" : listed.name());
			known.merge(name,
					new Known(listed.type(), health, hook.isDecider(), hook.entry().failMode() == FailMode.OPEN),
					Known::or);
		}
	}

	/**
	 * A hook that knows how it is.
	 *
	 * @param type its type
	 * @param hook the hook
	 * @param decides whether calls depend on it, in any of its phases
	 * @param failsOpen whether its entries let calls pass when it fails
	 * @since 0.1.0
	 */
	public record Known(String type, HookHealth hook, boolean decides, boolean failsOpen) {

		private Known or(Known other) {
			return new Known(this.type, this.hook, this.decides || other.decides, this.failsOpen && other.failsOpen);
		}

		/**
		 * Return the health of the hook. One that cannot tell counts as down.
		 * @return its report
		 */
		public HookHealth.Report report() {
			try {
				return this.hook.health();
			}
			catch (RuntimeException ex) {
				return new HookHealth.Report(HookHealth.State.DOWN, this.failsOpen,
						Map.of("failure", ex.getClass().getName()));
			}
		}

		/**
		 * Whether calls are denied while the hook cannot decide.
		 * @param report what the hook says
		 * @return {@code true} unless it only learns, only observes, or fails open
		 */
		public boolean isNeeded(HookHealth.Report report) {
			return this.decides && !report.failsOpen() && !this.failsOpen;
		}

	}

}
