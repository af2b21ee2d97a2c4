package io.agenthooks.spring.langchain4j;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.memory.ChatMemory;
import dev.langchain4j.observability.api.event.AiServiceCompletedEvent;
import dev.langchain4j.observability.api.event.AiServiceErrorEvent;
import dev.langchain4j.observability.api.event.AiServiceEvent;
import dev.langchain4j.observability.api.event.AiServiceRequestIssuedEvent;
import dev.langchain4j.observability.api.event.AiServiceResponseReceivedEvent;
import dev.langchain4j.observability.api.event.AiServiceStartedEvent;
import dev.langchain4j.observability.api.listener.AiServiceCompletedListener;
import dev.langchain4j.observability.api.listener.AiServiceErrorListener;
import dev.langchain4j.observability.api.listener.AiServiceRequestIssuedListener;
import dev.langchain4j.observability.api.listener.AiServiceResponseReceivedListener;
import dev.langchain4j.observability.api.listener.AiServiceStartedListener;
import dev.langchain4j.service.AiServiceContext;
import org.jspecify.annotations.Nullable;

import io.agenthooks.AdditionalContext;
import io.agenthooks.AgentAbortedException;
import io.agenthooks.run.AgentRun;
import io.agenthooks.run.RunBlockedException;
import io.agenthooks.run.RunHookChain;
import io.agenthooks.run.RunInProgress;
import io.agenthooks.spring.caller.EarlierTexts;
import io.agenthooks.spring.caller.GivenTexts;

/**
 * The running invocations of one AI service. LangChain4j reports no end of a stream that
 * is never started, nor of an invocation that ends by an {@link Error}: of those hooks
 * learn when LangChain4j has released them and the next one begins.
 */
final class AiServiceInvocations {

	/** Of all services: one may remember what another was told. */
	private static final EarlierTexts earlier = new EarlierTexts();

	private final AiServiceContext service;

	private final Consumer<InvocationCaller> atEnd;

	private final Map<String, Entry> open = new ConcurrentHashMap<>();

	private final Map<UUID, String> started = Collections.synchronizedMap(new WeakHashMap<>());

	private final ReferenceQueue<UUID> abandoned = new ReferenceQueue<>();

	AiServiceInvocations(AiServiceContext service, Consumer<InvocationCaller> atEnd) {
		this.service = service;
		this.atEnd = atEnd;
		service.eventListenerRegistrar.register((AiServiceStartedListener) this::started);
		service.eventListenerRegistrar.register((AiServiceRequestIssuedListener) this::modelIsAsked);
		service.eventListenerRegistrar.register((AiServiceResponseReceivedListener) this::modelAnswered);
		service.eventListenerRegistrar.register((AiServiceCompletedListener) this::completed);
		service.eventListenerRegistrar.register((AiServiceErrorListener) this::failed);
	}

	/** The turn may have been kept by another node; the owner may be {@code null}. */
	static void learn(@Nullable String owner, List<ChatMessage> messages, List<String> usersTexts) {
		earlier.learn(owner, usersTexts, ChatMessages.usersTexts(messages));
	}

	void begin(InvocationContext invocation, InvocationCaller caller, @Nullable RunHookChain runs, UserMessage prompt,
			List<ChatMessage> messages) {
		tellAbandoned();
		UUID id = invocation.invocationId();
		if (id == null) {
			return;
		}
		String given = this.started.remove(id);
		String text = (this.service.retrievalAugmentor != null) ? given : ChatMessages.textOf(prompt.contents());
		caller.isGiven(new GivenTexts(earlier, caller.context(), caller.isInner(),
				(text != null) ? List.of(text) : List.of()));
		RunInProgress run = (runs != null) ? beginRun(invocation, caller, runs, prompt, messages) : null;
		this.open.put(id.toString(), new Entry(id, this.abandoned, new AiServiceInvocation(caller, run)));
	}

	private RunInProgress beginRun(InvocationContext invocation, InvocationCaller caller, RunHookChain runs,
			UserMessage prompt, List<ChatMessage> messages) {
		String text = ChatMessages.forHooks(prompt).text();
		RunInProgress run;
		try {
			run = runs.begin(new AgentRun(invocation.invocationId().toString(), text, caller.context()));
		}
		catch (RunBlockedException ex) {
			this.atEnd.accept(caller);
			forgetPrompt(invocation, messages);
			throw ex;
		}
		String additional = run.additionalContext();
		if (additional != null) {
			addToPrompt(additional, invocation, messages);
			caller.replace(text, ChatMessages.forHooks(messages.get(messages.size() - 1)).text());
		}
		return run;
	}

