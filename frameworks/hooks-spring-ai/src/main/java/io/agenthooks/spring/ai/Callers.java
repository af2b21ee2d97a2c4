package io.agenthooks.spring.ai;

import org.springframework.ai.model.tool.internal.ToolCallReactiveContextHolder;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

import io.agenthooks.CallContext;
import io.agenthooks.spring.caller.Caller;
import io.agenthooks.spring.caller.CurrentUser;
import io.agenthooks.spring.caller.Login;
import io.agenthooks.spring.caller.ReactiveCaller;

/** Finds the caller of a tool or model that no client of ours was given. */
record Callers(CurrentUser user) {

	private static final Caller UNKNOWN = Caller.of(CallContext.empty(), Login.UNKNOWN);

	Caller here() {
		Caller around = Around.callerIn(Context.empty());
		if (around != null) {
			return around;
		}
		Login login = login();
		return (login.known() || Caller.outermostOfThread() != null)
				? Caller.ofHere(login.in(CallContext.empty()), login) : UNKNOWN;
	}

	private Login login() {
		ContextView stream = ToolCallReactiveContextHolder.getContext();
		if (stream.isEmpty() || Schedulers.isInNonBlockingThread()) {
			return this.user.ofThread();
		}
		Login login = ReactiveCaller.of(this.user).contextWrite(stream).block();
		return (login != null) ? login.or(this.user::ofThread) : this.user.ofThread();
	}

	Mono<Caller> of(ContextView stream) {
		Caller around = Around.callerIn(stream);
		if (around != null) {
			return Mono.just(around);
		}
		// Before anything can lead to another thread.
		Login ofThread = this.user.ofThread();
		return ReactiveCaller.of(this.user).map((login) -> {
			Login known = login.or(() -> ofThread);
			return (known.known()) ? Caller.of(CallContext.empty().withUser(known.user()), known) : UNKNOWN;
		});
	}

}
