package io.agenthooks.spring.ai;

import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Where the call of a tool comes from. Its maps may hold secrets, so they are not
 * printed.
 *
 * @param tool the name of the tool
 * @param toolContext what the application gave to the tool; Spring AI sends it to MCP
 * servers, too
 * @param advisorContext the parameters of the advisors of the {@code ChatClient}; empty
 * if the call does not come from one that has our advisor
 * @since 0.1.0
 */
public record ToolCallOrigin(String tool, Map<String, Object> toolContext,
		Map<String, @Nullable Object> advisorContext) {

	@Override
	public String toString() {
		return "ToolCallOrigin[toolContext=%s, advisorContext=%s]".formatted(this.toolContext.keySet(),
				this.advisorContext.keySet());
	}

}
