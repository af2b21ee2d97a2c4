package io.agenthooks.spring.ai;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.ai.chat.model.ToolContext;

import io.agenthooks.CallContext;
import io.agenthooks.spring.CallContextCustomizer;
import io.agenthooks.spring.caller.Caller;
import io.agenthooks.toolcall.ToolIdentity;

record ToolContexts(Supplier<List<CallContextCustomizer>> customizers) {

	CallContext complete(ToolIdentity identity, CallContext context, @Nullable ToolContext toolContext, Caller caller) {
		CallContext described = identity.describeIn(context);
		Map<String, Object> tool = (toolContext != null) ? toolContext.getContext() : Map.of();
		CallContext known = (described.sessionId() == null && tool.get(ChatMemory.CONVERSATION_ID) instanceof String id)
				? described.withSessionId(id) : described;
		List<CallContextCustomizer> customizers = this.customizers.get();
		return (customizers.isEmpty()) ? known : CallContextCustomizer.customize(customizers, known, () -> {
			Map<String, @Nullable Object> given = new LinkedHashMap<>(
					(caller instanceof ClientRun run) ? run.advisorParameters() : Map.of());
			given.putAll(tool);
			return given;
		});
	}

}
