package io.agenthooks.spring;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import io.agenthooks.CallContext;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.NameKind;
import io.agenthooks.pattern.UnusablePatternException;
import io.agenthooks.spring.caller.NameSpelling;
import io.agenthooks.toolcall.ToolGlobs;
import io.agenthooks.toolcall.ToolHook;
import io.agenthooks.toolcall.ToolIdentity;
import io.agenthooks.toolcall.ToolScope;

/**
 * The calls that a hook is for: by the name of what is called, and by who calls. What is
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
 * @param users globs of names of users in any spelling, or {@code null} for all. A call
 * of which the user is not known is for every hook.
 * @param authorities globs of authorities, of which one has to match one of the user's,
 * or {@code null} for all. A call of which no authority of the user is known is for every
 * hook.
 * @param mcpServers globs of names of MCP servers whose tools are called, as in
 * {@link ToolIdentity#server()}, or {@code null} for all. A call of a tool that is on no
 * MCP server has the name {@code ""}; one of which only the server is not known is for
 * every hook.
 * @since 0.1.0
 */
public record HookScope(@Nullable List<String> match, @Nullable String matcher, @Nullable List<String> except,
		@Nullable List<String> agents, @Nullable List<String> roles, @Nullable List<String> workspaces,
		@Nullable List<String> users, @Nullable List<String> authorities, @Nullable List<String> mcpServers) {

	private static final HookScope ALL = new HookScope(null, null, null, null, null, null, null, null, null);

	/** Create a scope. */
	public HookScope {
		match = copy(match);
		except = copy(except);
		agents = copy(agents);
		roles = copy(roles);
		workspaces = copy(workspaces);
		users = copy(users);
		authorities = copy(authorities);
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
	 * For which tools a hook of this scope is. One of the names of a tool has to match;
	 * what is excluded depends on no name that a server could choose.
	 * @return a {@link ToolScope}, or {@link ToolHook#ALL_TOOLS} if nothing is said of
	 * tools
	 * @throws UnusablePatternException if {@code matcher} cannot be used
	 */
	public Predicate<String> tools() {
		Predicate<String> tools = namedTools();
		return (this.mcpServers != null)
				? ToolScope.ofServers(ToolMatcher.globs(this.mcpServers)).and(ToolScope.ofNames(tools)) : tools;
	}

	Predicate<String> namedTools() {
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
	 * Tests the contexts of the calls of this scope.
	 * @return whether it is for calls of a context, or {@code null} if for all
	 */
	public @Nullable Predicate<CallContext> contexts() {
		Predicate<CallContext> users = usersAndAuthorities();
		if (this.agents == null && this.roles == null && this.workspaces == null) {
			return users;
		}
		Predicate<String> agents = globs(this.agents);
		Predicate<String> roles = globs(this.roles);
		Predicate<String> workspaces = globs(this.workspaces);
		Predicate<CallContext> others = (context) -> agents.test(Objects.requireNonNullElse(context.agent(), ""))
				&& roles.test(context.role()) && workspaces.test(context.workspace());
		return (users != null) ? others.and(users) : others;
	}

	private @Nullable Predicate<CallContext> usersAndAuthorities() {
		Predicate<String> users = spelled(this.users);
		Predicate<String> authorities = globs(this.authorities);
		Predicate<CallContext> ofUsers = (this.users != null)
				? (context) -> context.user() == null || context.user().isBlank() || users.test(context.user()) : null;
		Predicate<CallContext> withAuthorities = (this.authorities != null)
				? (context) -> context.authorities().isEmpty() || context.authorities().stream().anyMatch(authorities)
				: null;
		return (ofUsers != null && withAuthorities != null) ? ofUsers.and(withAuthorities)
				: (ofUsers != null) ? ofUsers : withAuthorities;
	}

	/** Some logins take any spelling of a name, which must not lead around a hook. */
	private static Predicate<String> spelled(@Nullable List<String> users) {
		if (users == null) {
			return ToolHook.ALL_TOOLS;
		}
		Predicate<String> plain = ToolMatcher.globs(users.stream().map(NameSpelling::plain).toList());
		return globs(users).or((user) -> plain.test(NameSpelling.plain(user)));
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
		add(names, "users", this.users);
		add(names, "authorities", this.authorities);
		add(names, "mcp_servers", this.mcpServers);
		return names;
	}

	private static void add(Set<String> names, String name, @Nullable Object value) {
		if (value != null) {
			names.add(name);
		}
	}

	/**
	 * Find the mistakes in this scope.
	 * @param called what is called: tools or models
	 * @return each mistake, at the name of an option as it is written in YAML
	 */
	public List<Problem> problems(NameKind called) {
		return new ScopeProblems(this, called).find();
	}

}
