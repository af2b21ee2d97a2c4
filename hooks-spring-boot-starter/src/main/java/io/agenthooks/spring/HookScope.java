package io.agenthooks.spring;

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
 * Which calls a hook is for: by the name of what is called, and by who calls. What is
 * said of tools holds for models where the hook is around model calls.
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
 * @since 0.1.0
 */
public record HookScope(@Nullable List<String> match, @Nullable String matcher, @Nullable List<String> except,
		@Nullable List<String> agents, @Nullable List<String> roles, @Nullable List<String> workspaces,
		@Nullable List<String> mcpServers) {

	private static final HookScope ALL = new HookScope(null, null, null, null, null, null, null);

	/**
	 * Create a scope.
	 */
	public HookScope {
		match = copy(match);
		except = copy(except);
		agents = copy(agents);
		roles = copy(roles);
		workspaces = copy(workspaces);
		mcpServers = copy(mcpServers);
	}

	private static @Nullable List<String> copy(@Nullable List<String> list) {
		return (list != null) ? List.copyOf(list) : null;
	}

	/**
	 * The scope of a hook that is for all calls.
	 * @return the scope
	 */
	public static HookScope all() {
		return ALL;
	}

	/**
	 * This scope for some tools only.
	 * @param match globs of tool names, of which one has to match
	 * @return the new scope
	 */
	public HookScope match(String... match) {
		return new HookScope(List.of(match), this.matcher, this.except, this.agents, this.roles, this.workspaces,
				this.mcpServers);
	}

	/**
	 * This scope for the tools that a regular expression is for.
	 * @param matcher a plain name, or names separated by {@code |}, match exactly;
	 * anything else is searched in the name
	 * @return the new scope
	 */
	public HookScope matcher(String matcher) {
		return new HookScope(this.match, matcher, this.except, this.agents, this.roles, this.workspaces,
				this.mcpServers);
	}

	/**
	 * This scope without some tools.
	 * @param except globs of tool names that the hook is not for
	 * @return the new scope
	 */
	public HookScope except(String... except) {
		return new HookScope(this.match, this.matcher, List.of(except), this.agents, this.roles, this.workspaces,
				this.mcpServers);
	}

	/**
	 * This scope for some agents only.
	 * @param agents globs of names of agents, of which one has to match
	 * @return the new scope
	 */
	public HookScope agents(String... agents) {
		return new HookScope(this.match, this.matcher, this.except, List.of(agents), this.roles, this.workspaces,
				this.mcpServers);
	}

	/**
	 * This scope for some roles only.
	 * @param roles globs of roles, of which one has to match
	 * @return the new scope
	 */
	public HookScope roles(String... roles) {
		return new HookScope(this.match, this.matcher, this.except, this.agents, List.of(roles), this.workspaces,
				this.mcpServers);
	}

	/**
	 * This scope for some workspaces only.
	 * @param workspaces globs of workspaces, of which one has to match
	 * @return the new scope
	 */
	public HookScope workspaces(String... workspaces) {
		return new HookScope(this.match, this.matcher, this.except, this.agents, this.roles, List.of(workspaces),
				this.mcpServers);
	}

	/**
	 * This scope for the tools of some MCP servers only.
	 * @param mcpServers globs of names of MCP servers, of which one has to match
	 * @return the new scope
	 */
	public HookScope mcpServers(String... mcpServers) {
		return new HookScope(this.match, this.matcher, this.except, this.agents, this.roles, this.workspaces,
				List.of(mcpServers));
	}

	/**
	 * For which tools a hook of this scope is. One of the names of a tool has to match;
	 * what is exempted depends on no name that a server could choose.
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
	 * For calls of which contexts a hook of this scope is.
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
	 * The options that say something.
	 * @return their names as they are written in YAML
	 */
	public Set<String> options() {
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
	 * What is wrong with this scope.
	 * @param called what is called: tools or models
	 * @return each mistake, at the name of an option as it is written in YAML
	 */
	public List<Problem> problems(NameKind called) {
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
		if (matcher.chars().anyMatch(HookScope::isBlank) || (matcher.indexOf(',') >= 0 && !matcher.contains("{"))) {
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

}
