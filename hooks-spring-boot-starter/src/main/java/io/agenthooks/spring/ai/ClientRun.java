package io.agenthooks.spring.ai;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.client.ChatClientRequest;
import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.model.tool.internal.ToolCallReactiveContextHolder;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

import io.agenthooks.CallContext;
import io.agenthooks.spring.CallContextCustomizer;
import io.agenthooks.spring.CurrentUser;

/**
 * One call of a {@code ChatClient}, from the question of the user to the answer. A run
 * that waits is known by its thread, one that streams by its Reactor context, which
 * Spring AI makes known to the thread that runs its tools.
 *
 * @param context what hooks learn about every call of a tool
 * @param advisorParameters the parameters of the advisors
 */
record ClientRun(CallContext context, Map<String, @Nullable Object> advisorParameters) {

	private static final ThreadLocal<@Nullable ClientRun> ofThread = new ThreadLocal<>();

	/**
	 * The run that a call of a client is. If the parameters of its advisors have the id
	 * of one, it belongs to that.
	 */
	static ClientRun begin(Map<String, @Nullable Object> given, CurrentUser user) {
		CallContext context = contextOf(given, user);
		return new ClientRun((context.runId() != null) ? context : context.withRunId(UUID.randomUUID().toString()),
				new HashMap<>(given));
	}

	/**
	 * Who makes a call, as far as the parameters of the advisors, the thread and the run
	 * around it know.
	 */
	static CallContext contextOf(Map<String, @Nullable Object> given, CurrentUser currentUser) {
		ClientRun around = current();
		String session = textOf(given, ChatMemory.CONVERSATION_ID);
		String user = textOf(given, AgentHooks.USER);
		if (around != null) {
			// An agent that is a tool works for whom the agent that calls it works for.
			session = (session != null) ? session : around.context().sessionId();
			user = (user != null) ? user : around.context().user();
		}
		return CallContext.ofSession(session)
			.withRunId(textOf(given, AgentHooks.RUN_ID))
			.withUser((user != null) ? user : currentUser.ofThread())
			.withAgent(textOf(given, AgentHooks.AGENT));
	}

	/**
	 * What customizers add to the context of a model call or a run. They are given the
	 * same as for calls of tools.
	 */
	static CallContext customize(CallContext context, ChatClientRequest request,
			List<CallContextCustomizer> customizers) {
		return CallContextCustomizer.customize(customizers, context, () -> {
			Map<String, @Nullable Object> given = new HashMap<>(request.context());
			if (request.prompt().getOptions() instanceof ToolCallingChatOptions options
					&& options.getToolContext() != null) {
				given.putAll(options.getToolContext());
			}
			return given;
		});
	}

	private static @Nullable String textOf(Map<String, @Nullable Object> given, String name) {
		Object value = given.get(name);
		return (value != null) ? value.toString() : null;
	}

	/**
	 * The run that this thread works for, or {@code null} if that is not known.
	 */
	static @Nullable ClientRun current() {
		ClientRun waiting = ofThread.get();
		return (waiting != null) ? waiting
				: ToolCallReactiveContextHolder.getContext().getOrDefault(ClientRun.class, null);
	}

	/**
	 * Do a part of a run, if there is one, on this thread.
	 */
	static <T> T executeIn(@Nullable ClientRun run, Supplier<T> part) {
		return (run != null) ? run.execute(part) : part.get();
	}

	/**
	 * Do all of the run on this thread.
	 */
	<T> T execute(Supplier<T> run) {
		ClientRun around = ofThread.get();
		ofThread.set(this);
		try {
			return run.get();
		}
		finally {
			if (around != null) {
				ofThread.set(around);
			}
			else {
				ofThread.remove();
			}
		}
	}

	/**
	 * This run with the user whom a reactive application works for, unless it knows one.
	 */
	Mono<ClientRun> withReactorUser(CurrentUser user) {
		return (this.context.user() != null) ? Mono.just(this)
				: user.ofReactor()
					.map((name) -> new ClientRun(this.context.withUser(name), this.advisorParameters))
					.defaultIfEmpty(this);
	}

	Context in(Context context) {
		return context.put(ClientRun.class, this);
	}

	@Override
	public String toString() {
		return "ClientRun[" + this.context + "]";
	}

}
