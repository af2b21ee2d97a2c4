package io.agenthooks.spring.ai;

import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.client.ChatClientRequest;
import org.springframework.ai.chat.client.ChatClientResponse;
import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.model.tool.internal.ToolCallReactiveContextHolder;
import reactor.core.publisher.Flux;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

import io.agenthooks.AbortedRuns;
import io.agenthooks.AgentAbortedException;
import io.agenthooks.CallContext;
import io.agenthooks.UniqueId;
import io.agenthooks.flow.Conversation.Speaker;
import io.agenthooks.flow.Conversation.Turn;
import io.agenthooks.spring.CallContextCustomizer;
import io.agenthooks.spring.caller.Caller;
import io.agenthooks.spring.caller.CurrentUser;
import io.agenthooks.spring.caller.EarlierTexts;
import io.agenthooks.spring.caller.GivenTexts;
import io.agenthooks.spring.caller.Login;
import io.agenthooks.spring.caller.RunState;
import io.agenthooks.toolcall.ToolCall;

/**
 * One call of a {@code ChatClient}, from the question of the user to the answer, and who
 * makes it. It begins at one place, the first of our advisors that sees the call, which
 * is the only one to ask who is logged in. From there it goes with the request from
 * advisor to advisor, and to the threads that run tools: by the tools themselves, and by
 * the Reactor context, which Spring AI makes known to them.
 */
final class ClientRun implements Caller {

	/** The parameter of advisors that is the run. Responses do not have it. */
	private static final String KEY = ClientRun.class.getName();

	/** Of all clients: one may remember what another was told. */
	private static final EarlierTexts earlier = new EarlierTexts();

	private final Begin begin;

	private final CallContext context;

	private final Login login;

	private final Map<String, @Nullable Object> advisorParameters;

	private final Set<String> inside;

	private ClientRun(ClientRun run, CallContext context, Login login, Set<String> inside) {
		this.begin = run.begin;
		this.advisorParameters = run.advisorParameters;
		this.context = context;
		this.login = login;
		this.inside = inside;
	}

	/**
	 * Do a part of a call of a client that waits. Its run begins here, unless one of our
	 * advisors did that before.
	 * @param part the part, of the run and of the request that knows it
	 */
	static ChatClientResponse call(ChatClientRequest request, CurrentUser user,
			BiFunction<ClientRun, ChatClientRequest, ChatClientResponse> part) {
		ClientRun run = inProgress(request);
		return (run != null) ? run.execute(() -> part.apply(run, request)) : beginCall(request, user, part);
	}

	/**
	 * Do all of a call of a client that waits.
	 */
	static ChatClientResponse beginCall(ChatClientRequest request, CurrentUser user,
			BiFunction<ClientRun, ChatClientRequest, ChatClientResponse> all) {
		ClientRun begun = justBegun(request);
		if (begun != null) {
			return all.apply(begun, request);
		}
		ClientRun run = begin(request, Around.of(Context.empty()), Login.UNKNOWN, user.ofThread());
		try {
			ChatClientResponse response = run.execute(() -> all.apply(run, run.in(request)));
			run.begin.succeeded = true;
			return withoutRun(response);
		}
		finally {
			run.begin.end();
		}
	}

	/**
	 * Do a part of a call of a client that streams. Its run begins here, when somebody
	 * subscribes, unless one of our advisors did that before.
	 * @param part the part, of the run and of the request that knows it
	 */
	static Flux<ChatClientResponse> stream(ChatClientRequest request, CurrentUser user,
			BiFunction<ClientRun, ChatClientRequest, Flux<ChatClientResponse>> part) {
		ClientRun run = inProgress(request);
		return (run != null) ? Flux.defer(() -> part.apply(run, request)).contextWrite(run::in)
				: beginStream(request, user, part);
	}

	/**
	 * Do all of a call of a client that streams.
	 */
	static Flux<ChatClientResponse> beginStream(ChatClientRequest request, CurrentUser user,
			BiFunction<ClientRun, ChatClientRequest, Flux<ChatClientResponse>> all) {
		ClientRun begun = justBegun(request);
		if (begun != null) {
			return all.apply(begun, request);
		}
		return Flux.deferContextual((context) -> {
			Around around = Around.of(context);
			// Before anything can lead to another thread.
			Login ofThread = user.ofThread();
			return user.ofReactor().flatMapMany((ofReactor) -> {
				ClientRun run = begin(request, around, ofReactor, ofThread);
				return all.apply(run, run.in(request))
					.map(ClientRun::withoutRun)
					.doOnComplete(() -> run.begin.succeeded = true)
					.doOnTerminate(run.begin::end)
					.doOnCancel(run.begin::end)
					.contextWrite(run::in);
			});
		});
	}

