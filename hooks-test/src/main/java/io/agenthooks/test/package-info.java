/**
 * Tests hooks the way an application runs them: the configuration, the beans and the
 * chain are real, only the tools are not. Start at
 * {@link io.agenthooks.test.ToolHooksTester}.
 * <p>
 * For tests only: it needs AssertJ, which {@code spring-boot-starter-test} brings along.
 */
@NullMarked
package io.agenthooks.test;

import org.jspecify.annotations.NullMarked;
