package io.agenthooks.spring;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import io.agenthooks.CallContext;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.NameKind;
import io.agenthooks.pattern.UnusablePatternException;

/**
 * What is said about a hook beside its own configuration: which calls it is for, where it
 * stands, and what becomes of its decision. The same for every type of hook, for beans
 * and for hooks that are registered at run time.
 *
 * @param scope which calls the hook is for
 * @param order the place; lower runs first
 * @param timeout the time after which the hook counts as failed, or {@code null} for no
 * limit
 * @param failOpen whether a call passes when the hook itself fails, or {@code null} if
 * that is the hook's own matter
 * @param mode whether the decision counts
 * @since 0.1.0
 */
public record HookOptions(HookScope scope, int order, @Nullable Duration timeout, @Nullable Boolean failOpen,
		Mode mode) {

	/** More is a mistaken unit. The same limit as for a webhook. */
	private static final Duration MAX_TIMEOUT = Duration.ofMinutes(5);

	private static final HookOptions DEFAULTS = new HookOptions(HookScope.all(), Integer.MAX_VALUE, null, null,
			Mode.ENFORCE);

	/**
	 * Create options.
	 */
	public HookOptions {
		Objects.requireNonNull(scope, "'scope' must not be null");
		Objects.requireNonNull(mode, "'mode' must not be null");
	}

	/**
	 * The options of a hook of which nothing is said: for all calls, last, enforced.
	 * @return the options
	 */
	public static HookOptions defaults() {
		return DEFAULTS;
	}

	/**
	 * These options for other calls.
	 * @param scope which calls the hook is for
	 * @return the new options
	 */
	public HookOptions scope(HookScope scope) {
		return new HookOptions(scope, this.order, this.timeout, this.failOpen, this.mode);
	}

	/**
	 * These options for some tools only.
	 * @param match globs of tool names, of which one has to match
	 * @return the new options
	 */
	public HookOptions match(String... match) {
		return scope(this.scope.match(match));
	}

	/**
	 * These options for the tools that a regular expression is for.
	 * @param matcher a plain name, or names separated by {@code |}, match exactly;
	 * anything else is searched in the name
	 * @return the new options
	 */
	public HookOptions matcher(String matcher) {
		return scope(this.scope.matcher(matcher));
	}

	/**
	 * These options without some tools.
	 * @param except globs of tool names that the hook is not for
	 * @return the new options
	 */
	public HookOptions except(String... except) {
		return scope(this.scope.except(except));
	}

	/**
	 * These options for some agents only.
	 * @param agents globs of names of agents, of which one has to match
	 * @return the new options
	 */
	public HookOptions agents(String... agents) {
		return scope(this.scope.agents(agents));
	}

	/**
	 * These options for some roles only.
	 * @param roles globs of roles, of which one has to match
	 * @return the new options
	 */
	public HookOptions roles(String... roles) {
		return scope(this.scope.roles(roles));
	}

	/**
	 * These options for some workspaces only.
	 * @param workspaces globs of workspaces, of which one has to match
	 * @return the new options
	 */
	public HookOptions workspaces(String... workspaces) {
		return scope(this.scope.workspaces(workspaces));
	}

	/**
	 * These options for the tools of some MCP servers only.
	 * @param mcpServers globs of names of MCP servers, of which one has to match
	 * @return the new options
	 */
	public HookOptions mcpServers(String... mcpServers) {
		return scope(this.scope.mcpServers(mcpServers));
	}

	/**
	 * These options at another place.
	 * @param order the place; lower runs first
	 * @return the new options
	 */
	public HookOptions order(int order) {
		return new HookOptions(this.scope, order, this.timeout, this.failOpen, this.mode);
	}

	/**
	 * These options with a limit of time.
	 * @param timeout the time after which the hook counts as failed
	 * @return the new options
	 */
	public HookOptions timeout(Duration timeout) {
		return new HookOptions(this.scope, this.order, timeout, this.failOpen, this.mode);
	}

	/**
	 * These options with another fail mode.
	 * @param failOpen whether a call passes when the hook itself fails
	 * @return the new options
	 */
	public HookOptions failOpen(boolean failOpen) {
		return new HookOptions(this.scope, this.order, this.timeout, failOpen, this.mode);
	}

	/**
	 * These options as a dry run: the hook decides, what it would do is logged and
	 * counted, and the call passes.
	 * @return the new options
	 */
	public HookOptions observe() {
		return new HookOptions(this.scope, this.order, this.timeout, this.failOpen, Mode.OBSERVE);
	}

	/**
	 * The globs of tool names of the {@link #scope() scope}.
	 * @return them, or {@code null} if nothing is said of that
	 */
	public @Nullable List<String> match() {
		return this.scope.match();
	}

	/**
	 * The regular expression for tool names of the {@link #scope() scope}.
	 * @return it, or {@code null} if nothing is said of that
	 */
	public @Nullable String matcher() {
		return this.scope.matcher();
	}

	/**
	 * The globs of tools that the hook is not for of the {@link #scope() scope}.
	 * @return them, or {@code null} if nothing is said of that
	 */
	public @Nullable List<String> except() {
		return this.scope.except();
	}

	/**
	 * The globs of names of agents of the {@link #scope() scope}.
	 * @return them, or {@code null} if nothing is said of that
	 */
	public @Nullable List<String> agents() {
		return this.scope.agents();
	}

	/**
	 * The globs of roles of the {@link #scope() scope}.
	 * @return them, or {@code null} if nothing is said of that
	 */
	public @Nullable List<String> roles() {
		return this.scope.roles();
	}

	/**
	 * The globs of workspaces of the {@link #scope() scope}.
	 * @return them, or {@code null} if nothing is said of that
	 */
	public @Nullable List<String> workspaces() {
		return this.scope.workspaces();
	}

	/**
	 * The globs of names of MCP servers of the {@link #scope() scope}.
	 * @return them, or {@code null} if nothing is said of that
	 */
	public @Nullable List<String> mcpServers() {
		return this.scope.mcpServers();
	}

	/**
	 * For which tools a hook with these options is, as its {@link #scope() scope} says.
	 * @return whether it is for a tool of that name
	 * @throws UnusablePatternException if {@code matcher} cannot be used
	 */
	public Predicate<String> tools() {
		return this.scope.tools();
	}

	/**
	 * For calls of which contexts a hook with these options is.
	 * @return whether it is for calls of a context, or {@code null} if for all
	 */
	public @Nullable Predicate<CallContext> contexts() {
		return this.scope.contexts();
	}

	/**
	 * What is wrong with these options of a hook around tool calls, whatever the hook.
	 * @return each mistake, at the name of an option as it is written in YAML
	 */
	public List<Problem> problems() {
		return problems(NameKind.TOOL);
	}

	/**
	 * What is wrong with these options, whatever the hook.
	 * @param called what is called: tools or models
	 * @return each mistake, at the name of an option as it is written in YAML
	 */
	public List<Problem> problems(NameKind called) {
		List<Problem> problems = new ArrayList<>(this.scope.problems(called));
		if (this.timeout != null
				&& (this.timeout.isNegative() || this.timeout.isZero() || this.timeout.compareTo(MAX_TIMEOUT) > 0)) {
			problems.add(new Problem(List.of("timeout"), "is not above zero and at most 300 seconds",
					"Write a duration such as 2s or 750ms."));
		}
		return problems;
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
