package io.agenthooks.sample.tools;

import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;

import org.jspecify.annotations.Nullable;
import org.springframework.ai.tool.execution.ToolCallResultConverter;

/**
 * The text that a tool takes and returns. What it returns reaches the agent as it is;
 * Spring AI would put it in quotes.
 *
 * @since 0.1.0
 */
public final class PlainText implements ToolCallResultConverter {

	@Override
	public String convert(@Nullable Object result, @Nullable Type returnType) {
		return String.valueOf(result);
	}

	/**
	 * Refuse an argument that the operating system would cut or garble: what the hooks
	 * checked is what the tool gets.
	 */
	static void check(String name, String text) {
		if (text.indexOf('\0') != -1 || !StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
			throw new ToolFailedException("The argument '%s' holds characters that are not text".formatted(name));
		}
	}

}
