package io.agenthooks.spring.assembly;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The options directly under {@code hooks}. For IDEs, as {@link ToolCallHooksProperties}.
 *
 * @param strict Whether what may be a mistake stops the start: names of tools, arguments,
 * agents, claims and servers that nothing has, tools that pass no hooks, and types that
 * do not say what happens when they fail.
 */
@ConfigurationProperties("hooks")
record HooksProperties(@DefaultValue("false") boolean strict) {
}
