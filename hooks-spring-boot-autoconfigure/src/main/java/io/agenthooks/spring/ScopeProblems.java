package io.agenthooks.spring;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.agenthooks.GlobMistake;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.NameKind;
import io.agenthooks.pattern.GlobAsRegex;
import io.agenthooks.pattern.UnusablePatternException;

final class ScopeProblems {

	private final HookScope scope;

	private final NameKind called;

	private final List<Problem> problems = new ArrayList<>();

	ScopeProblems(HookScope scope, NameKind called) {
		this.scope = scope;
		this.called = called;
	}

	List<Problem> find() {
		checkGlobs("match", this.scope.match(), this.called);
		checkGlobs("except", this.scope.except(), this.called);
		checkGlobs("agents", this.scope.agents(), NameKind.AGENT);
		checkGlobs("roles", this.scope.roles(), NameKind.ROLE);
		checkGlobs("workspaces", this.scope.workspaces(), NameKind.WORKSPACE);
		checkGlobs("users", this.scope.users(), NameKind.USER);
		checkGlobs("authorities", this.scope.authorities(), NameKind.AUTHORITY);
		checkGlobs("mcp_servers", this.scope.mcpServers(), NameKind.MCP_SERVER);
		if (this.scope.matcher() != null) {
			checkMatcher(this.scope.matcher());
		}
		if (this.problems.isEmpty()) {
			checkContradictions();
		}
		return this.problems;
	}

	private void checkContradictions() {
		String noun = this.called.noun();
		List<String> except = this.scope.except();
		if (except != null && (except.stream().anyMatch((glob) -> glob.matches("\\*+|\\**\\?\\**"))
				|| isMatchExcluded(except) || isForNone())) {
			this.problems.add(excludesAll(noun));
		}
		else if (except == null && isForNone()) {
			this.problems
				.add(new Problem(List.of("matcher"), "is for none of the %ss that 'match' is for".formatted(noun),
						"Write one of the two; both have to match."));
		}
	}

	private static Problem excludesAll(String noun) {
		return new Problem(List.of("except"), "excludes every " + noun,
				"Name only %ss that the hook is not for.".formatted(noun));
	}

	private boolean isMatchExcluded(List<String> except) {
		Predicate<String> excluded = ToolMatcher
			.globs(except.stream().filter((glob) -> !glob.matches("(?s).*[?\\[].*")).toList());
		return this.scope.match() != null
				&& this.scope.match().stream().allMatch((glob) -> except.contains(glob) || excluded.test(glob));
	}

	private boolean isForNone() {
		List<String> named = Stream
			.of((this.scope.match() != null) ? ToolMatcher.names(this.scope.match()) : List.<String>of(),
					(this.scope.matcher() != null) ? ToolMatcher.names(this.scope.matcher()) : List.<String>of())
			.filter((names) -> !names.isEmpty())
			.findFirst()
			.orElse(List.of());
		return !named.isEmpty() && named.stream().noneMatch(this.scope.namedTools());
	}

	private void checkGlobs(String option, @Nullable List<String> globs, NameKind kind) {
		if (globs == null) {
			return;
		}
		if (globs.isEmpty()) {
			this.problems.add(new Problem(List.of(option),
					"is empty, so the hook would be for "
							+ ((option.equals("except")) ? "all %ss".formatted(kind.noun()) : "no " + kind.noun()),
					"List globs of names of %ss, or remove it.".formatted(kind.noun())));
		}
		for (String glob : globs) {
			GlobMistake mistake = GlobMistake.find(glob, kind);
			if (mistake != null) {
				this.problems.add(new Problem(List.of(option), mistake.message(), mistake.action()));
			}
		}
	}

	private void checkMatcher(String matcher) {
		String noun = this.called.noun();
		// In a regular expression a comma may stand in a counter, between names it may
		// not.
		if (matcher.chars().anyMatch(ScopeProblems::isBlank) || (matcher.indexOf(',') >= 0 && !matcher.contains("{"))) {
			this.problems.add(new Problem(List.of("matcher"),
					"has white space or a comma, so it would match no " + noun, "Separate names by '|' alone."));
		}
		if (matcher.matches("\\|.*|.*\\|\\|.*|(.*[^\\\\])?\\|")) {
			this.problems.add(new Problem(List.of("matcher"), "has an empty alternative, so it matches every " + noun,
					"Remove the extra bar."));
		}
		try {
			ToolMatcher.matcher(matcher);
		}
		catch (UnusablePatternException ex) {
			String meant = GlobAsRegex.translate(matcher);
			this.problems.add(new Problem(List.of("matcher"), String.valueOf(ex.getMessage()), (meant != null)
					? "Write '%s', or write the glob under 'match'.".formatted(meant) : ex.getAction()));
		}
	}

	private static boolean isBlank(int character) {
		return Character.isWhitespace(character) || Character.isSpaceChar(character)
				|| Character.isISOControl(character);
	}

}
