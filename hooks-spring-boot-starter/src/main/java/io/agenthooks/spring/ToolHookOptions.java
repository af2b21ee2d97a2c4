package io.agenthooks.spring;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.agenthooks.CallContext;
import io.agenthooks.GlobMistake;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.NameKind;
import io.agenthooks.pattern.GlobAsRegex;
import io.agenthooks.pattern.UnusablePatternException;
import io.agenthooks.toolcall.ToolGlobs;
import io.agenthooks.toolcall.ToolHook;
import io.agenthooks.toolcall.ToolIdentity;
import io.agenthooks.toolcall.ToolScope;

/**
 * What is said about a hook beside its own configuration: which calls it is for, where it
 * stands, and what becomes of its decision. The same for every type of hook, for beans
 * and for hooks that are registered at run time.
 *
 * @param match globs of tool names, of which one has to match one of the names of a tool,
 * or {@code null} for all tools
 * @param matcher regular expression for tool names, of which one has to match, or
 * {@code null} for all tools
 * @param except globs of tools that the hook is not for, or {@code null} for none. Those
 * of MCP servers are written {@code server__name}, unless {@code mcpServers} says for
 * which servers the hook is.
 * @param agents globs of names of agents, of which one has to match, or {@code null} for
 * all. A call without an agent has the name {@code ""}.
 * @param roles globs of roles, or {@code null} for all
 * @param workspaces globs of workspaces, or {@code null} for all
 * @param mcpServers globs of names of MCP servers whose tools are called, as in
 * {@link ToolIdentity#server()}, or {@code null} for all. A call of a tool that is on no
 * MCP server has the name {@code ""}; one of which only the server is not known is for
 * every hook.
 * @param order the place; lower runs first
 * @param timeout the time after which the hook counts as failed, or {@code null} for no
 * limit
 * @param failOpen whether a call passes when the hook itself fails, or {@code null} if
 * that is the hook's own matter
 * @param mode whether the decision counts
 * @since 0.1.0
 */
