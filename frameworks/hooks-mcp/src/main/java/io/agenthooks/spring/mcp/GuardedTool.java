package io.agenthooks.spring.mcp;

import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;

import io.modelcontextprotocol.server.McpServerFeatures;
import io.modelcontextprotocol.server.McpStatelessServerFeatures;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

import io.agenthooks.chain.Probe;
import io.agenthooks.spring.caller.Caller;
import io.agenthooks.spring.caller.CurrentUser;
import io.agenthooks.spring.caller.Login;
import io.agenthooks.spring.caller.ReactiveCaller;

sealed interface GuardedTool {

	/** Never written to a client, so its name is not a tool's. */
	CallToolRequest PROBE = new CallToolRequest("agent-hooks-probe", Map.of(), null);

	/** The result of a call for which nobody waits any more. */
	CallToolResult CANCELLED = CallToolResult.builder().addTextContent("The call was cancelled").isError(true).build();

	McpToolHooks hooks();

	CallToolResult probe();

	/** {@code null} for a bean that is no specification of a tool. */
	static @Nullable Object handlerOf(Object bean) {
		if (bean instanceof McpServerFeatures.SyncToolSpecification tool) {
			return tool.callHandler();
		}
		if (bean instanceof McpServerFeatures.AsyncToolSpecification tool) {
			return tool.callHandler();
		}
		if (bean instanceof McpStatelessServerFeatures.SyncToolSpecification tool) {
			return tool.callHandler();
		}
		return (bean instanceof McpStatelessServerFeatures.AsyncToolSpecification tool) ? tool.callHandler() : null;
	}

	static boolean isOf(McpToolHooks hooks, Object tool) {
		return tool instanceof GuardedTool guarded && guarded.hooks() == hooks;
	}

	record Sync<E>(McpToolHooks hooks, McpSchema.Tool tool, BiFunction<E, CallToolRequest, CallToolResult> run)
			implements
				GuardedTool,
				BiFunction<E, CallToolRequest, CallToolResult> {

		@Override
		@SuppressWarnings("NullAway") // nobody reads the exchange
		public CallToolResult probe() {
			return apply(null, PROBE);
		}

		@Override
		@SuppressWarnings("unchecked") // an exchange of the same kind
		public CallToolResult apply(E exchange, CallToolRequest request) {
			if (Probe.isUnderWay()) {
				return this.hooks.askAboutProbe();
			}
			E passing = (E) this.hooks.passingBy(this.tool, this.run, exchange, request);
			if (passing != null) {
				return this.run.apply(passing, request);
			}
			return this.hooks.call(this.tool, this.run, McpCaller.of(exchange), request, this.hooks.user().ofThread(),
					(served, decided, caller) -> this.run.apply((E) served, decided));
		}

	}

	/** The hooks wait, so it hops to a thread that may, unless it is on one. */
	record Async<E>(McpToolHooks hooks, McpSchema.Tool tool, BiFunction<E, CallToolRequest, Mono<CallToolResult>> run,
			boolean mayWait) implements GuardedTool, BiFunction<E, CallToolRequest, Mono<CallToolResult>> {

		@Override
		@SuppressWarnings("NullAway") // nobody reads the exchange
		public CallToolResult probe() {
			return Objects.requireNonNull(apply(null, PROBE).block());
		}

		@Override
		@SuppressWarnings("unchecked") // an exchange of the same kind
		public Mono<CallToolResult> apply(E exchange, CallToolRequest request) {
			if (Probe.isUnderWay()) {
				return Mono.just(this.hooks.askAboutProbe());
			}
			CurrentUser user = this.hooks.user();
			return Mono.deferContextual((context) -> {
				// Each time that somebody subscribes: each is a call.
				E passing = (E) this.hooks.passingBy(this.tool, this.run, exchange, request);
				if (passing != null) {
					return this.run.apply(passing, request);
				}
				// Before anything can lead to another thread.
				Login ofThread = user.ofThread();
				AtomicBoolean cancelled = new AtomicBoolean();
				return ReactiveCaller.of(user).flatMap((login) -> {
					Mono<CallToolResult> result = Mono
						.fromCallable(() -> call(exchange, request, login.or(() -> ofThread), context, cancelled));
					return (this.mayWait) ? result : result.subscribeOn(Schedulers.boundedElastic());
				}).doOnCancel(() -> cancelled.set(true));
			});
		}

		/** The tool does not run for a caller who is gone when the hooks have decided. */
		@SuppressWarnings("unchecked") // an exchange of the same kind
		private CallToolResult call(E exchange, CallToolRequest request, Login login, ContextView context,
				AtomicBoolean cancelled) {
			return this.hooks.call(this.tool, this.run, McpCaller.of(exchange), request, login,
					(served, decided, caller) -> (cancelled.get()) ? CANCELLED
							: this.run.apply((E) served, decided)
								.contextWrite(Context.of(context).put(Caller.class, caller))
								.block());
		}

	}

}
