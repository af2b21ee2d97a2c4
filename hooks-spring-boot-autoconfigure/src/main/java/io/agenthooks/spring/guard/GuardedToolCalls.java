package io.agenthooks.spring.guard;

import java.util.List;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

import io.agenthooks.toolcall.ToolHookChain;

/**
 * The hooks around tool calls of one application context, for the check of its guards:
 * whether all of them are in the chain, and whether a bean that escaped matters.
 *
 * @since 0.1.0
 */
public interface GuardedToolCalls {

	/**
	 * The chain that guards ask, which they keep from now on.
	 * @return the chain
	 */
	ToolHookChain chain();

	/**
	 * Whether there is something that may keep a call from its tool, or a result from who
	 * called, now.
	 * @return whether a tool that passes no hooks would evade a decision
	 */
	boolean decide();

	/**
	 * Whether a hook may want a person to decide about a call, now.
	 * @return whether people may be asked
	 */
	boolean mayAsk();

	/** Stop the start if there are hooks that would not be asked. */
	void checkHooks();

	/**
	 * Report beans whose calls pass no hooks. That stops the start if there are hooks;
	 * else none can be registered from now on.
	 * @param unguarded what these beans are, in words
	 */
	void report(List<String> unguarded);

	/**
	 * The hooks of this context that a parent context with hooks of its own does not
	 * have: the tools of that one pass its hooks, so these would not be asked.
	 * @param parent the beans of the parent context
	 * @return the names of the hooks
	 */
	List<String> notAskedBy(ConfigurableListableBeanFactory parent);

	/**
	 * Log the hooks, with the ways to tools that lead through them.
	 * @param proved the ways that were proved
	 */
	void log(List<String> proved);

}
