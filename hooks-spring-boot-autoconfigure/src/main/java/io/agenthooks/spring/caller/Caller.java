package io.agenthooks.spring.caller;

import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.context.i18n.LocaleContextHolder;

import io.agenthooks.AgentAbortedException;
import io.agenthooks.CallContext;
import io.agenthooks.chain.HookedCall;
import io.agenthooks.chain.Nesting;
import io.agenthooks.toolcall.ToolCall;

/**
 * The caller of the calls of an agent. It is taken once, where the application calls the
 * agent, and handed on from there: to each hook, and to the agents that a tool of this
 * agent calls, whatever threads the way leads over.
 *
 * @since 0.1.0
 */
public interface Caller {

	/** Stands for a call of a tool that is not known, among the ids of calls. */
	String UNKNOWN_CALL = "";

	CallContext context();

	Login login();

	/**
	 * The language of who calls, for what a person reads.
	 * @return the language, that of this thread unless it was found when the agent began
	 */
	default Locale locale() {
		return LocaleContextHolder.getLocale();
	}

	/**
	 * The context of the outermost agent for hooks: the one inside of one of whose tools
	 * this one works.
	 * @return the context; the very one of this caller, if it is the outermost agent
	 */
	default CallContext outermost() {
		return context();
	}

	/**
	 * The outermost run that this agent serves.
	 * @return the id of the run, or {@code null} if that is not known
	 */
	default @Nullable String rootRun() {
		String known = context().rootRunId();
		return (known != null) ? known : outermost().rootRunId();
	}

	/**
	 * The outermost run that an agent serves that begins on this thread.
	 * @param outermost the context of the outermost agent around it, or {@code null} if
	 * it is that itself, as far as is known
	 * @return the id of the run, or {@code null} if it is the agent's own
	 */
	static @Nullable String rootRun(@Nullable CallContext outermost) {
		String known = (outermost != null) ? outermost.rootRunId() : null;
		return (known != null) ? known : Nesting.ofThisThread().rootRunAround(CallContext.empty());
	}

	default Set<String> inside() {
		return Set.of();
	}

	/**
	 * Whether this works inside of a tool of another agent, so that a model wrote what
	 * stands for the user.
	 * @return whether it is not the outermost agent
	 */
	@SuppressWarnings("ReferenceEquality") // an agent inside of a tool may have an equal
											// context
	default boolean isInner() {
		return outermost() != context() || !inside().isEmpty();
	}

	/**
	 * The calls of tools inside of which an agent works that begins on this thread.
	 * @param around the caller of the agent that calls it, or {@code null} if it is
	 * called by the application itself, or by a tool of a loop that we do not know
	 * @return their ids, as far as they are known
	 */
	static Set<String> insideOf(@Nullable Caller around) {
		Set<String> outer = (around != null) ? around.inside() : Set.of();
		CallContext ofThread = outermostOfThread();
		if (ofThread == null && (around == null || around.knowsCalls())) {
			return outer;
		}
		Set<String> inside = new HashSet<>(outer);
		if (ofThread == null) {
			inside.add(UNKNOWN_CALL);
		}
		for (HookedCall call : Nesting.ofThisThread().calls()) {
			if (call instanceof ToolCall) {
				inside.add(call.id());
			}
		}
		return Set.copyOf(inside);
	}

	/**
	 * Whether it is known inside of which calls of tools an agent works that this caller
	 * asks on another thread.
	 * @return whether there are no others than {@link #inside()}
	 */
	default boolean knowsCalls() {
		return false;
	}

	/**
	 * The context of the outermost agent whose tool this thread runs.
	 * @return the context of its call, or {@code null} if the thread runs no tool
	 */
	static @Nullable CallContext outermostOfThread() {
		for (HookedCall call : Nesting.ofThisThread().calls()) {
			if (call instanceof ToolCall) {
				return call.context();
			}
		}
		return null;
	}

	/**
	 * The calls inside of which an agent works that a tool calls, on whatever thread.
	 * @param call the id of the call of the tool
	 * @param inside the calls inside of which its caller works
	 * @return their ids
	 */
	static Set<String> inside(String call, Set<String> inside) {
		if (inside.isEmpty()) {
			return Set.of(call);
		}
		Set<String> all = new HashSet<>(inside);
		all.add(call);
		return Set.copyOf(all);
	}

	/**
	 * This caller as the one for whom a tool works: an agent that it calls is known to be
	 * inside of the call, on whatever thread.
	 * @param call the call of the tool
	 * @return the caller
	 */
	default Caller inTool(ToolCall call) {
		return new KnownCaller(context(), login(), outermost(), inside(call.id(), inside()), true, this::abortedBy);
	}

	/**
	 * The same, with what hooks were told about who makes the call.
	 * @param call the call of the tool
	 * @param told what they were told
	 * @return the caller
	 */
	@SuppressWarnings("ReferenceEquality") // of the outermost agent
	default Caller inTool(ToolCall call, CallContext told) {
		return new KnownCaller(told, login().as(told), (outermost() != context()) ? outermost() : told,
				inside(call.id(), inside()), true, this::abortedBy);
	}

	/**
	 * The abort of the run of this caller, if that is over: whatever still comes of it is
	 * refused.
	 * @return how, or {@code null} if the run goes on, or ended in another way
	 */
	default @Nullable AgentAbortedException abortedBy() {
		return null;
	}

	/**
	 * Do something for this caller on this thread, such as to run a tool.
	 * @param <T> the type of the result
	 * @param work what to do
	 * @return the result
	 */
	default <T extends @Nullable Object> T execute(Supplier<T> work) {
		Caller around = setOfThread(this);
		try {
			return work.get();
		}
		finally {
			setOfThread(around);
		}
	}

	/**
	 * The caller that this thread works for.
	 * @return the innermost one, or {@code null} if it works for none
	 */
	static @Nullable Caller ofThread() {
		return CallerOfThread.get();
	}

	/**
	 * Let this thread work for another caller. Who does so sets the one before again, as
	 * {@link #execute} does; that is one method more on the stack.
	 * @param caller the caller, or {@code null} for none
	 * @return the one before, or {@code null} if there was none
	 */
	static @Nullable Caller setOfThread(@Nullable Caller caller) {
		return CallerOfThread.set(caller);
	}

	static Caller of(CallContext context, Login login) {
		return new KnownCaller(context, login.as(context), context, Set.of(), false, () -> null);
	}

	/**
	 * A caller that is called here. If this thread runs a tool, it works inside of that.
	 * @param context what hooks learn
	 * @param login who is logged in
	 * @return the caller
	 */
	static Caller ofHere(CallContext context, Login login) {
		CallContext outer = outermostOfThread();
		return (outer != null) ? new KnownCaller(context, login.as(context), outer, insideOf(null), true, () -> null)
				: of(context, login);
	}

	/**
	 * The login of who calls an agent.
	 * @param around the caller of the agent that calls this one, or {@code null} if it is
	 * called by the application itself
	 * @param here finds who is logged in here
	 * @return that of the outer agent if it knows
	 */
	static Login login(@Nullable Caller around, Supplier<Login> here) {
		return (around != null) ? around.login().or(here) : here.get();
	}

	/**
	 * The session of an agent.
	 * @param own the session that it has itself, or {@code null}
	 * @param around the caller of the agent that calls this one, or {@code null}
	 * @return the session, or {@code null} if there is none
	 */
	static @Nullable String session(@Nullable String own, @Nullable Caller around) {
		return (own != null || around == null) ? own : around.context().sessionId();
	}

}
