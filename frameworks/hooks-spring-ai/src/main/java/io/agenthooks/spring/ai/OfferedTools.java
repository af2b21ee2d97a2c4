package io.agenthooks.spring.ai;

import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.tool.ToolCallback;
import reactor.core.publisher.Flux;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * The tools that a model is offered: whether the client calls all of them through the
 * hooks, or which ones were looked at already.
 */
record OfferedTools(boolean guardedLoop, List<ToolCallback> known) {

	static final OfferedTools IN_GUARDED_LOOP = new OfferedTools(true, List.of());

	private static final OfferedTools NOTHING = new OfferedTools(false, List.of());

	private static final ThreadValue<OfferedTools> ofThread = new ThreadValue<>();

	static OfferedTools current() {
		return Objects.requireNonNullElse(ofThread.get(), NOTHING);
	}

	/** The knowledge of a stream, or else of the thread that made it. */
	static OfferedTools of(ContextView context, OfferedTools ofThread) {
		OfferedTools known = context.getOrDefault(OfferedTools.class, null);
		return (known != null) ? known : ofThread;
	}

	static List<ToolCallback> unguarded(@Nullable ChatOptions options) {
		return (options instanceof ToolCallingChatOptions calling && calling.getToolCallbacks() != null)
				? calling.getToolCallbacks().stream().filter((tool) -> !SpringAiToolHooks.isGuarded(tool)).toList()
				: List.of();
	}

	@SuppressWarnings("ReferenceEquality") // of the very tool
	List<ToolCallback> unknown(List<ToolCallback> unguarded) {
		return (this.guardedLoop) ? List.of()
				: unguarded.stream().filter((tool) -> this.known.stream().noneMatch((known) -> known == tool)).toList();
	}

	<T extends @Nullable Object> T during(Supplier<T> model) {
		return ofThread.during(this, model);
	}

	<T> Flux<T> during(Flux<T> model) {
		return ofThread.during(this, model.contextWrite(this::in));
	}

	private Context in(Context context) {
		return context.put(OfferedTools.class, this);
	}

}