	/**
	 * The run that another advisor like the one that asks has just begun, or {@code null}
	 * if there is none: the request is the very one that it handed on.
	 */
	@SuppressWarnings("ReferenceEquality") // parameters that were copied may be equal
	private static @Nullable ClientRun justBegun(ChatClientRequest request) {
		return (request.context().get(KEY) instanceof ClientRun run && run.begin.handedOn == request.context()) ? run
				: null;
	}

	/**
	 * The run that a request belongs to, with what its advisors say by now, or
	 * {@code null} if none of ours has seen it. One that is over was not taken from this
	 * call, but from an answer or from another call.
	 */
	private static @Nullable ClientRun inProgress(ChatClientRequest request) {
		return (request.context().get(KEY) instanceof ClientRun run && !run.begin.state.isOver())
				? new ClientRun(run.begin, request.context()) : null;
	}

	/**
	 * The model reads the prompt of a request, if the run of that is known.
	 */
	static void read(ChatClientRequest request) {
		ClientRun run = inProgress(request);
		if (run != null) {
			run.read(request.prompt(), false);
		}
	}

	/**
	 * Begin the run of a call. Who tries again, after a failure or a timeout, may do so
	 * on the thread of a timer, which knows nobody: then it is for whom it was tried
	 * before. The Reactor context is there each time, so of it nothing is kept.
	 */
	private static ClientRun begin(ChatClientRequest request, Around around, Login ofReactor, Login ofThread) {
		Map<String, @Nullable Object> given = request.context();
		Login here = ofReactor.or(() -> ofThread);
		boolean retried = around.caller() == null && !here.known() && given.get(KEY) instanceof ClientRun last
				&& last.begin.isRetried(given);
		Begin begin = (retried && given.get(KEY) instanceof ClientRun last)
				? begin(request, last.begin.around, last.begin.login, false)
				: begin(request, around, Caller.login(around.caller(), () -> here), ofReactor.known());
		ClientRun run = new ClientRun(begin, given);
		remember(given, run);
		return run;
	}

	private static Begin begin(ChatClientRequest request, Around around, Login login, boolean found) {
		Map<String, @Nullable Object> given = request.context();
		CallContext caller = login.as(textOf(given, AgentHooks.USER))
			.in(CallContext.ofSession(Caller.session(textOf(given, ChatMemory.CONVERSATION_ID), around.caller())));
		GivenTexts texts = (around.caller() instanceof ResumedCaller resumed)
				? GivenTexts.resumed(earlier, caller, resumed.owner(), resumed.usersTexts(), resumed.texts())
				: new GivenTexts(earlier, caller, around.caller() != null || around.outer() != null,
						ReadTurns.usersTexts(request.prompt().getInstructions()));
		return new Begin(given, texts, around, login, found);
	}

	private static void remember(Map<String, @Nullable Object> given, ClientRun run) {
		try {
			given.put(KEY, run);
		}
		catch (UnsupportedOperationException ex) {
			// A request of a chain that is not Spring AI's.
		}
	}

	private ClientRun(Begin begin, Map<String, @Nullable Object> given) {
		String user = textOf(given, AgentHooks.USER);
		String run = textOf(given, AgentHooks.RUN_ID);
		this.begin = begin;
		this.inside = begin.around.inside();
		this.login = begin.login.as(user);
		this.context = this.login
			.in(CallContext.ofSession(Caller.session(textOf(given, ChatMemory.CONVERSATION_ID), begin.around.caller())))
			.withRunId((run != null) ? run : begin.runId)
			.withAgent(textOf(given, AgentHooks.AGENT));
		this.advisorParameters = withoutRun(given);
	}

	private static @Nullable String textOf(Map<String, @Nullable Object> given, String name) {
		Object value = given.get(name);
		return (value != null) ? value.toString() : null;
	}

	/**
	 * The caller around something that begins, or {@code null} if there is none.
	 */
	static @Nullable Caller around(ContextView context) {
		Caller caller = context.getOrDefault(Caller.class, null);
		if (caller == null) {
			caller = Caller.ofThread();
		}
		return (caller != null) ? caller : ToolCallReactiveContextHolder.getContext().getOrDefault(Caller.class, null);
	}

