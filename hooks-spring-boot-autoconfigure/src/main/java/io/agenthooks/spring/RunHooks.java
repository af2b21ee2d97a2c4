package io.agenthooks.spring;

import io.agenthooks.run.RunHook;

/**
 * The active hooks around runs of agents, as a bean: lists them, adds some and removes
 * them at run time.
 * <p>
 * A hook can be registered only where runs pass the hooks. Where Spring AI or LangChain4j
 * is present, that is so if there was a hook around runs at the start, in the
 * configuration or as a bean; else registering throws an {@link IllegalStateException}.
 * The options choose runs by agent, role and workspace, not by the name of what is
 * called.
 *
 * @since 0.1.0
 */
public interface RunHooks extends ActiveHooks<RunHook> {

}
