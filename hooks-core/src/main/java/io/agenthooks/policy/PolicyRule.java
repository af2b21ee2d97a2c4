package io.agenthooks.policy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import org.jspecify.annotations.Nullable;

import io.agenthooks.toolcall.ApprovalScope;
import io.agenthooks.toolcall.AskTerms;

/**
 * A rule of a policy about calls of tools. It can only object: what no rule objects to is
 * as allowed as without rules.
 *
 * @param name Name of the rule in reasons, unless it is known by its position.
 * @param tools Globs of the tools that the rule is for, all unless set; one of the names
 * of a tool has to match.
 * @param except Globs of tools that the rule is not for. Tools of MCP servers are written
 * server__name, unless mcp_servers is set.
 * @param when Condition under which the rule matches, an expression in CEL.
 * @param unless Condition under which the rule does not match, an expression in CEL.
 * @param then What becomes of a call that matches: 'ask', 'deny' or 'abort'.
 * @param reason Why, for the model or the person who is asked.
 * @param hide Whether a tool that this rule denies to a caller whatever the arguments are
 * is not offered to the caller's model either. The rule must not read arguments.
 * @param approvers Authorities of which a person needs one to decide about what this rule
 * asks, beside one of those of hooks.approval.
 * @param decisions What people may decide about what this rule asks: 'approve', 'deny',
 * and 'edit' unless it is left out.
 * @param maxScope Widest scope of an approval of what this rule asks: 'once', 'call' or
 * 'tool'.
 * @since 0.1.0
 */
public record PolicyRule(@Nullable String name, @Nullable List<String> tools, @Nullable List<String> except,
		@Nullable String when, @Nullable String unless, @Nullable Effect then, @Nullable String reason, boolean hide,
		@Nullable List<String> approvers, @Nullable List<AskTerms.Answer> decisions, @Nullable ApprovalScope maxScope) {

	/**
	 * Create a rule; the lists are copied as they are, for mistakes in them are reported
	 * together.
	 */
	public PolicyRule {
		tools = (tools != null) ? Collections.unmodifiableList(new ArrayList<>(tools)) : null;
		except = (except != null) ? Collections.unmodifiableList(new ArrayList<>(except)) : null;
		approvers = (approvers != null) ? Collections.unmodifiableList(new ArrayList<>(approvers)) : null;
		decisions = (decisions != null) ? List.copyOf(decisions) : null;
	}

	/**
	 * The terms of what this rule asks.
	 * @return the terms
	 */
	public AskTerms terms() {
		return AskTerms.of(this.approvers, this.decisions, this.maxScope);
	}

	PolicyRule orReason(@Nullable String reason) {
		return (this.reason != null || reason == null) ? this : new PolicyRule(this.name, this.tools, this.except,
				this.when, this.unless, this.then, reason, this.hide, this.approvers, this.decisions, this.maxScope);
	}

	/**
	 * The effect of a rule that matches, from the mildest to the strictest.
	 *
	 * @since 0.1.0
	 */
	public enum Effect {

		/** A person is asked. */
		ASK,

		/** The call is denied. */
		DENY,

		/** The call is denied, and the run ends. */
		ABORT

	}

}
