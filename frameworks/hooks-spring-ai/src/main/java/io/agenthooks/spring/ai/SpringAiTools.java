package io.agenthooks.spring.ai;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.ToolCallbackProvider;
import org.springframework.ai.tool.method.MethodToolCallback;
import org.springframework.ai.tool.resolution.ToolCallbackResolver;

import io.agenthooks.spring.suspend.ApprovalRefusedException;
import io.agenthooks.spring.suspend.ResumableTools;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolExecutor;

/**
 * Finds the tool that a call is for, to run it once more: it must have the name and the
 * MCP server that people saw. If two different tools have them, none is run.
 */
final class SpringAiTools implements ResumableTools {

	private static final Logger logger = LoggerFactory.getLogger(SpringAiTools.class);

	private final SpringAiToolHooks hooks;

	private final List<ToolCallback> given;

	private final Beans beans;

	private final @Nullable ToolContext toolContext;

	SpringAiTools(SpringAiToolHooks hooks, Beans beans) {
		this(hooks, List.of(), beans, null);
	}

	private SpringAiTools(SpringAiToolHooks hooks, List<ToolCallback> given, Beans beans,
			@Nullable ToolContext toolContext) {
		this.hooks = hooks;
		this.given = given;
		this.beans = beans;
		this.toolContext = toolContext;
	}

	SpringAiTools with(List<ToolCallback> tools, @Nullable ToolContext toolContext) {
		return new SpringAiTools(this.hooks, tools, this.beans, toolContext);
	}

	@Override
	public @Nullable ToolExecutor find(ToolCall call) {
		ToolCallback tool = find(call, this.given.stream());
		if (tool == null) {
			tool = find(call, this.beans.named(call.tool()));
		}
		return (tool != null) ? new ResumedTool(this.hooks.calls(), tool, call.identity(), this.toolContext) : null;
	}

	@Override
	public String format() {
		return ConversationJson.FORMAT;
	}

	private @Nullable ToolCallback find(ToolCall call, Stream<ToolCallback> tools) {
		List<ToolCallback> named = tools.map(GuardedToolCallback::unwrap)
			.filter((tool) -> tool.getToolDefinition().name().equals(call.tool()))
			.toList();
		List<ToolCallback> certain = named.stream().filter((tool) -> this.hooks.identities().isOf(call, tool)).toList();
		List<ToolCallback> found = (!certain.isEmpty()) ? certain
				: named.stream().filter((tool) -> this.hooks.identities().mayBeOf(call, tool)).toList();
		if (!found.stream().allMatch((tool) -> isSame(tool, found.get(0)))) {
			throw ApprovalRefusedException.severalTools();
		}
		return (found.isEmpty()) ? null : found.get(0);
	}

	/**
	 * Each list may have an object of its own for a tool, but two beans of one class are
	 * two.
	 */
	@SuppressWarnings("ReferenceEquality") // the very object
	private static boolean isSame(ToolCallback tool, ToolCallback other) {
		return tool == other || (tool.getToolDefinition().equals(other.getToolDefinition())
				&& (isSameMethod(tool, other) || McpOrigin.isSame(tool, other)));
	}

	@SuppressWarnings("ReferenceEquality") // of the very object
	private static boolean isSameMethod(ToolCallback tool, ToolCallback other) {
		return MethodTools.OBJECT != null && tool.getClass() == MethodToolCallback.class
				&& other.getClass() == MethodToolCallback.class && MethodTools.methodOf(tool) != null
				&& Objects.equals(MethodTools.methodOf(tool), MethodTools.methodOf(other))
				&& MethodTools.objectOf(tool) == MethodTools.objectOf(other);
	}

	record Beans(Supplier<Stream<ToolCallback>> tools, Supplier<Stream<ToolCallbackProvider>> providers,
			ToolCallbackResolver resolver) {

		Stream<ToolCallback> named(String name) {
			List<ToolCallback> known = Stream.concat(this.tools.get(), this.providers.get().flatMap(Beans::toolsOf))
				.filter((tool) -> tool.getToolDefinition().name().equals(name))
				.toList();
			return (known.isEmpty()) ? Stream.ofNullable(this.resolver.resolve(name)) : known.stream();
		}

		private static Stream<ToolCallback> toolsOf(ToolCallbackProvider provider) {
			try {
				return Arrays.stream(provider.getToolCallbacks());
			}
			catch (RuntimeException ex) {
				// The tool may be another provider's.
				logger.warn("{} failed to list its tools with {} (stack trace at DEBUG)", provider.getClass().getName(),
						ex.getClass().getName());
				logger.debug("A provider failed to list its tools", ex);
				return Stream.empty();
			}
		}

	}

}
