package io.agenthooks.spring.langchain4j;

import java.lang.reflect.Parameter;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolMemoryId;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.invocation.InvocationParameters;
import dev.langchain4j.invocation.LangChain4jManaged;
import dev.langchain4j.service.memory.ChatMemoryService;
import dev.langchain4j.service.tool.AiServiceTool;
import dev.langchain4j.service.tool.DefaultToolExecutor;
import dev.langchain4j.service.tool.ToolExecutor;
import dev.langchain4j.service.tool.ToolProvider;
import dev.langchain4j.service.tool.ToolProviderRequest;
import dev.langchain4j.service.tool.ToolProviderResult;
import org.jspecify.annotations.Nullable;

import io.agenthooks.CallAttributes;
import io.agenthooks.CallContext;
import io.agenthooks.spring.arguments.ToolArguments;
import io.agenthooks.spring.caller.Caller;
import io.agenthooks.spring.caller.Login;
import io.agenthooks.spring.suspend.ApprovalRefusedException;
import io.agenthooks.toolcall.ToolCall;

/**
 * Runs a call when its invocation is over. Only what the call says is left of that, so a
 * tool that wants more cannot wait for people.
 */
record ResumableTool(GuardedToolService service, ToolSpecification specification, ToolExecutor executor) {

	static @Nullable ResumableTool find(GuardedToolService service, ToolCall call, boolean given) {
		List<ResumableTool> named = candidates(service, call)
			.filter((tool) -> tool.specification.name().equals(call.tool()))
			.toList();
		ResumableTool certain = named.stream().filter((tool) -> tool.is(call, given)).findFirst().orElse(null);
		if (certain != null) {
			return certain;
		}
		List<ResumableTool> possible = named.stream().filter((tool) -> tool.mayBe(call)).toList();
		if (possible.size() > 1) {
			throw ApprovalRefusedException.severalTools();
		}
		return (possible.isEmpty()) ? null : possible.get(0);
	}

	private static Stream<ResumableTool> candidates(GuardedToolService service, ToolCall call) {
		Stream<ResumableTool> own = service.toolSpecifications().stream().flatMap((tool) -> {
			ToolExecutor executor = service.toolExecutors().get(tool.name());
			return (executor != null) ? Stream.of(new ResumableTool(service, tool, executor)) : Stream.empty();
		});
		return Stream.concat(own,
				service.toolProviders()
					.stream()
					.flatMap((provider) -> provided(provider, call))
					.map((tool) -> new ResumableTool(service, tool.toolSpecification(), tool.toolExecutor())));
	}

	private static Stream<AiServiceTool> provided(ToolProvider provider, ToolCall call) {
		UserMessage prompt = UserMessage.from("Call the tool '" + call.tool() + "'");
		ToolProviderResult result = provider.provideTools(ToolProviderRequest.builder()
			.invocationContext(invocation(sessionOf(call.context())))
			.userMessage(prompt)
			.messages(List.of(prompt))
			.build());
		return (result != null) ? result.aiServiceTools().stream() : Stream.empty();
	}

	private boolean is(ToolCall call, boolean given) {
		ToolOrigins origins = new ToolOrigins();
		ToolOrigins.Remote origin = origins.originOf(this.executor, this.specification);
		if (given && origin == null) {
			return call.identity().isOfApplication();
		}
		// Two tools of unknown servers may be those of different ones.
		return (given || call.identity().server() != null)
				&& origins.identityOf(origin, call.tool()).equals(call.identity());
	}

	/** Only the context of the call may name the server. */
	private boolean mayBe(ToolCall call) {
		ToolOrigins origins = new ToolOrigins();
		return origins.identityOf(origins.originOf(this.executor, this.specification), call.tool()).isNamedBy(call);
	}

	io.agenthooks.toolcall.ToolExecutor prepare(ToolCall call) {
		CallContext context = call.context();
		Object id = context.attributes().get(CallAttributes.PROVIDER_CALL_ID);
		ToolExecutionRequest request = ToolExecutionRequest.builder()
			.id((id != null) ? id.toString() : "")
			.name(call.tool())
			.arguments(ToolArguments.write(call.arguments()))
			.build();
		InvocationContext invocation = invocation(memoryId(this.executor, context));
		return new ToolRunner(call, request, this.executor, invocation,
				() -> this.service.schemas().of(this.specification),
				// Whoever resumes the call is not the one for whom it is made.
				Caller.of(context, Login.GUEST), (failure) -> this.service.textOf(failure, request, invocation),
				this.service::chain);
	}

	/** Why a call cannot wait for people, as far as the tool tells. */
	static @Nullable String objectionTo(ToolExecutor executor, InvocationContext invocation, CallContext context) {
		if (!(executor instanceof DefaultToolExecutor tool)) {
			return null;
		}
		InvocationParameters parameters = invocation.invocationParameters();
		for (Parameter parameter : tool.originalMethod().getParameters()) {
			Class<?> type = parameter.getType();
			if (parameter.isAnnotationPresent(ToolMemoryId.class)
					&& !Objects.equals(memoryId(type, context), invocation.chatMemoryId())) {
				return "the tool uses a memory id that is not that of the session";
			}
			if (InvocationContext.class.isAssignableFrom(type) || LangChain4jManaged.class.isAssignableFrom(type)
					|| (InvocationParameters.class.isAssignableFrom(type) && parameters != null
							&& !parameters.asMap().isEmpty())) {
				return "the tool uses what is known only during the invocation";
			}
		}
		return null;
	}

	private static InvocationContext invocation(@Nullable Object memoryId) {
		return InvocationContext.builder()
			.chatMemoryId(memoryId)
			.invocationParameters(new InvocationParameters())
			.timestampNow()
			.build();
	}

	private static @Nullable Object memoryId(ToolExecutor executor, CallContext context) {
		if (executor instanceof DefaultToolExecutor tool) {
			for (Parameter parameter : tool.originalMethod().getParameters()) {
				if (parameter.isAnnotationPresent(ToolMemoryId.class)) {
					return memoryId(parameter.getType(), context);
				}
			}
		}
		return sessionOf(context);
	}

	private static String sessionOf(CallContext context) {
		return (context.sessionId() != null) ? context.sessionId() : ChatMemoryService.DEFAULT;
	}

	/**
	 * The session, in the type that a tool wants; {@code null} if it cannot be such an
	 * id.
	 */
	private static @Nullable Object memoryId(Class<?> type, CallContext context) {
		String session = sessionOf(context);
		try {
			if (type == int.class || type == Integer.class) {
				return Integer.valueOf(session);
			}
			if (type == long.class || type == Long.class) {
				return Long.valueOf(session);
			}
			return (type == UUID.class) ? UUID.fromString(session)
					: (type.isAssignableFrom(String.class)) ? session : null;
		}
		catch (IllegalArgumentException ex) {
			return null;
		}
	}

}
