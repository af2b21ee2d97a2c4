package io.agenthooks.spring.langchain4j;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.observability.api.event.AiServiceRequestIssuedEvent;
import dev.langchain4j.service.AiServiceContext;
import dev.langchain4j.service.tool.ToolService;
import dev.langchain4j.service.tool.ToolServiceContext;
import org.jspecify.annotations.Nullable;
import org.springframework.util.StringUtils;

import io.agenthooks.spring.guard.KnownMethods;

/**
 * {@link GuardedToolService} overrides what is internal to LangChain4j: if a method
 * changed, ours would silently never be called.
 */
final class KnownApi {

	private static final String UNKNOWN = "this version of LangChain4j is unknown (%s)";

	/** Types that only calls of tools have. Other methods make settings. */
	private static final Set<Class<?>> CALLS = Set.of(ToolServiceContext.class, ToolExecutionRequest.class,
			AiServiceContext.class);

	private static final Set<String> KNOWN_CALLS = Set.of("createContext(InvocationContext, UserMessage, List)",
			"executeInferenceAndToolsLoop(AiServiceContext, Object, ChatResponse, ChatRequestParameters, List, ChatMemory, InvocationContext, ToolServiceContext, boolean)",
			"executeInferenceAndToolsLoop(AiServiceContext, Object, ChatResponse, ChatRequestParameters, List, ChatMemory, InvocationContext, ToolServiceContext, Function)",
			"refreshDynamicProviders(ToolServiceContext, List, InvocationContext)",
			"executeTool(InvocationContext, Map, ToolExecutionRequest, Consumer, Consumer)",
			"executeWithErrorHandling(ToolExecutionRequest, ToolExecutor, InvocationContext, ToolArgumentsErrorHandler, ToolExecutionErrorHandler)",
			"applyToolHallucinationStrategy(ToolExecutionRequest)");

	private static final @Nullable String MISMATCH = mismatch(ToolService.class);

	private KnownApi() {
	}

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
			KnownMethods tools = KnownMethods.of(ToolServiceContext.class, "effectiveTools()", "toolSpecifications()",
					"availableTools()", "toolExecutors()", "returnBehaviors()", "returnBehavior(String)",
					"immediateReturnTools()", "dynamicToolProviders()", "toBuilder()", "equals(Object)", "hashCode()",
					"toString()");
			String others = Stream.concat(callsOfTools(toolService), Stream.of(tools.describeOthers()))
				.filter(StringUtils::hasText)
				.collect(Collectors.joining(", "));
			return (others.isEmpty()) ? null : UNKNOWN.formatted(others);
		}
		catch (NoSuchMethodException | LinkageError ex) {
			return UNKNOWN.formatted(ex.getMessage());
		}
	}

	private static Stream<String> callsOfTools(Class<?> toolService) {
		return Arrays.stream(toolService.getMethods())
			.filter((method) -> CALLS.contains(method.getReturnType())
					|| Arrays.stream(method.getParameterTypes()).anyMatch(CALLS::contains))
			.map(KnownMethods::signature)
			.filter((method) -> !KNOWN_CALLS.contains(method));
	}

	private static void require(Class<?> type, Class<?> returned, String name, Class<?>... parameters)
			throws NoSuchMethodException {
		Method method = type.getMethod(name, parameters);
		if (Modifier.isFinal(method.getModifiers()) || !returned.isAssignableFrom(method.getReturnType())) {
			throw new NoSuchMethodException(method.toString());
		}
	}

}
