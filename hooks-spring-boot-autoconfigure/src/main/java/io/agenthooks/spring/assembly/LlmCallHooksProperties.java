package io.agenthooks.spring.assembly;

import java.time.Duration;
import java.util.List;

import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * The options of {@code hooks.llm_call}. For IDEs, as {@link ToolCallHooksProperties}.
 *
 * @param bypassHooks Whether calls of models pass no hooks.
 * @param enabled Former name of the opposite of 'bypass_hooks'.
 * @param preCall Hooks that decide about a call before the model is asked, in order.
 * @param postCall Hooks that replace responses or learn how a call ended, in order.
 * @param replaces Names of hooks of another source that a list of this source may
 * replace.
 * @param postCallTimeout Time that a hook which only learns how calls ended may hold a
 * call.
 * @param eventTimeout Time that the listeners to an event of a call may hold it.
 */
@ConfigurationProperties("hooks.llm-call")
record LlmCallHooksProperties(boolean bypassHooks, boolean enabled, List<ToolCallHooksProperties.Entry> preCall,
		List<ToolCallHooksProperties.Entry> postCall, List<String> replaces, Duration postCallTimeout,
		Duration eventTimeout) {
}