	@Override
	public CallContext context() {
		return this.context;
	}

	@Override
	public CallContext outermost() {
		Caller around = this.begin.around.caller();
		if (around != null && !isResumed()) {
			return around.outermost();
		}
		CallContext outer = this.begin.around.outer();
		return (outer != null) ? outer : this.context;
	}

	@Override
	public Set<String> inside() {
		return this.inside;
	}

	@Override
	public ClientRun inTool(ToolCall call) {
		return new ClientRun(this, this.context, this.login, Caller.inside(call.id(), this.inside));
	}

	@Override
	public ClientRun inTool(ToolCall call, CallContext told) {
		return new ClientRun(this, told, this.login.as(told), Caller.inside(call.id(), this.inside));
	}

	/**
	 * Whether this is for whom a tool of the run works, and not the run itself.
	 */
	@Override
	public boolean knowsCalls() {
		return this.inside.size() > this.begin.around.inside().size();
	}

	/**
	 * Whether the run goes on with a turn that waited for people, and is that of the
	 * outermost agent.
	 */
	boolean isResumed() {
		return this.begin.around.caller() instanceof ResumedCaller;
	}

	@Override
	public Login login() {
		return this.login;
	}

	@Override
	public @Nullable AgentAbortedException abortedBy() {
		return this.begin.state.abortedBy();
	}

	/**
	 * A hook aborted a call of this run. One that comes late is forgotten at once.
	 */
	void abort(AgentAbortedException abortion) {
		if (this.begin.state.abort(abortion)) {
			this.begin.forget();
		}
	}

	/**
	 * What the user wrote, as the application gave it to the client.
	 */
	GivenTexts given() {
		return this.begin.texts;
	}

	/**
	 * What the user wrote, for a turn that is kept.
	 * @param texts the texts of the conversation of the tools that stand for the user
	 */
	List<String> usersTexts(List<String> texts) {
		GivenTexts given = this.begin.texts;
		return Stream.concat(given.users(this.begin.read).stream(), given.users(texts).stream()).distinct().toList();
	}

	/**
	 * The model reads a prompt, after all advisors. Hooks around model calls see it
	 * before they change it.
	 * @param prompt the prompt
	 * @param hooked whether it is seen before hooks change it, now and each time
	 */
	void read(Prompt prompt, boolean hooked) {
		if (hooked || !this.begin.hooked) {
			this.begin.hooked = hooked;
			List<String> texts = ReadTurns.usersTexts(prompt.getInstructions());
			this.begin.texts.remember(texts);
			this.begin.read = texts;
			this.begin.goesOn = this.begin.goesOn || ReadTurns.hasEarlierTurns(prompt.getInstructions());
		}
	}

	/**
	 * What stood for the user in the prompt that the model read last, and is not in the
	 * conversation of the tools: an advisor between the one that calls tools and the
	 * model has added it, such as a memory.
	 * @param texts the texts of the conversation of the tools that stand for the user
	 */
	List<Turn> readBeside(List<String> texts) {
		Set<String> there = new HashSet<>(texts);
		return this.begin.texts.read(this.begin.read)
			.stream()
			.flatMap(List::stream)
			.filter((turn) -> turn.speaker() == Speaker.OTHER || !there.contains(turn.text()))
			.toList();
	}

	/**
	 * Whether the model has read earlier turns, which the conversation of the tools need
	 * not have.
	 */
	boolean goesOn() {
		return isResumed() || this.begin.goesOn;
	}

	/**
	 * The parameters of the advisors.
	 */
	Map<String, @Nullable Object> advisorParameters() {
		return this.advisorParameters;
	}

	/**
	 * An id for the run as hooks around runs know it: its own, if nobody gave it one and
	 * it has not begun before, for instance when an advisor tries again.
	 */
	String takeId() {
		return (this.begin.runId.equals(this.context.runId()) && this.begin.ownsId
				&& this.begin.idTaken.compareAndSet(false, true)) ? this.begin.runId : UniqueId.next();
	}

	/**
	 * Do something when the run is over. A run that somebody else gave an id goes on
	 * until they end it, and may be of several calls.
	 * @param ender gets the id of the run, and who inherits how it was aborted; the same
	 * one is told once
	 */
	void atEnd(BiConsumer<String, Consumer<AbortedRuns.Abortion>> ender) {
		this.begin.enders.add(ender);
	}

