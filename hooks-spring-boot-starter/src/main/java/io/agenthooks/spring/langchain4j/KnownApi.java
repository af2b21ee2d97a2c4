package io.agenthooks.spring.langchain4j;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Map;

import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.observability.api.event.AiServiceRequestIssuedEvent;
import dev.langchain4j.service.tool.ToolService;
import dev.langchain4j.service.tool.ToolServiceContext;
import org.jspecify.annotations.Nullable;

/**
 * Whether this version of LangChain4j runs tools the way that {@link GuardedToolService}
 * knows. What it overrides is internal to LangChain4j: if a method changed, ours would
 * silently never be called.
 */
final class KnownApi {

	private static final @Nullable String MISMATCH = mismatch(ToolService.class);

	private KnownApi() {
	}

	/**
	 * What is different, or {@code null} if all is as we know it.
	 */
	static @Nullable String mismatch() {
		return MISMATCH;
	}

	static @Nullable String mismatch(Class<?> toolService) {
		try {
			for (Method method : GuardedToolService.class.getDeclaredMethods()) {
				if (Modifier.isPublic(method.getModifiers()) && !method.isSynthetic()) {
					require(toolService, method.getReturnType(), method.getName(), method.getParameterTypes());
				}
			}
			require(ToolServiceContext.class, List.class, "availableTools");
			require(ToolServiceContext.class, List.class, "effectiveTools");
			require(ToolServiceContext.class, Map.class, "toolExecutors");
			require(ToolServiceContext.class, List.class, "dynamicToolProviders");
			require(ToolServiceContext.class, Object.class, "toBuilder");
			require(AiServiceRequestIssuedEvent.class, ChatRequest.class, "request");
			return null;
		}
		catch (NoSuchMethodException | LinkageError ex) {
			return "this version of LangChain4j is unknown (" + ex.getMessage() + ")";
		}
	}

	private static void require(Class<?> type, Class<?> returned, String name, Class<?>... parameters)
			throws NoSuchMethodException {
		Method method = type.getMethod(name, parameters);
		if (Modifier.isFinal(method.getModifiers()) || !returned.isAssignableFrom(method.getReturnType())) {
			throw new NoSuchMethodException(method.toString());
		}
	}

}
