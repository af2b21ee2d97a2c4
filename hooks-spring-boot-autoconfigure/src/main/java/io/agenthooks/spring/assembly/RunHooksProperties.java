package io.agenthooks.spring.assembly;

import java.time.Duration;
import java.util.List;

import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * The options of {@code hooks.run}. For IDEs, as {@link ToolCallHooksProperties}.
 *
 * @param bypassHooks Whether runs of agents pass no hooks.
 * @param enabled Former name of the opposite of 'bypass_hooks'.
 * @param preRun Hooks that decide whether a run may begin, in order.
 * @param postRun Hooks that learn how a run ended, in order.
 * @param replaces Names of hooks of another source that a list of this source may
 * replace.
 * @param postRunTimeout Time that a hook which only learns how runs ended may hold a run.
 * @param eventTimeout Time that the listeners to an event of a run may hold it.
 */
@ConfigurationProperties("hooks.run")
record RunHooksProperties(boolean bypassHooks, boolean enabled, List<ToolCallHooksProperties.Entry> preRun,
		List<ToolCallHooksProperties.Entry> postRun, List<String> replaces, Duration postRunTimeout,
		Duration eventTimeout) {
}