	Context in(Context context) {
		return context.put(Caller.class, this);
	}

	/**
	 * Tell the advisors that come next the run, and its id.
	 */
	private ChatClientRequest in(ChatClientRequest request) {
		Map<String, @Nullable Object> context = new HashMap<>(request.context());
		context.put(KEY, this);
		context.put(AgentHooks.RUN_ID, this.context.runId());
		ChatClientRequest known = ChatClientRequest.builder().prompt(request.prompt()).context(context).build();
		this.begin.handedOn = known.context();
		return known;
	}

	private static ChatClientResponse withoutRun(ChatClientResponse response) {
		return (response.context().containsKey(KEY)) ? ChatClientResponse.builder()
			.chatResponse(response.chatResponse())
			.context(withoutRun(response.context()))
			.build() : response;
	}

	private static Map<String, @Nullable Object> withoutRun(Map<String, @Nullable Object> context) {
		Map<String, @Nullable Object> others = new HashMap<>(context);
		others.remove(KEY);
		return others;
	}

	/**
	 * What customizers add to the context of a model call or a run. They are given the
	 * same as for calls of tools.
	 */
	CallContext customize(ChatClientRequest request, List<CallContextCustomizer> customizers) {
		return CallContextCustomizer.customize(customizers, this.context, () -> {
			Map<String, @Nullable Object> given = withoutRun(request.context());
			if (request.prompt().getOptions() instanceof ToolCallingChatOptions options
					&& options.getToolContext() != null) {
				given.putAll(options.getToolContext());
			}
			return given;
		});
	}

	/**
	 * Nothing of it: applications log the parameters of advisors.
	 */
	@Override
	public String toString() {
		return "ClientRun";
	}

	/**
	 * Who is around something that begins. It is taken before anything can lead to
	 * another thread.
	 *
	 * @param caller the caller, or {@code null} if there is none that we know
	 * @param outer what is known of the agent whose tool this thread runs, or
	 * {@code null} if it runs none
	 * @param inside the calls of tools inside of which it begins
	 */
	private record Around(@Nullable Caller caller, @Nullable CallContext outer, Set<String> inside) {

		static Around of(ContextView context) {
			Caller caller = around(context);
			return new Around(caller, Caller.outermostOfThread(), Caller.insideOf(caller));
		}

	}

	/**
	 * How a run began, and whether it is over.
	 */
	private static final class Begin {

		/** The parameters of the call, which are the same if it is made again. */
		private final Map<String, @Nullable Object> given;

		private final GivenTexts texts;

		/** What the model read last in the place of the user. */
		private volatile List<String> read = List.of();

		/** Whether the model has read something that was answered before. */
		private volatile boolean goesOn;

		private volatile boolean hooked;

		private final Around around;

		private final Login login;

		private final String runId;

		private final boolean ownsId;

		private final AtomicBoolean idTaken = new AtomicBoolean();

		private final Set<BiConsumer<String, Consumer<AbortedRuns.Abortion>>> enders = Collections
			.synchronizedSet(new LinkedHashSet<>());

		/** Whether who asks was found in what is there each time. */
		private final boolean found;

		private volatile @Nullable Map<String, @Nullable Object> handedOn;

		private volatile boolean succeeded;

		private final RunState state = new RunState();

		Begin(Map<String, @Nullable Object> given, GivenTexts texts, Around around, Login login, boolean found) {
			String run = textOf(given, AgentHooks.RUN_ID);
			this.given = given;
			this.texts = texts;
			this.around = around;
			this.login = login;
			this.found = found;
			this.runId = (run != null) ? run : UniqueId.next();
			this.ownsId = (run == null);
		}

		/**
		 * Whether a call is this one, tried again.
		 */
		@SuppressWarnings("ReferenceEquality") // parameters of another call may be equal
		boolean isRetried(Map<String, @Nullable Object> given) {
			return this.given == given && this.state.isOver() && !this.succeeded && !this.found;
		}

		void end() {
			this.state.end();
			forget();
		}

		/**
		 * A run that somebody else gave an id is theirs to end.
		 */
		void forget() {
			if (this.ownsId) {
				List.copyOf(this.enders).forEach((ender) -> ender.accept(this.runId, this.state::inherit));
			}
		}

	}

}
