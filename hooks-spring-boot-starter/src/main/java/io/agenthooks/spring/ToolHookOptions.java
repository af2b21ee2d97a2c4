package io.agenthooks.spring;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What is said about a hook beside its own configuration: which calls it is for, where it
 * stands, and what becomes of its decision. The same for every type of hook, for beans
 * and for hooks that are registered at run time.
 *
 * @param match globs of tool names, of which one has to match, or {@code null} for all
 * tools
 * @param matcher regular expression for tool names, or {@code null} for all tools
 * @param except globs of tool names that the hook is not for, or {@code null} for none
 * @param agents globs of names of agents, of which one has to match, or {@code null} for
 * all. A call without an agent has the name {@code ""}.
 * @param roles globs of roles, or {@code null} for all
 * @param workspaces globs of workspaces, or {@code null} for all
 * @param order the place; lower runs first
 * @param timeout the time after which the hook counts as failed, or {@code null} for no
 * limit
 * @param failOpen whether a call passes when the hook itself fails, or {@code null} if
 * that is the hook's own matter
 * @param mode whether the decision counts
 * @since 0.1.0
 */
public record ToolHookOptions(@Nullable List<String> match, @Nullable String matcher, @Nullable List<String> except,
		@Nullable List<String> agents, @Nullable List<String> roles, @Nullable List<String> workspaces, int order,
		@Nullable Duration timeout, @Nullable Boolean failOpen, Mode mode) {

	private static final ToolHookOptions DEFAULTS = new ToolHookOptions(null, null, null, null, null, null,
			Integer.MAX_VALUE, null, null, Mode.ENFORCE);

	/**
	 * Create options.
	 */
	public ToolHookOptions {
		match = copy(match);
		except = copy(except);
		agents = copy(agents);
		roles = copy(roles);
		workspaces = copy(workspaces);
	}

	private static @Nullable List<String> copy(@Nullable List<String> list) {
		return (list != null) ? List.copyOf(list) : null;
	}

	/**
	 * The options of a hook of which nothing is said: for all calls, last, enforced.
	 * @return the options
	 */
	public static ToolHookOptions defaults() {
		return DEFAULTS;
	}

	/**
	 * These options for some tools only.
	 * @param match globs of tool names, of which one has to match
	 * @return the new options
	 */
	public ToolHookOptions match(String... match) {
		return new ToolHookOptions(List.of(match), this.matcher, this.except, this.agents, this.roles, this.workspaces,
				this.order, this.timeout, this.failOpen, this.mode);
	}

	/**
	 * These options for the tools that a regular expression is for.
	 * @param matcher a plain name, or names separated by {@code |}, match exactly;
	 * anything else is searched in the name
	 * @return the new options
	 */
	public ToolHookOptions matcher(String matcher) {
		return new ToolHookOptions(this.match, matcher, this.except, this.agents, this.roles, this.workspaces,
				this.order, this.timeout, this.failOpen, this.mode);
	}

	/**
	 * These options without some tools.
	 * @param except globs of tool names that the hook is not for
	 * @return the new options
	 */
	public ToolHookOptions except(String... except) {
		return new ToolHookOptions(this.match, this.matcher, List.of(except), this.agents, this.roles, this.workspaces,
				this.order, this.timeout, this.failOpen, this.mode);
	}

	/**
	 * These options for some agents only.
	 * @param agents globs of names of agents, of which one has to match
	 * @return the new options
	 */
	public ToolHookOptions agents(String... agents) {
		return new ToolHookOptions(this.match, this.matcher, this.except, List.of(agents), this.roles, this.workspaces,
				this.order, this.timeout, this.failOpen, this.mode);
	}

	/**
	 * These options for some roles only.
	 * @param roles globs of roles, of which one has to match
	 * @return the new options
	 */
	public ToolHookOptions roles(String... roles) {
		return new ToolHookOptions(this.match, this.matcher, this.except, this.agents, List.of(roles), this.workspaces,
				this.order, this.timeout, this.failOpen, this.mode);
	}

	/**
	 * These options for some workspaces only.
	 * @param workspaces globs of workspaces, of which one has to match
	 * @return the new options
	 */
	public ToolHookOptions workspaces(String... workspaces) {
		return new ToolHookOptions(this.match, this.matcher, this.except, this.agents, this.roles, List.of(workspaces),
				this.order, this.timeout, this.failOpen, this.mode);
	}

	/**
	 * These options at another place.
	 * @param order the place; lower runs first
	 * @return the new options
	 */
	public ToolHookOptions order(int order) {
		return new ToolHookOptions(this.match, this.matcher, this.except, this.agents, this.roles, this.workspaces,
				order, this.timeout, this.failOpen, this.mode);
	}

	/**
	 * These options with a limit of time.
	 * @param timeout the time after which the hook counts as failed
	 * @return the new options
	 */
	public ToolHookOptions timeout(Duration timeout) {
		return new ToolHookOptions(this.match, this.matcher, this.except, this.agents, this.roles, this.workspaces,
				this.order, timeout, this.failOpen, this.mode);
	}

	/**
	 * These options with another fail mode.
	 * @param failOpen whether a call passes when the hook itself fails
	 * @return the new options
	 */
	public ToolHookOptions failOpen(boolean failOpen) {
		return new ToolHookOptions(this.match, this.matcher, this.except, this.agents, this.roles, this.workspaces,
				this.order, this.timeout, failOpen, this.mode);
	}

	/**
	 * These options as a dry run: the hook decides, what it would do is logged and
	 * counted, and the call passes.
	 * @return the new options
	 */
	public ToolHookOptions observe() {
		return new ToolHookOptions(this.match, this.matcher, this.except, this.agents, this.roles, this.workspaces,
				this.order, this.timeout, this.failOpen, Mode.OBSERVE);
	}

	/**
	 * What becomes of a hook's decision.
	 *
	 * @since 0.1.0
	 */
	public enum Mode {

		/**
		 * It counts.
		 */
		ENFORCE,

		/**
		 * It is logged and counted, and the call passes.
		 */
		OBSERVE

	}

}
