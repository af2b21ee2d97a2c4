package io.agenthooks.spring.binding;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

import io.agenthooks.spring.HookOptions;
import io.agenthooks.spring.HookScope;
import io.agenthooks.toolcall.ApprovalScope;
import io.agenthooks.toolcall.AskTerms;

/**
 * The options of an entry of a list of hooks, beside its {@code config}. The same for
 * every type of hook; what is said of tools holds for models where the hooks are around
 * model calls.
 *
 * @param type Type of the hook: one of the built-in types, or the type of a factory bean.
 * @param name Name of the hook in logs, metrics and audit. Type and position unless set.
 * @param match Globs of tool names, of which one has to match one of the names of a tool,
 * as in fnmatch. All tools unless set.
 * @param matcher Regular expression for tool names: a plain name, or names separated by
 * '|', match exactly; anything else is searched in the name. All tools unless set.
 * @param except Globs of tools that the hook is not for; those of MCP servers are written
 * server__name, unless mcp_servers is set. None unless set.
 * @param agents Globs of names of agents, of which one has to match. All unless set; a
 * call without an agent has an empty name.
 * @param roles Globs of roles, of which one has to match. All unless set.
 * @param workspaces Globs of workspaces, of which one has to match. All unless set.
 * @param users Globs of names of users, of which one has to match. All unless set; a call
 * without a user is for the hook, too.
 * @param authorities Globs of authorities, of which one has to match one of the user's.
 * All unless set; if none of the user's is known, the call is for the hook, too.
 * @param mcpServers Globs of names of MCP servers whose tools are called, of which one
 * has to match. All unless set; a tool that is on no MCP server has an empty name there.
 * @param order Order of the hook; lower runs first. Hooks of the same order run beans
 * first, then entries as they are written.
 * @param timeout Time after which the hook counts as failed, such as 2s. No limit unless
 * set.
 * @param failOpen Whether a call passes when the hook itself fails.
 * @param mode Whether the decision counts (enforce) or is only logged and counted
 * (observe).
 * @param send Names of the arguments of a tool that a webhook, command, process or prompt
 * gets; it does not get the others. All unless set.
 * @param mask Names of the arguments of a tool that a webhook, command, process or prompt
 * gets as a mask. None unless set.
 * @param reason What the model reads if the hook denies or aborts, in place of what the
 * hook says itself.
 * @param approvers Authorities of which a person needs one to decide about what the hook
 * asks, beside one of those of hooks.approval.
 * @param decisions What people may decide about what the hook asks: 'approve', 'deny',
 * and 'edit' unless it is left out.
 * @param maxScope Widest scope of an approval of what the hook asks: 'once', 'call' or
 * 'tool'. That of hooks.approval unless set.
 * @param enabled Whether the hook is active.
 */
record ListEntry(@Nullable String type, @Nullable String name, @Nullable List<String> match, @Nullable String matcher,
		@Nullable List<String> except, @Nullable List<String> agents, @Nullable List<String> roles,
		@Nullable List<String> workspaces, @Nullable List<String> users, @Nullable List<String> authorities,
		@Nullable List<String> mcpServers, @DefaultValue("2147483647") int order, @Nullable Duration timeout,
		@Nullable Boolean failOpen, @DefaultValue("enforce") HookOptions.Mode mode, @Nullable List<String> send,
		@Nullable List<String> mask, @Nullable String reason, @Nullable List<String> approvers,
		@Nullable List<AskTerms.Answer> decisions, @Nullable ApprovalScope maxScope,
		@DefaultValue("true") boolean enabled) {

	HookOptions options() {
		HookScope scope = new HookScope(this.match, this.matcher, this.except, this.agents, this.roles, this.workspaces,
				this.users, this.authorities, this.mcpServers);
		HookOptions options = new HookOptions(scope, this.order, this.timeout, this.failOpen, this.mode)
			.sending(this.send, this.mask)
			.asking(new HookOptions.Asking(this.approvers, this.decisions, this.maxScope));
		return (this.reason != null) ? options.reason(this.reason) : options;
	}

}
