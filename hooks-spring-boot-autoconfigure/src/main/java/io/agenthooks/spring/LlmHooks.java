package io.agenthooks.spring;

import io.agenthooks.llmcall.LlmHook;

/**
 * The active hooks around model calls, as a bean: lists them, adds some and removes them
 * at run time.
 * <p>
 * A hook can be registered only where clients and models pass the hooks. Where Spring AI
 * or LangChain4j is present, that is so if there was a hook around model calls at the
 * start, in the configuration or as a bean; else registering throws an
 * {@link IllegalStateException}. The options choose calls by the name of the model.
 *
 * @since 0.1.0
 */
public interface LlmHooks extends ActiveHooks<LlmHook> {

}
