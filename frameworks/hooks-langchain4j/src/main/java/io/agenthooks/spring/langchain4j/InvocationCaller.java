package io.agenthooks.spring.langchain4j;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.service.tool.ToolExecutor;
import org.jspecify.annotations.Nullable;
import org.springframework.context.i18n.LocaleContextHolder;

import io.agenthooks.AbortedRuns;
import io.agenthooks.AgentAbortedException;
import io.agenthooks.CallContext;
import io.agenthooks.flow.Conversation;
import io.agenthooks.flow.Conversation.Speaker;
import io.agenthooks.flow.Conversation.Turn;
import io.agenthooks.run.RunBlockedException;
import io.agenthooks.spring.caller.Caller;
import io.agenthooks.spring.caller.GivenTexts;
import io.agenthooks.spring.caller.Login;
import io.agenthooks.spring.caller.RunState;
import io.agenthooks.spring.suspend.SuspendedTurn;
import io.agenthooks.toolcall.ToolIdentity;

/** Kept until the last concurrent tool of the invocation has ended. */
final class InvocationCaller implements Caller {

	private final CallContext context;

	private final Login login;

	/** The id of the invocation; a customizer may have told hooks another. */
	private final @Nullable String id;

	private final @Nullable Caller around;

	private final Set<String> inside;

	private final @Nullable CallContext outer;

	private final Map<String, ToolIdentity> tools = new ConcurrentHashMap<>();

	private final RunState state = new RunState();

	/** The first abort of the turn or the run by a hook, or {@code null}. */
	private volatile @Nullable AgentAbortedException aborted;

	/** The texts of the user, if something may be retrieved into them. */
	private volatile @Nullable GivenTexts given;

	private volatile List<Turn> others = List.of();

	private final PendingCalls pending = new PendingCalls();

	private final Locale locale = LocaleContextHolder.getLocale();

	private final Map<String, ToolExecutor> hidden = new ConcurrentHashMap<>();

	InvocationCaller(@Nullable String id, CallContext context, Login login) {
		this(id, context, login, null, null, Set.of());
	}

	InvocationCaller(@Nullable String id, CallContext context, Login login, @Nullable Caller around,
			@Nullable CallContext outer, Set<String> inside) {
		this.around = around;
		this.outer = outer;
		this.inside = inside;
		this.id = id;
		this.context = context;
		this.login = login.as(context);
	}

	@Override
	public Locale locale() {
		return this.locale;
	}

	@Override
	public CallContext context() {
		return this.context;
	}

	@Override
	public CallContext outermost() {
		if (this.around != null) {
			return this.around.outermost();
		}
		return (this.outer != null) ? this.outer : this.context;
	}

	@Override
	public Set<String> inside() {
		return this.inside;
	}

	void know(ToolIdentity tool) {
		this.tools.put(tool.modelName(), tool);
	}

	/** Also one that another agent asked in another way than by a tool. */
	@Override
	public boolean isInner() {
		return this.around != null || this.outer != null;
	}

	void isGiven(GivenTexts texts) {
		this.given = texts;
	}

	/** Our hooks made another text of the user's. */
	void replace(String before, String after) {
		GivenTexts given = this.given;
		if (given != null) {
			given.replace(before, after);
		}
	}

	void ask(List<ChatMessage> prompt) {
		this.pending.ask(prompt);
		GivenTexts given = this.given;
		if (given != null) {
			List<String> texts = ChatMessages.usersTexts(prompt);
			given.remember(texts);
			if (this.others.isEmpty()) {
				this.others = given.read(texts)
					.stream()
					.flatMap(List::stream)
					.filter((turn) -> turn.speaker() == Speaker.OTHER)
					.toList();
			}
		}
	}

	Conversation conversation() {
		List<ChatMessage> messages = this.pending.prompt();
		Conversation conversation = Conversation.of(() -> {
			List<Turn> turns = new ArrayList<>(this.others);
			turns.addAll(ChatMessages.turns(messages, this.tools, this.given));
			return turns;
		});
		return (isInner()) ? conversation.within(outermost(), this.inside) : conversation;
	}

	SuspendedTurn kept(SuspendedTurn turn, List<ChatMessage> messages) {
		GivenTexts given = this.given;
		return (given != null) ? turn.withUsersTexts(given.users(ChatMessages.usersTexts(messages)), given.owner())
				: turn;
	}

	@Override
	public Login login() {
		return this.login;
	}

	@Override
	public @Nullable AgentAbortedException abortedBy() {
		return this.state.abortedBy();
	}

	PendingCalls pending() {
		return this.pending;
	}

	void hide(String name, ToolExecutor executor) {
		this.hidden.put(name, executor);
	}

	@Nullable ToolExecutor hidden(String name) {
		return this.hidden.get(name);
	}

	boolean abort(AgentAbortedException abortion) {
		if (this.aborted == null && !(abortion instanceof RunBlockedException)) {
			this.aborted = abortion;
		}
		return this.state.abort(abortion);
	}

	/** LangChain4j ignores what came of the first of two equal concurrent calls. */
	void endIfAborted() {
		AgentAbortedException abortion = this.aborted;
		if (abortion != null) {
			throw abortion;
		}
	}

	void end(BiConsumer<String, Consumer<AbortedRuns.Abortion>> ender) {
		this.state.end();
		if (this.id != null) {
			ender.accept(this.id, this.state::inherit);
		}
	}

	/** Nothing of it: contexts hold what applications put into them. */
	@Override
	public String toString() {
		return "InvocationCaller";
	}

}
