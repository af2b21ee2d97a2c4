package io.agenthooks.spring.ai;

import java.util.function.BiFunction;

import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.client.ChatClientRequest;
import org.springframework.ai.chat.client.ChatClientResponse;
import reactor.core.publisher.Flux;
import reactor.util.context.Context;

import io.agenthooks.CallContext;
import io.agenthooks.spring.caller.Caller;
import io.agenthooks.spring.caller.CurrentUser;
import io.agenthooks.spring.caller.EarlierTexts;
import io.agenthooks.spring.caller.GivenTexts;
import io.agenthooks.spring.caller.Login;
import io.agenthooks.spring.caller.ReactiveCaller;

/**
 * Begins a run at the first of our advisors that sees a call of a client, and finds it at
 * all others. Only at its begin is it asked who is logged in.
 */
record ClientRuns(CurrentUser user) {

	/** Of all clients: one may remember what another was told. */
	private static final EarlierTexts earlier = new EarlierTexts();

	ChatClientResponse call(ChatClientRequest request,
			BiFunction<ClientRun, ChatClientRequest, ChatClientResponse> part) {
		ClientRun run = inProgress(request);
		return (run != null) ? run.execute(() -> part.apply(run, request)) : beginCall(request, part);
	}

	ChatClientResponse beginCall(ChatClientRequest request,
			BiFunction<ClientRun, ChatClientRequest, ChatClientResponse> all) {
		ClientRun begun = justBegun(request);
		if (begun != null) {
			return all.apply(begun, request);
		}
		ClientRun run = begin(request, Around.of(Context.empty()), Login.UNKNOWN, this.user.ofThread());
		try {
			ChatClientResponse response = run.execute(() -> all.apply(run, handOn(request, run)));
			run.begin().succeed();
			return AdvisorParameters.withoutRun(response);
		}
		finally {
			run.begin().end();
		}
	}

	Flux<ChatClientResponse> stream(ChatClientRequest request,
			BiFunction<ClientRun, ChatClientRequest, Flux<ChatClientResponse>> part) {
		ClientRun run = inProgress(request);
		return (run != null) ? Flux.defer(() -> part.apply(run, request)).contextWrite(run::in)
				: beginStream(request, part);
	}

	Flux<ChatClientResponse> beginStream(ChatClientRequest request,
			BiFunction<ClientRun, ChatClientRequest, Flux<ChatClientResponse>> all) {
		ClientRun begun = justBegun(request);
		if (begun != null) {
			return all.apply(begun, request);
		}
		return Flux.deferContextual((context) -> {
			Around around = Around.of(context);
			// Before anything can lead to another thread.
			Login ofThread = this.user.ofThread();
			return ReactiveCaller.of(this.user).flatMapMany((ofReactor) -> {
				ClientRun run = begin(request, around, ofReactor, ofThread);
				RunBegin begin = run.begin();
				return all.apply(run, handOn(request, run))
					.map(AdvisorParameters::withoutRun)
					.doOnComplete(begin::succeed)
					.doOnTerminate(begin::end)
					.doOnCancel(begin::cancel)
					.contextWrite(run::in);
			});
		});
	}

	static void read(ChatClientRequest request) {
		ClientRun run = inProgress(request);
		if (run != null) {
			run.texts().read(request.prompt(), false);
		}
	}

	/**
	 * The run that an advisor like the one that asks has just begun, or {@code null}: the
	 * request is the very one that it handed on.
	 */
	private static @Nullable ClientRun justBegun(ChatClientRequest request) {
		ClientRun run = AdvisorParameters.of(request).run();
		return (run != null && run.begin().isHandedOn(request.context())) ? run : null;
	}

	/**
	 * The run of a request, with what its advisors say by now, or {@code null}. One that
	 * is over was taken from an answer or from another call.
	 */
	private static @Nullable ClientRun inProgress(ChatClientRequest request) {
		AdvisorParameters given = AdvisorParameters.of(request);
		ClientRun run = given.run();
		return (run != null && !run.begin().isOver()) ? new ClientRun(run.begin(), given) : null;
	}

	/**
	 * Whoever tries again may do so on the thread of a timer, which knows nobody: then it
	 * is for whom it was tried before.
	 */
	private static ClientRun begin(ChatClientRequest request, Around around, Login ofReactor, Login ofThread) {
		AdvisorParameters given = AdvisorParameters.of(request);
		Login here = ofReactor.or(() -> ofThread);
		ClientRun last = (around.caller() == null && !here.known()) ? given.run() : null;
		RunBegin begin = (last != null && last.begin().isRetried(given.given()))
				? begin(request, last.begin().around(), last.begin().login(), false)
				: begin(request, around, Caller.login(around.caller(), () -> here), ofReactor.known());
		ClientRun run = new ClientRun(begin, given);
		given.remember(run);
		return run;
	}

	private static RunBegin begin(ChatClientRequest request, Around around, Login login, boolean found) {
		AdvisorParameters given = AdvisorParameters.of(request);
		CallContext caller = login.as(given.text(AgentHooks.USER))
			.in(CallContext.ofSession(given.session(around.caller())));
		GivenTexts texts = (around.caller() instanceof ResumedCaller resumed)
				? GivenTexts.resumed(earlier, caller, resumed.owner(), resumed.usersTexts(), resumed.texts())
				: new GivenTexts(earlier, caller, around.outermost() != null,
						ReadTurns.usersTexts(request.prompt().getInstructions()));
		return new RunBegin(request, given, new RunTexts(texts, around.isResumed()), around, login, found);
	}

	private static ChatClientRequest handOn(ChatClientRequest request, ClientRun run) {
		ChatClientRequest known = ChatClientRequest.builder()
			.prompt(request.prompt())
			.context(AdvisorParameters.of(request).with(run))
			.build();
		run.begin().handOn(known.context());
		return known;
	}

}