public record ToolHookOptions(@Nullable List<String> match, @Nullable String matcher, @Nullable List<String> except,
		@Nullable List<String> agents, @Nullable List<String> roles, @Nullable List<String> workspaces,
		@Nullable List<String> mcpServers, int order, @Nullable Duration timeout, @Nullable Boolean failOpen,
		Mode mode) {

	/** More is a mistaken unit. The same limit as for a webhook. */
	private static final Duration MAX_TIMEOUT = Duration.ofMinutes(5);

	private static final ToolHookOptions DEFAULTS = new ToolHookOptions(null, null, null, null, null, null, null,
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
		mcpServers = copy(mcpServers);
		Objects.requireNonNull(mode, "'mode' must not be null");
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
				this.mcpServers, this.order, this.timeout, this.failOpen, this.mode);
	}

	/**
	 * These options for the tools that a regular expression is for.
	 * @param matcher a plain name, or names separated by {@code |}, match exactly;
	 * anything else is searched in the name
	 * @return the new options
	 */
	public ToolHookOptions matcher(String matcher) {
		return new ToolHookOptions(this.match, matcher, this.except, this.agents, this.roles, this.workspaces,
				this.mcpServers, this.order, this.timeout, this.failOpen, this.mode);
	}

	/**
	 * These options without some tools.
	 * @param except globs of tool names that the hook is not for
	 * @return the new options
	 */
	public ToolHookOptions except(String... except) {
		return new ToolHookOptions(this.match, this.matcher, List.of(except), this.agents, this.roles, this.workspaces,
				this.mcpServers, this.order, this.timeout, this.failOpen, this.mode);
	}

	/**
	 * These options for some agents only.
	 * @param agents globs of names of agents, of which one has to match
	 * @return the new options
	 */
	public ToolHookOptions agents(String... agents) {
		return new ToolHookOptions(this.match, this.matcher, this.except, List.of(agents), this.roles, this.workspaces,
				this.mcpServers, this.order, this.timeout, this.failOpen, this.mode);
	}

	/**
	 * These options for some roles only.
	 * @param roles globs of roles, of which one has to match
	 * @return the new options
	 */
	public ToolHookOptions roles(String... roles) {
		return new ToolHookOptions(this.match, this.matcher, this.except, this.agents, List.of(roles), this.workspaces,
				this.mcpServers, this.order, this.timeout, this.failOpen, this.mode);
	}

	/**
	 * These options for some workspaces only.
	 * @param workspaces globs of workspaces, of which one has to match
	 * @return the new options
	 */
	public ToolHookOptions workspaces(String... workspaces) {
		return new ToolHookOptions(this.match, this.matcher, this.except, this.agents, this.roles, List.of(workspaces),
				this.mcpServers, this.order, this.timeout, this.failOpen, this.mode);
	}

	/**
	 * These options for the tools of some MCP servers only.
	 * @param mcpServers globs of names of MCP servers, of which one has to match
	 * @return the new options
	 */
	public ToolHookOptions mcpServers(String... mcpServers) {
		return new ToolHookOptions(this.match, this.matcher, this.except, this.agents, this.roles, this.workspaces,
				List.of(mcpServers), this.order, this.timeout, this.failOpen, this.mode);
	}

	/**
	 * These options at another place.
	 * @param order the place; lower runs first
	 * @return the new options
	 */
	public ToolHookOptions order(int order) {
		return new ToolHookOptions(this.match, this.matcher, this.except, this.agents, this.roles, this.workspaces,
				this.mcpServers, order, this.timeout, this.failOpen, this.mode);
	}

	/**
	 * These options with a limit of time.
	 * @param timeout the time after which the hook counts as failed
	 * @return the new options
	 */
	public ToolHookOptions timeout(Duration timeout) {
		return new ToolHookOptions(this.match, this.matcher, this.except, this.agents, this.roles, this.workspaces,
				this.mcpServers, this.order, timeout, this.failOpen, this.mode);
	}

	/**
	 * These options with another fail mode.
	 * @param failOpen whether a call passes when the hook itself fails
	 * @return the new options
	 */
	public ToolHookOptions failOpen(boolean failOpen) {
		return new ToolHookOptions(this.match, this.matcher, this.except, this.agents, this.roles, this.workspaces,
				this.mcpServers, this.order, this.timeout, failOpen, this.mode);
	}

	/**
	 * These options as a dry run: the hook decides, what it would do is logged and
	 * counted, and the call passes.
	 * @return the new options
	 */
	public ToolHookOptions observe() {
		return new ToolHookOptions(this.match, this.matcher, this.except, this.agents, this.roles, this.workspaces,
				this.mcpServers, this.order, this.timeout, this.failOpen, Mode.OBSERVE);
	}

	/**
	 * For which tools a hook with these options is. One of the names of a tool has to
	 * match; what is exempted depends on no name that a server could choose.
	 * @return a {@link ToolScope}, or {@link ToolHook#ALL_TOOLS} if nothing is said of
	 * tools
	 * @throws UnusablePatternException if {@code matcher} cannot be used
	 */
	public Predicate<String> tools() {
		Predicate<String> tools = namedTools();
		return (this.mcpServers != null)
				? ToolScope.ofServers(ToolMatcher.globs(this.mcpServers)).and(ToolScope.ofNames(tools)) : tools;
	}

	private Predicate<String> namedTools() {
		if (this.match == null && this.matcher == null && this.except == null) {
			return ToolHook.ALL_TOOLS;
		}
		ToolScope tools = ToolScope.ofNames((this.match != null) ? ToolMatcher.globs(this.match) : ToolHook.ALL_TOOLS);
		if (this.matcher != null) {
			tools = tools.and(ToolScope.ofNames(ToolMatcher.matcher(this.matcher)));
		}
		return (this.except != null) ? tools.except(ToolGlobs.of(this.except), this.mcpServers != null) : tools;
	}

	/**
	 * For calls of which contexts a hook with these options is.
	 * @return whether it is for calls of a context, or {@code null} if for all
	 */
	public @Nullable Predicate<CallContext> contexts() {
		if (this.agents == null && this.roles == null && this.workspaces == null) {
			return null;
		}
		Predicate<String> agents = globs(this.agents);
		Predicate<String> roles = globs(this.roles);
		Predicate<String> workspaces = globs(this.workspaces);
		return (context) -> agents.test(Objects.requireNonNullElse(context.agent(), "")) && roles.test(context.role())
				&& workspaces.test(context.workspace());
	}

	private static Predicate<String> globs(@Nullable List<String> globs) {
		return (globs != null) ? ToolMatcher.globs(globs) : ToolHook.ALL_TOOLS;
	}

	/**
	 * The options by which a hook with these options is chosen.
	 * @return their names as they are written in YAML
	 */
	public Set<String> chosenBy() {
		Set<String> names = new LinkedHashSet<>();
		add(names, "match", this.match);
		add(names, "matcher", this.matcher);
		add(names, "except", this.except);
		add(names, "agents", this.agents);
		add(names, "roles", this.roles);
		add(names, "workspaces", this.workspaces);
		add(names, "mcp_servers", this.mcpServers);
		return names;
	}

	private static void add(Set<String> names, String name, @Nullable Object value) {
		if (value != null) {
			names.add(name);
		}
	}

	/**
	 * What is wrong with these options, whatever the hook.
	 * @return each mistake, at the name of an option as it is written in YAML
	 */
	public List<Problem> problems() {
		return problems("tool");
	}

	/**
	 * What is wrong with these options of a hook around calls of something else.
	 * @param target what is called: a {@code tool} or a {@code model}
	 * @return each mistake, at the name of an option as it is written in YAML
	 */
	public List<Problem> problems(String target) {
		NameKind called = (target.equals(NameKind.MODEL.noun())) ? NameKind.MODEL : NameKind.TOOL;
		List<Problem> problems = new ArrayList<>();
		checkGlobs("match", this.match, called, problems);
		checkGlobs("except", this.except, called, problems);
		checkGlobs("agents", this.agents, NameKind.AGENT, problems);
		checkGlobs("roles", this.roles, NameKind.ROLE, problems);
		checkGlobs("workspaces", this.workspaces, NameKind.WORKSPACE, problems);
		checkGlobs("mcp_servers", this.mcpServers, NameKind.MCP_SERVER, problems);
		if (this.matcher != null) {
			checkMatcher(this.matcher, called.noun(), problems);
		}
		if (problems.isEmpty()) {
			checkContradictions(called.noun(), problems);
		}
		if (this.timeout != null
				&& (this.timeout.isNegative() || this.timeout.isZero() || this.timeout.compareTo(MAX_TIMEOUT) > 0)) {
			problems.add(new Problem(List.of("timeout"), "is not above zero and at most 300 seconds",
					"Write a duration such as 2s or 750ms."));
		}
		return problems;
	}

	/**
	 * Find what leaves no tool for the hook, as far as that can be told without knowing
	 * the tools.
	 */
	private void checkContradictions(String noun, List<Problem> problems) {
		if (this.except != null && (this.except.stream().anyMatch((glob) -> glob.matches("\\*+|\\**\\?\\**"))
				|| isMatchExempted(this.except) || isForNone())) {
			problems.add(exemptsAll(noun));
		}
		else if (this.except == null && isForNone()) {
			problems.add(new Problem(List.of("matcher"), "is for none of the %ss that 'match' is for".formatted(noun),
					"Write one of the two; both have to match."));
		}
	}

	private static Problem exemptsAll(String noun) {
		return new Problem(List.of("except"), "exempts every %s, so the hook would be for none".formatted(noun),
				"Name only %ss that the hook is not for.".formatted(noun));
	}

	/**
	 * Whether 'except' takes back all that 'match' is for. A wildcard is covered by
	 * another one only, which {@code *} is when it is searched in the glob as in a name.
	 */
	private boolean isMatchExempted(List<String> except) {
		Predicate<String> exempted = ToolMatcher
			.globs(except.stream().filter((glob) -> !glob.matches("(?s).*[?\\[].*")).toList());
		return this.match != null
				&& this.match.stream().allMatch((glob) -> except.contains(glob) || exempted.test(glob));
	}

	private boolean isForNone() {
		List<String> named = Stream
			.of((this.match != null) ? ToolMatcher.names(this.match) : List.<String>of(),
					(this.matcher != null) ? ToolMatcher.names(this.matcher) : List.<String>of())
			.filter((names) -> !names.isEmpty())
			.findFirst()
			.orElse(List.of());
		return !named.isEmpty() && named.stream().noneMatch(namedTools());
	}

	private static void checkGlobs(String option, @Nullable List<String> globs, NameKind kind, List<Problem> problems) {
		if (globs == null) {
			return;
		}
		if (globs.isEmpty()) {
			problems.add(new Problem(List.of(option),
					"is empty, so the hook would be for "
							+ ((option.equals("except")) ? "all %ss".formatted(kind.noun()) : "no " + kind.noun()),
					"List globs of names of %ss, or remove it.".formatted(kind.noun())));
		}
		for (String glob : globs) {
			GlobMistake mistake = GlobMistake.find(option, glob, kind);
			if (mistake != null && option.equals("except") && mistake.instead().contains("*")) {
				problems.add(exemptsAll(kind.noun()));
			}
			else if (mistake != null) {
				problems.add(new Problem(List.of(option), mistake.message(), mistake.action()));
			}
		}
	}

	/**
	 * No tool or model has white space, a comma or a bar in its name, so a matcher that
	 * has one would be for none.
	 */
	private static void checkMatcher(String matcher, String noun, List<Problem> problems) {
		// In a regular expression a comma may stand in a counter, between names it may
		// not.
		if (matcher.chars().anyMatch(ToolHookOptions::isBlank)
				|| (matcher.indexOf(',') >= 0 && !matcher.contains("{"))) {
			problems.add(new Problem(List.of("matcher"), "has white space or a comma, so it would match no " + noun,
					"Separate names by '|' alone."));
		}
		if (matcher.matches("\\|.*|.*\\|\\|.*|(.*[^\\\\])?\\|")) {
			problems.add(new Problem(List.of("matcher"),
					"has nothing between or beside its bars, so it matches every " + noun,
					"Remove the bar that is too much."));
		}
		try {
			ToolMatcher.matcher(matcher);
		}
		catch (UnusablePatternException ex) {
			String meant = GlobAsRegex.translate(matcher);
			problems.add(new Problem(List.of("matcher"), String.valueOf(ex.getMessage()), (meant != null)
					? "Write '%s', or write the glob under 'match'.".formatted(meant) : ex.getAction()));
		}
	}

	private static boolean isBlank(int character) {
		return Character.isWhitespace(character) || Character.isSpaceChar(character)
				|| Character.isISOControl(character);
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
