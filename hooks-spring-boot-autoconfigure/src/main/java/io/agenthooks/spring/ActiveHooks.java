package io.agenthooks.spring;

import java.util.List;

import io.agenthooks.DescribedHook;
import io.agenthooks.Hook;
import io.agenthooks.InvalidHookConfigException;

/**
 * The active hooks of one kind: lists them, adds some and removes them at run time. What
 * {@link ToolHooks}, {@link LlmHooks} and {@link RunHooks} have in common. A change holds
 * for what begins after it; a call or a run that is under way keeps the hooks that it
 * began with. Safe for use by many threads.
 *
 * @param <H> the kind of hook
 * @since 0.1.0
 */
public interface ActiveHooks<H extends Hook> {

	/** The origin of a hook that is registered without one. */
	String RUN_TIME = "run time";

	/**
	 * Add a hook for all calls, behind all others.
	 * @param name its name in logs, metrics and audit
	 * @param hook the hook, for one phase or for several
	 * @return removes the hook again when it is closed
	 * @throws IllegalArgumentException if a hook of that name is there already
	 * @throws IllegalStateException if the hook would never be asked
	 */
	default Registration register(String name, H hook) {
		return register(name, hook, HookOptions.defaults());
	}

	/**
	 * Add a hook.
	 * @param name its name in logs, metrics and audit
	 * @param hook the hook, for one phase or for several
	 * @param options which calls it is for, and where it stands
	 * @return removes the hook again when it is closed
	 * @throws IllegalArgumentException if a hook of that name is there already
	 * @throws InvalidHookConfigException if the options cannot be used
	 * @throws IllegalStateException if the hook would never be asked
	 */
	default Registration register(String name, H hook, HookOptions options) {
		return register(name, hook, options, RUN_TIME);
	}

	/**
	 * Add a hook of an origin, such as a plugin or a workspace, whose hooks can be
	 * {@linkplain #clear cleared} together.
	 * @param name its name in logs, metrics and audit, one of a limited number: metrics
	 * remember each
	 * @param hook the hook, for one phase or for several
	 * @param options which calls it is for, and where it stands
	 * @param origin where it comes from
	 * @return removes the hook again when it is closed
	 * @throws IllegalArgumentException if a hook of that name is there already
	 * @throws InvalidHookConfigException if the options cannot be used
	 * @throws IllegalStateException if the hook would never be asked
	 */
	Registration register(String name, H hook, HookOptions options, String origin);

	/**
	 * Remove a hook that was registered at run time. Hooks of the configuration and beans
	 * stay: code that may register hooks cannot remove the policy.
	 * @param name its name
	 * @return whether there was such a hook
	 */
	boolean unregister(String name);

	/**
	 * Remove all hooks that were registered at run time with an origin.
	 * @param origin the origin
	 * @return how many there were
	 */
	int clear(String origin);

	/**
	 * The active hooks, in the order in which they are asked: those that decide before,
	 * those that may replace results, those that learn how it ended. A hook of several
	 * phases is listed once for each.
	 * @return the hooks
	 */
	List<Listed> list();

	/**
	 * The phase in which a hook is asked.
	 *
	 * @since 0.1.0
	 */
	enum Phase {

		/** Before the tool runs, the model is asked or the run begins. */
		PRE_CALL,

		/** After a result of a tool or a response of a model. */
		RESULT,

		/** After the end of the call or the run. */
		POST_CALL

	}

	/**
	 * An active hook.
	 *
	 * @param phase when it is asked
	 * @param name its name
	 * @param type its type
	 * @param origin where it comes from, such as {@code application.yaml:6:9}
	 * @param options which calls it is for, and where it stands
	 * @param rules the rules by which it decides, if it can tell them
	 * @since 0.1.0
	 */
	record Listed(Phase phase, String name, String type, String origin, HookOptions options,
			List<DescribedHook.ListedRule> rules) {

		/**
		 * Create a hook without rules.
		 * @param phase when it is asked
		 * @param name its name
		 * @param type its type
		 * @param origin where it comes from
		 * @param options which calls it is for, and where it stands
		 */
		public Listed(Phase phase, String name, String type, String origin, HookOptions options) {
			this(phase, name, type, origin, options, List.of());
		}

	}

	/**
	 * A hook that was registered at run time.
	 *
	 * @since 0.1.0
	 */
	@FunctionalInterface
	interface Registration extends AutoCloseable {

		/** Remove the hook. Does nothing if it has been removed. */
		@Override
		void close();

	}

}
