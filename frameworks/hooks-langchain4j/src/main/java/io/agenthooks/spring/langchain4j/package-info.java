/**
 * Guards the tools of LangChain4j's AI services. LangChain4j finds
 * {@link io.agenthooks.spring.langchain4j.GuardedAiServiceContextFactory} by itself, so
 * an application changes nothing.
 */
@NullMarked
package io.agenthooks.spring.langchain4j;

import org.jspecify.annotations.NullMarked;
