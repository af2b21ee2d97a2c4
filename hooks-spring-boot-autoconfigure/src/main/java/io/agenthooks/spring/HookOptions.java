package io.agenthooks.spring;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.agenthooks.ExternalHook;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.NameKind;
import io.agenthooks.toolcall.ApprovalScope;
import io.agenthooks.toolcall.AskTerms;

/**
 * The options of an entry outside of its {@code config}: the calls that the hook is for,
 * its order, and what its decision means. The same for every type of hook, for beans and
 * for hooks that are registered at run time.
 *
 * @param scope which calls the hook is for
 * @param order the place; lower runs first
 * @param timeout the time after which the hook counts as failed, or {@code null} for no
 * limit; a hook that only learns how calls ended has one in any case
 * @param failOpen whether a call passes when the hook itself fails, or {@code null} if
 * that is the hook's own matter
 * @param mode whether the decision counts
 * @param sent which arguments the hook sends out of the application, or {@code null} for
 * all; for an {@link ExternalHook} only
 * @param reason what the model reads if the hook denies or aborts, or {@code null} for
 * what the hook says itself
 * @param asking who may answer if the hook asks people, how, and for which calls
 * @since 0.1.0
 */
public record HookOptions(HookScope scope, int order, @Nullable Duration timeout, @Nullable Boolean failOpen, Mode mode,
		@Nullable SentArguments sent, @Nullable String reason, Asking asking) {

	/** More is a mistaken unit. The same limit as for a webhook. */
	private static final Duration MAX_TIMEOUT = Duration.ofMinutes(5);

	private static final HookOptions DEFAULTS = new HookOptions(HookScope.all(), Integer.MAX_VALUE, null, null,
			Mode.ENFORCE);

	/** Create options. */
	public HookOptions {
		Objects.requireNonNull(scope, "'scope' must not be null");
		Objects.requireNonNull(mode, "'mode' must not be null");
		Objects.requireNonNull(asking, "'asking' must not be null");
	}

	/**
	 * Create options of a hook that may send out everything.
	 * @param scope which calls the hook is for
	 * @param order the place; lower runs first
	 * @param timeout the time after which the hook counts as failed, or {@code null} for
	 * no limit
	 * @param failOpen whether a call passes when the hook itself fails, or {@code null}
	 * if that is the hook's own matter
	 * @param mode whether the decision counts
	 */
	public HookOptions(HookScope scope, int order, @Nullable Duration timeout, @Nullable Boolean failOpen, Mode mode) {
		this(scope, order, timeout, failOpen, mode, null, null, Asking.ANY);
	}

	/**
	 * The default options: for all calls, last, enforced.
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
		return new HookOptions(scope, this.order, this.timeout, this.failOpen, this.mode, this.sent, this.reason,
				this.asking);
	}

	/**
	 * These options for some tools only.
	 * @param match globs of tool names, of which one has to match
	 * @return the new options
	 */
	public HookOptions match(String... match) {
		return scope(new HookScope(List.of(match), this.scope.matcher(), this.scope.except(), this.scope.agents(),
				this.scope.roles(), this.scope.workspaces(), this.scope.users(), this.scope.authorities(),
				this.scope.mcpServers()));
	}

	/**
	 * These options for the tools that a regular expression is for.
	 * @param matcher a plain name, or names separated by {@code |}, match exactly;
	 * anything else is searched in the name
	 * @return the new options
	 */
	public HookOptions matcher(String matcher) {
		return scope(new HookScope(this.scope.match(), matcher, this.scope.except(), this.scope.agents(),
				this.scope.roles(), this.scope.workspaces(), this.scope.users(), this.scope.authorities(),
				this.scope.mcpServers()));
	}

	/**
	 * These options without some tools.
	 * @param except globs of tool names that the hook is not for
	 * @return the new options
	 */
	public HookOptions except(String... except) {
		return scope(new HookScope(this.scope.match(), this.scope.matcher(), List.of(except), this.scope.agents(),
				this.scope.roles(), this.scope.workspaces(), this.scope.users(), this.scope.authorities(),
				this.scope.mcpServers()));
	}

	/**
	 * These options for some agents only.
	 * @param agents globs of names of agents, of which one has to match
	 * @return the new options
	 */
	public HookOptions agents(String... agents) {
		return scope(new HookScope(this.scope.match(), this.scope.matcher(), this.scope.except(), List.of(agents),
				this.scope.roles(), this.scope.workspaces(), this.scope.users(), this.scope.authorities(),
				this.scope.mcpServers()));
	}

	/**
	 * These options for some roles only.
	 * @param roles globs of roles, of which one has to match
	 * @return the new options
	 */
	public HookOptions roles(String... roles) {
		return scope(new HookScope(this.scope.match(), this.scope.matcher(), this.scope.except(), this.scope.agents(),
				List.of(roles), this.scope.workspaces(), this.scope.users(), this.scope.authorities(),
				this.scope.mcpServers()));
	}

	/**
	 * These options for some workspaces only.
	 * @param workspaces globs of workspaces, of which one has to match
	 * @return the new options
	 */
	public HookOptions workspaces(String... workspaces) {
		return scope(new HookScope(this.scope.match(), this.scope.matcher(), this.scope.except(), this.scope.agents(),
				this.scope.roles(), List.of(workspaces), this.scope.users(), this.scope.authorities(),
				this.scope.mcpServers()));
	}

	/**
	 * These options for calls of some users only, and those without a user.
	 * @param users globs of names of users, of which one has to match
	 * @return the new options
	 */
	public HookOptions users(String... users) {
		return scope(new HookScope(this.scope.match(), this.scope.matcher(), this.scope.except(), this.scope.agents(),
				this.scope.roles(), this.scope.workspaces(), List.of(users), this.scope.authorities(),
				this.scope.mcpServers()));
	}

	/**
	 * These options for calls of users with some authorities only, and those of which no
	 * authority is known.
	 * @param authorities globs of authorities, of which one has to match
	 * @return the new options
	 */
	public HookOptions authorities(String... authorities) {
		return scope(new HookScope(this.scope.match(), this.scope.matcher(), this.scope.except(), this.scope.agents(),
				this.scope.roles(), this.scope.workspaces(), this.scope.users(), List.of(authorities),
				this.scope.mcpServers()));
	}

	/**
	 * These options for the tools of some MCP servers only.
	 * @param mcpServers globs of names of MCP servers, of which one has to match
	 * @return the new options
	 */
	public HookOptions mcpServers(String... mcpServers) {
		return scope(new HookScope(this.scope.match(), this.scope.matcher(), this.scope.except(), this.scope.agents(),
				this.scope.roles(), this.scope.workspaces(), this.scope.users(), this.scope.authorities(),
				List.of(mcpServers)));
	}

	/**
	 * These options at another place.
	 * @param order the place; lower runs first
	 * @return the new options
	 */
	public HookOptions order(int order) {
		return new HookOptions(this.scope, order, this.timeout, this.failOpen, this.mode, this.sent, this.reason,
				this.asking);
	}

	/**
	 * These options with a limit of time.
	 * @param timeout the time after which the hook counts as failed
	 * @return the new options
	 */
	public HookOptions timeout(Duration timeout) {
		return new HookOptions(this.scope, this.order, timeout, this.failOpen, this.mode, this.sent, this.reason,
				this.asking);
	}

	/**
	 * These options with another fail mode.
	 * @param failOpen whether a call passes when the hook itself fails
	 * @return the new options
	 */
	public HookOptions failOpen(boolean failOpen) {
		return new HookOptions(this.scope, this.order, this.timeout, failOpen, this.mode, this.sent, this.reason,
				this.asking);
	}

	/**
	 * These options as a dry run: the hook decides, what it would do is logged and
	 * counted, and the call passes.
	 * @return the new options
	 */
	public HookOptions observe() {
		return new HookOptions(this.scope, this.order, this.timeout, this.failOpen, Mode.OBSERVE, this.sent,
				this.reason, this.asking);
	}

	/**
	 * These options with a reason for the model.
	 * @param reason what the model reads if the hook denies or aborts
	 * @return the new options
	 */
	public HookOptions reason(String reason) {
		return new HookOptions(this.scope, this.order, this.timeout, this.failOpen, this.mode, this.sent, reason,
				this.asking);
	}

	/**
	 * These options without a reason for the model, because the hook has it already.
	 * @return the new options
	 */
	public HookOptions withoutReason() {
		return new HookOptions(this.scope, this.order, this.timeout, this.failOpen, this.mode, this.sent, null,
				this.asking);
	}

	/**
	 * These options of a hook that sends only some arguments out of the application.
	 * @param send names of the arguments that are sent
	 * @return the new options
	 */
	public HookOptions send(String... send) {
		return sent(new SentArguments(List.of(send), (this.sent != null) ? this.sent.mask() : null));
	}

	/**
	 * These options of a hook that sends some arguments out of the application as a mask.
	 * @param mask names of the arguments that are masked
	 * @return the new options
	 */
	public HookOptions mask(String... mask) {
		return sent(new SentArguments((this.sent != null) ? this.sent.send() : null, List.of(mask)));
	}

	private HookOptions sent(@Nullable SentArguments sent) {
		return new HookOptions(this.scope, this.order, this.timeout, this.failOpen, this.mode, sent, this.reason,
				this.asking);
	}

	/**
	 * These options with what two options of an entry say of arguments.
	 * @param send the names of the arguments that are sent, or {@code null} for all
	 * @param mask the names of the arguments that are masked, or {@code null} for none
	 * @return the new options
	 */
	public HookOptions sending(@Nullable List<String> send, @Nullable List<String> mask) {
		return sent(SentArguments.of(send, mask));
	}

	/**
	 * These options of a hook that asks people.
	 * @param asking who may answer, how, and for which calls
	 * @return the new options
	 */
	public HookOptions asking(Asking asking) {
		return new HookOptions(this.scope, this.order, this.timeout, this.failOpen, this.mode, this.sent, this.reason,
				asking);
	}

	/**
	 * Find the mistakes in these options of a hook around tool calls, whatever the hook.
	 * @return each mistake, at the name of an option as it is written in YAML
	 */
	public List<Problem> problems() {
		return problems(NameKind.TOOL);
	}

	/**
	 * Find the mistakes in these options, whatever the hook.
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
		if (this.reason != null && this.reason.isBlank()) {
			problems.add(new Problem(List.of("reason"), "is blank", "Write a reason, or remove it."));
		}
		if (this.sent != null) {
			problems.addAll(this.sent.problems());
		}
		problems.addAll(this.asking.problems());
		return problems;
	}

	/**
	 * The terms of what a hook asks people, as they are written.
	 *
	 * @param approvers authorities of which a person needs one, beside one of those of
	 * {@code hooks.approval}; {@code null} for those alone
	 * @param decisions what people may decide, or {@code null} for what
	 * {@code hooks.approval} lets
	 * @param maxScope the widest scope of an approval, or {@code null} for that of
	 * {@code hooks.approval}
	 * @since 0.1.0
	 */
	public record Asking(@Nullable List<String> approvers, @Nullable List<AskTerms.Answer> decisions,
			@Nullable ApprovalScope maxScope) {

		/** The bounds that {@code hooks.approval} sets. */
		public static final Asking ANY = new Asking(null, null, null);

		/**
		 * Create terms; the lists are copied as they are, for mistakes in them are
		 * reported together.
		 */
		public Asking {
			approvers = (approvers != null) ? Collections.unmodifiableList(new ArrayList<>(approvers)) : null;
			decisions = (decisions != null) ? Collections.unmodifiableList(new ArrayList<>(decisions)) : null;
		}

		/**
		 * The options that are written.
		 * @return their names, as they are written in YAML
		 */
		public List<String> options() {
			return Stream
				.of((this.approvers != null) ? "approvers" : "", (this.decisions != null) ? "decisions" : "",
						(this.maxScope != null) ? "max_scope" : "")
				.filter((option) -> !option.isEmpty())
				.toList();
		}

		/**
		 * The terms.
		 * @return the terms
		 */
		public AskTerms terms() {
			return AskTerms.of(this.approvers, this.decisions, this.maxScope);
		}

		List<Problem> problems() {
			return AskTerms.problems(this.approvers, this.decisions);
		}

	}

	/**
	 * The weight of a hook's decision.
	 *
	 * @since 0.1.0
	 */
	public enum Mode {

		/** It counts. */
		ENFORCE,

		/** It is logged and counted, and the call passes. */
		OBSERVE

	}

}