	/** It is in the memory already, from where the model would read it the next time. */
	private void forgetPrompt(InvocationContext invocation, List<ChatMessage> messages) {
		ChatMemory memory = memory(invocation);
		if (memory == null) {
			return;
		}
		List<ChatMessage> before = List.copyOf(messages.subList(0, messages.size() - 1));
		if (before.isEmpty()) {
			memory.clear();
		}
		else {
			memory.set(before);
		}
	}

	/**
	 * To what the model reads now, and in the memory to what it reads after its calls.
	 */
	private void addToPrompt(String additional, InvocationContext invocation, List<ChatMessage> messages) {
		addToLast(messages, additional);
		ChatMemory memory = memory(invocation);
		if (memory != null) {
			List<ChatMessage> remembered = new ArrayList<>(memory.messages());
			addToLast(remembered, additional);
			memory.set(remembered);
		}
	}

	private static void addToLast(List<ChatMessage> messages, String additional) {
		int last = messages.size() - 1;
		String text = ChatMessages.forHooks(messages.get(last)).text();
		messages.set(last,
				ChatMessages.withText(messages.get(last), AdditionalContext.neutralize(text) + "\n\n" + additional));
	}

	@Nullable ChatMemory memory(InvocationContext invocation) {
		return (this.service.hasChatMemory()) ? this.service.chatMemoryService.getChatMemory(invocation.chatMemoryId())
				: null;
	}

	@Nullable InvocationCaller callerOf(InvocationContext invocation) {
		Entry entry = this.open.get(String.valueOf(invocation.invocationId()));
		return (entry != null) ? entry.invocation.caller() : null;
	}

	private void tellAbandoned() {
		for (Entry entry = (Entry) this.abandoned.poll(); entry != null; entry = (Entry) this.abandoned.poll()) {
			if (this.open.remove(entry.id, entry)) {
				this.atEnd.accept(entry.invocation.caller());
				entry.invocation.cancel();
			}
		}
	}

	/** This is before something is retrieved into what the user wrote. */
	private void started(AiServiceStartedEvent event) {
		UUID id = event.invocationContext().invocationId();
		if (id != null && this.service.retrievalAugmentor != null) {
			this.started.put(id, ChatMessages.textOf(event.userMessage().contents()));
		}
	}

	private void modelIsAsked(AiServiceRequestIssuedEvent event) {
		Entry entry = this.open.get(idOf(event));
		if (entry != null) {
			entry.invocation.caller().ask(event.request().messages());
			IssuedPrompt.issue(event.request(), entry.invocation);
		}
	}

	private void modelAnswered(AiServiceResponseReceivedEvent event) {
		IssuedPrompt.forget();
		Entry entry = this.open.get(idOf(event));
		if (entry != null) {
			entry.invocation.hear(event.response());
		}
	}

	private void completed(AiServiceCompletedEvent event) {
		Entry entry = this.open.remove(idOf(event));
		if (entry != null) {
			this.atEnd.accept(entry.invocation.caller());
			entry.invocation.finish(event.result().orElse(null));
		}
	}

	private void failed(AiServiceErrorEvent event) {
		IssuedPrompt.forget();
		Entry entry = this.open.remove(idOf(event));
		if (entry != null) {
			if (event.error() instanceof AgentAbortedException abortion) {
				entry.invocation.caller().abort(abortion);
				if (!abortion.isPending()) {
					completeMemory(event.invocationContext(), entry.invocation.caller(),
							"The turn was aborted before this call had a result: " + abortion.getReason());
				}
				else if (!entry.invocation.caller().pending().isKept()) {
					completeMemory(event.invocationContext(), entry.invocation.caller(),
							"This call was not finished: " + abortion.getReason());
				}
			}
			this.atEnd.accept(entry.invocation.caller());
			entry.invocation.fail(event.error());
		}
	}

	/**
	 * Give each call of the last batch a result: a provider refuses calls without results
	 * for ever. After an abort, and when the turn of an inner agent is kept, but not this
	 * one.
	 */
	private void completeMemory(InvocationContext invocation, InvocationCaller caller, String text) {
		ChatMemory memory = memory(invocation);
		if (memory != null) {
			KeptTurn running = caller.pending().running();
			Conversations.complete(memory, (running != null) ? running.results() : List.of(), text);
		}
	}

	private static String idOf(AiServiceEvent event) {
		return String.valueOf(event.invocationContext().invocationId());
	}

	private static final class Entry extends WeakReference<UUID> {

		private final String id;

		private final AiServiceInvocation invocation;

		Entry(UUID id, ReferenceQueue<UUID> abandoned, AiServiceInvocation invocation) {
			super(id, abandoned);
			this.id = id.toString();
			this.invocation = invocation;
		}

	}

}
