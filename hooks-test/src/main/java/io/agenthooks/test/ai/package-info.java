/**
 * A model of Spring AI that plays a script, for tests of whole agents. Needs
 * {@code spring-ai-client-chat}.
 */
@NullMarked
package io.agenthooks.test.ai;

import org.jspecify.annotations.NullMarked;
