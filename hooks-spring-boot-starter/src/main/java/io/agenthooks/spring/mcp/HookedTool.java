package io.agenthooks.spring.mcp;

import java.util.Optional;
import java.util.function.BiFunction;

import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.ContextView;

/**
 * What a specification of a tool does when it is called, behind the hooks.
 */
sealed interface HookedTool {

	HookedMcpTools hooks();

	static boolean isOf(HookedMcpTools hooks, Object tool) {
		return tool instanceof HookedTool hooked && hooked.hooks() == hooks;
	}

	/**
	 * One that waits.
	 *
	 * @param <E> how the tool sees the client
	 */
	record Sync<E>(HookedMcpTools hooks, McpSchema.Tool tool, BiFunction<E, CallToolRequest, CallToolResult> run)
			implements
				HookedTool,
				BiFunction<E, CallToolRequest, CallToolResult> {

		@Override
		public CallToolResult apply(E exchange, CallToolRequest request) {
			if (this.hooks.isApproved(request)) {
				return this.run.apply(exchange, request);
			}
			return this.hooks.call(this.tool, McpCaller.of(exchange), request, this.hooks.user().ofThread(),
					(decided) -> this.run.apply(exchange, decided));
		}

	}

	/**
	 * One that is asynchronous. The hooks wait, so it hops to a thread that may, unless
	 * it is on one.
	 *
	 * @param <E> how the tool sees the client
	 */
	record Async<E>(HookedMcpTools hooks, McpSchema.Tool tool, BiFunction<E, CallToolRequest, Mono<CallToolResult>> run,
			boolean mayWait) implements HookedTool, BiFunction<E, CallToolRequest, Mono<CallToolResult>> {

		@Override
		public Mono<CallToolResult> apply(E exchange, CallToolRequest request) {
			if (this.hooks.isApproved(request)) {
				return this.run.apply(exchange, request);
			}
			return this.hooks.user()
				.ofReactor()
				.map(Optional::of)
				.switchIfEmpty(Mono.fromSupplier(() -> Optional.ofNullable(this.hooks.user().ofThread())))
				.flatMap((user) -> Mono.deferContextual((context) -> {
					Mono<CallToolResult> result = Mono
						.fromCallable(() -> call(exchange, request, user.orElse(null), context));
					return (this.mayWait) ? result : result.subscribeOn(Schedulers.boundedElastic());
				}));
		}

		private CallToolResult call(E exchange, CallToolRequest request, @Nullable String user, ContextView context) {
			return this.hooks.call(this.tool, McpCaller.of(exchange), request, user,
					(decided) -> this.run.apply(exchange, decided).contextWrite(context).block());
		}

	}

}
