package io.agenthooks.spring.langchain4j.app;

/**
 * The agent.
 */
interface SupportAgent {

	String chat(String message);

}
