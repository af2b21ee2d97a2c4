/**
 * Models of Spring AI that are no AI: one plays a script in tests of whole agents, one
 * shows agents without a key. Both need {@code spring-ai-client-chat}.
 */
@NullMarked
package io.agenthooks.test.ai;

import org.jspecify.annotations.NullMarked;
