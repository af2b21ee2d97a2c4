package io.agenthooks.spring.assembly;

import java.util.List;

import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * What may be written under {@code hooks.run}, for IDEs, as
 * {@link ToolCallHooksProperties}.
 *
 * @param enabled Whether runs of agents pass the hooks.
 * @param preRun Hooks that decide whether a run may begin, in order.
 * @param postRun Hooks that learn how a run ended, in order.
 */
@ConfigurationProperties("hooks.run")
record RunHooksProperties(boolean enabled, List<ToolCallHooksProperties.Entry> preRun,
		List<ToolCallHooksProperties.Entry> postRun) {
}
