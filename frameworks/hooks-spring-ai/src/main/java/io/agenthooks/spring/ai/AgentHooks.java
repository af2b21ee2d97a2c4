package io.agenthooks.spring.ai;

import io.agenthooks.CallContext;
import io.agenthooks.llmcall.LlmResponse;

/**
 * Names that an application shares with the hooks around its {@code ChatClient}s.
 * <p>
 * The first ones are parameters of advisors, given for a client
 * ({@code defaultAdvisors((advisors) -> advisors.param(AgentHooks.AGENT, "researcher"))})
 * or for one of its calls. They never reach a tool, a model or an MCP server.
 *
 * @since 0.1.0
 */
public final class AgentHooks {

	/**
	 * The advisor parameter that names the agent, for {@link CallContext#agent()}.
	 */
	public static final String AGENT = "agent_hooks_agent";

	/**
	 * The advisor parameter that names the person that the agent works for, for
	 * {@link CallContext#user()}. Unless it is given, the user is the one that Spring
	 * Security knows.
	 */
	public static final String USER = "agent_hooks_user";

	/**
	 * The advisor parameter with the id of the run, for {@link CallContext#runId()}.
	 * Unless it is given, each call of a client is a run with an id of its own.
	 */
	public static final String RUN_ID = "agent_hooks_run_id";

	/**
	 * The advisor parameter that names what goes on with a turn when people have decided
	 * about its calls, with {@code hooks.approval.resume: auto}: a
	 * {@link io.agenthooks.spring.suspend.ConversationContinuation} bean, or the client.
	 * Unless it is given, a client that is a bean has the name of the bean.
	 */
	public static final String CONTINUATION = "agent_hooks_continuation";

	/**
	 * The finish reason of a model's turn that a hook aborted.
	 */
	public static final String FINISH_REASON = LlmResponse.ABORTED_BY_HOOK;

	/**
	 * The metadata of the last generation of an aborted turn with the name of the hook.
	 */
	public static final String ABORTED_BY = "hook";

	private AgentHooks() {
	}

}
