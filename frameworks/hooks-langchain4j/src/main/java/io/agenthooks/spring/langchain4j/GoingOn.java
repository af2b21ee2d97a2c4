package io.agenthooks.spring.langchain4j;

import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.memory.ChatMemory;
import org.jspecify.annotations.Nullable;

import io.agenthooks.AbortScope;
import io.agenthooks.AgentAbortedException;
import io.agenthooks.spring.caller.Login;

/**
 * LangChain4j begins it with the message of the user; the model gets the conversation of
 * the turn in its place.
 */
final class GoingOn {

	private static final ThreadLocal<GoingOn> ofThread = new ThreadLocal<>();

	private final GuardedToolService service;

	private final Object memoryId;

	private final Login login;

	private final List<ChatMessage> conversation;

	private final List<ChatMessage> remembered;

	private volatile @Nullable InvocationCaller caller;

	GoingOn(GuardedToolService service, Object memoryId, Login login, List<ChatMessage> conversation,
			List<ChatMessage> remembered) {
		this.service = service;
		this.memoryId = memoryId;
		this.login = login;
		this.conversation = conversation;
		this.remembered = List.copyOf(remembered);
	}

	<T extends @Nullable Object> T invoke(Supplier<T> invocation) {
		ofThread.set(this);
		try {
			return invocation.get();
		}
		finally {
			ofThread.remove();
		}
	}

	@SuppressWarnings("ReferenceEquality") // the very service
	static @Nullable GoingOn take(GuardedToolService service, InvocationContext invocation) {
		GoingOn goingOn = ofThread.get();
		if (goingOn == null || goingOn.service != service
				|| !Objects.equals(goingOn.memoryId, invocation.chatMemoryId())) {
			return null;
		}
		ofThread.remove();
		return goingOn;
	}

	Login login() {
		return this.login;
	}

	void begin(InvocationCaller caller, List<ChatMessage> messages, @Nullable ChatMemory memory) {
		messages.clear();
		messages.addAll(this.conversation);
		if (memory != null) {
			memory.set(this.remembered);
		}
		this.caller = caller;
	}

	List<ChatMessage> remembered() {
		return this.remembered;
	}

	boolean hasBegun() {
		return this.caller != null;
	}

	/** Let no further tool run. */
	void stop() {
		InvocationCaller caller = this.caller;
		if (caller != null) {
			boolean unused = caller.abort(new AbandonedException());
		}
	}

	private static final class AbandonedException extends AgentAbortedException {

		private static final long serialVersionUID = 1L;

		AbandonedException() {
			super("The agent is too late", "agent-hooks", "Nobody waits for its answer", AbortScope.TURN);
		}

	}

}
