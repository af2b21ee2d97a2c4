package io.agenthooks.sample;

import java.nio.file.Path;

import org.springframework.stereotype.Component;

import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolResult;

/**
 * Answers in place of {@code read_file} when the agent wants to read an {@code .env}
 * file. A hook is a bean; there is nothing to register.
 */
@Component
class SecretFileHook implements PreToolHook {

	@Override
	public String name() {
		return "secret-files";
	}

	@Override
	public ToolDecision preCall(ToolCall call) {
		if (call.identity().isNamed("read_file") && call.arguments().get("path") instanceof String path
				&& Path.of(path).normalize().endsWith(".env")) {
			return ToolDecision.respond(ToolResult.success("This file holds secrets; agents do not get to see it."));
		}
		return ToolDecision.approve();
	}

	/**
	 * The decision depends on the call alone, so a later change of the path is checked
	 * again.
	 */
	@Override
	public boolean isRepeatable() {
		return true;
	}

}
