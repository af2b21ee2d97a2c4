package io.agenthooks.spring.assembly;

import java.util.List;

import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * What may be written under {@code hooks.llm_call}, for IDEs, as
 * {@link ToolCallHooksProperties}.
 *
 * @param enabled Whether calls of models pass the hooks.
 * @param preCall Hooks that decide about a call before the model is asked, in order.
 * @param postCall Hooks that replace responses or learn how a call ended, in order.
 */
@ConfigurationProperties("hooks.llm-call")
record LlmCallHooksProperties(boolean enabled, List<ToolCallHooksProperties.Entry> preCall,
		List<ToolCallHooksProperties.Entry> postCall) {
}
