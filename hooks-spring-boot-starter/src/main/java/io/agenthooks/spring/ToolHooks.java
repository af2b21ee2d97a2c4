package io.agenthooks.spring;

import java.util.List;

import org.jspecify.annotations.Nullable;

import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.toolcall.ToolHook;

/**
 * The hooks in force, as a bean: lists them, adds and removes some at run time, and
 * switches all tools off. A change holds for the calls that begin after it; a call that
 * is under way keeps the hooks that it began with. Safe for use by many threads. It is
 * the {@code HooksRegistry} of the registry seed (Morphix).
 *
 * @since 0.1.0
 */
public interface ToolHooks {

	/**
	 * The origin of a hook that is registered without one.
	 */
	String RUN_TIME = "run time";

	/**
	 * Add a hook for all calls, behind all others.
	 * @param name its name in logs, metrics and audit
	 * @param hook the hook, of any kind or of several
	 * @return removes the hook again when it is closed
	 * @throws IllegalArgumentException if a hook of that name is there already
	 */
	default Registration register(String name, ToolHook hook) {
		return register(name, hook, ToolHookOptions.defaults());
	}

	/**
	 * Add a hook.
	 * @param name its name in logs, metrics and audit
	 * @param hook the hook, of any kind or of several
	 * @param options which calls it is for, and where it stands
	 * @return removes the hook again when it is closed
	 * @throws IllegalArgumentException if a hook of that name is there already
	 * @throws InvalidHookConfigException if the options cannot be used
	 */
	default Registration register(String name, ToolHook hook, ToolHookOptions options) {
		return register(name, hook, options, RUN_TIME);
	}

	/**
	 * Add a hook of an origin, such as a plugin or a workspace, whose hooks can be
	 * {@linkplain #clear cleared} together.
	 * @param name its name in logs, metrics and audit, one of a limited number: metrics
	 * remember each
	 * @param hook the hook, of any kind or of several
	 * @param options which calls it is for, and where it stands
	 * @param origin where it comes from
	 * @return removes the hook again when it is closed
	 * @throws IllegalArgumentException if a hook of that name is there already
	 * @throws InvalidHookConfigException if the options cannot be used
	 * @throws IllegalStateException if calls would not pass the hook
	 */
	Registration register(String name, ToolHook hook, ToolHookOptions options, String origin);

	/**
	 * Remove a hook that was registered at run time. Hooks of the configuration and beans
	 * stay: whoever may register hooks cannot take the policy away.
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
	 * The hooks in force, in the order in which they are asked: those before the call,
	 * those that may replace results, those after the call. A hook of several kinds is
	 * listed once for each.
	 * @return the hooks
	 */
	List<Listed> list();

	/**
	 * Switch all tools off: every call is denied at once, without asking a hook.
	 * @throws IllegalStateException if there are executors that are not guarded, which
	 * may be where there were no hooks at the start: their tools still run
	 */
	void disableTools();

	/**
	 * Switch tools on again.
	 */
	void enableTools();

	/**
	 * Whether tools may run.
	 * @return {@code true} unless they are switched off
	 */
	boolean areToolsEnabled();

	/**
	 * Say that a run is over, so that its id may be used again even if a hook had aborted
	 * it.
	 * @param run the id of the run
	 * @return whether a hook had aborted it
	 */
	boolean endRun(String run);

	/**
	 * Say that a session is over, so that its calls may go on, or its id may be used
	 * again, even if a hook had aborted a call of it that knew no run.
	 * @param session the id of the session
	 * @param user the user of its calls, or {@code null} if they have none
	 * @param agent the agent of its calls, or {@code null} if they have none
	 * @return whether a hook had aborted it
	 */
	boolean endSession(String session, @Nullable String user, @Nullable String agent);

	/**
	 * When a hook is asked.
	 *
	 * @since 0.1.0
	 */
	enum Phase {

		/**
		 * Before the tool runs.
		 */
		PRE_CALL,

		/**
		 * When there is a result.
		 */
		RESULT,

		/**
		 * When the call is over.
		 */
		POST_CALL

	}

	/**
	 * A hook in force.
	 *
	 * @param phase when it is asked
	 * @param name its name
	 * @param type its type
	 * @param origin where it comes from, such as {@code application.yaml:6:9}
	 * @param options which calls it is for, and where it stands
	 * @since 0.1.0
	 */
	record Listed(Phase phase, String name, String type, String origin, ToolHookOptions options) {
	}

	/**
	 * Stands for a hook that was registered at run time.
	 *
	 * @since 0.1.0
	 */
	@FunctionalInterface
	interface Registration extends AutoCloseable {

		/**
		 * Remove the hook. Does nothing if it has been removed.
		 */
		@Override
		void close();

	}

}
