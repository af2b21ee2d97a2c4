package io.agenthooks.spring.langchain4j;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.Content;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.service.tool.ToolExecutionResult;
import org.jspecify.annotations.Nullable;

import io.agenthooks.AdditionalContext;
import io.agenthooks.AgentAbortedException;
import io.agenthooks.spring.arguments.ToolArguments;
import io.agenthooks.spring.arguments.ToolSchema;
import io.agenthooks.spring.caller.Caller;
import io.agenthooks.spring.security.MethodSecurity;
import io.agenthooks.spring.suspend.ApprovalPendingException;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolResult;

/**
 * Passes on as it is what no hook changed, both the text of the arguments and the result.
 */
final class ToolRunner implements ToolExecutor {

	private final ToolCall requested;

	private final ToolExecutionRequest request;

	private final dev.langchain4j.service.tool.ToolExecutor executor;

	private final InvocationContext invocation;

	private final Supplier<@Nullable ToolSchema> schema;

	private final Caller caller;

	private final Function<Exception, @Nullable String> failures;

	private final Supplier<ToolHookChain> chain;

	/** Thrown by the handlers of the application in place of a text. */
	private @Nullable RuntimeException thrown;

	private @Nullable ToolExecutionResult returned;

	private @Nullable ToolResult result;

	ToolRunner(ToolCall requested, ToolExecutionRequest request, dev.langchain4j.service.tool.ToolExecutor executor,
			InvocationContext invocation, Supplier<@Nullable ToolSchema> schema, Caller caller,
			Function<Exception, @Nullable String> failures, Supplier<ToolHookChain> chain) {
		this.requested = requested;
		this.request = request;
		this.executor = executor;
		this.invocation = invocation;
		this.schema = schema;
		this.caller = caller;
		this.failures = failures;
		this.chain = chain;
	}

	/** LangChain4j would ask the handlers when hooks can no longer see their text. */
	@Override
	public @Nullable String failureText(Throwable failure) {
		if (!(failure instanceof Exception ex)) {
			return null;
		}
		try {
			return this.failures.apply(ex);
		}
		catch (RuntimeException handled) {
			this.thrown = handled;
			return null;
		}
	}

	@Override
	public @Nullable String denialText(Throwable failure) {
		return MethodSecurity.denialOf(failure, ToolRunner.class);
	}

	/** For what came out of the chain: LangChain4j need not ask the handlers again. */
	RuntimeException toThrow(RuntimeException failure) {
		return (this.thrown != null) ? new HandledToolFailureException(this.thrown) : failure;
	}

	@Override
	public @Nullable String objection(ToolCall call) {
		ToolSchema schema = this.schema.get();
		String objection = (schema != null) ? schema.objection(call.arguments()) : null;
		return (objection != null) ? objection : MethodArguments.objection(this.executor, call, this.chain.get());
	}

	@Override
	public ToolResult execute(ToolCall call) {
		AgentAbortedException abortion = this.caller.abortedBy();
		if (abortion != null) {
			// The invocation ended while the hooks decided.
			throw abortion;
		}
		ToolExecutionRequest request = call.equals(this.requested) ? this.request
				: this.request.toBuilder().arguments(ToolArguments.write(call.arguments())).build();
		ToolExecutionResult returned = run(request, this.caller.inTool(call));
		ToolResult result = new ToolResult(!returned.isError(), textOf(returned.resultContents()),
				valueOf(returned.result()));
		this.returned = returned;
		this.result = result;
		return result;
	}

	/**
	 * The tool may be an agent and run on another thread. A call inside that waits is not
	 * this one.
	 */
	private ToolExecutionResult run(ToolExecutionRequest request, Caller caller) {
		try {
			return caller.execute(() -> this.executor.executeWithContext(request, this.invocation));
		}
		catch (RuntimeException ex) {
			throw ApprovalPendingException.orFailure(ex);
		}
	}

	private static String textOf(List<Content> contents) {
		if (contents.size() == 1 && contents.get(0) instanceof TextContent text) {
			return text.text();
		}
		return contents.stream()
			.map((content) -> (content instanceof TextContent text) ? text.text()
					: "[" + content.type().name().toLowerCase(Locale.ROOT) + "]")
			.collect(Collectors.joining("\n"));
	}

	/**
	 * An object of the application is not data: hooks see what the model would read of
	 * it.
	 */
	private static @Nullable Object valueOf(@Nullable Object result) {
		return (result instanceof Map<?, ?> || result instanceof Collection<?> || result instanceof Number
				|| result instanceof Boolean) ? result : null;
	}

	ToolExecutionResult complete(ToolResult decided) {
		ToolExecutionResult returned = this.returned;
		ToolResult result = this.result;
		if (returned == null || result == null) {
			return asResult(decided);
		}
		if (decided.equals(result)) {
			return neutralize(returned);
		}
		if (decided.succeeded() != result.succeeded() || !decided.content().equals(result.content())
				|| !Objects.equals(decided.value(), result.value())) {
			// Attributes are LangChain4j's own; a failure keeps none.
			return builder(decided).attributes((decided.succeeded()) ? returned.attributes() : Map.of()).build();
		}
		ToolExecutionResult.Builder same = ToolExecutionResult.builder()
			.isError(returned.isError())
			.result(returned.result())
			.attributes(returned.attributes());
		return add(decided, returned.resultContents(), same).build();
	}

	/** The result itself, unless its text looks like text that hooks added. */
	private static ToolExecutionResult neutralize(ToolExecutionResult returned) {
		List<Content> contents = returned.resultContents();
		if (contents.size() == 1 && contents.get(0) instanceof TextContent text
				&& AdditionalContext.neutralize(text.text()).equals(text.text())) {
			return returned;
		}
		List<Content> neutral = neutralize(contents);
		return (neutral.equals(contents)) ? returned
				: ToolExecutionResult.builder()
					.isError(returned.isError())
					.result(returned.result())
					.attributes(returned.attributes())
					.resultContents(neutral)
					.build();
	}

	private static List<Content> neutralize(List<Content> contents) {
		Iterator<String> neutral = AdditionalContext
			.neutralizeAll(contents.stream()
				.filter(TextContent.class::isInstance)
				.map((content) -> ((TextContent) content).text())
				.toList())
			.iterator();
		return contents.stream()
			.map((content) -> (content instanceof TextContent) ? TextContent.from(neutral.next()) : content)
			.toList();
	}

	private static ToolExecutionResult.Builder add(ToolResult decided, List<Content> contents,
			ToolExecutionResult.Builder builder) {
		if (contents.stream().allMatch(TextContent.class::isInstance) || decided.additionalContext() == null) {
			return builder.resultText(decided.forModel());
		}
		List<Content> all = new ArrayList<>(neutralize(contents));
		all.add(TextContent.from(AdditionalContext.mark(decided.additionalContext())));
		return builder.resultContents(all);
	}

	static ToolExecutionResult asResult(ToolResult decided) {
		return builder(decided).build();
	}

	private static ToolExecutionResult.Builder builder(ToolResult decided) {
		return ToolExecutionResult.builder()
			.isError(!decided.succeeded())
			.result((decided.value() != null) ? decided.value() : decided.content())
			.resultText(decided.forModel());
	}

}
