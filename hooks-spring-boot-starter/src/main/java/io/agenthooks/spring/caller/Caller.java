package io.agenthooks.spring.caller;

import java.util.HashSet;
import java.util.Set;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.agenthooks.AgentAbortedException;
import io.agenthooks.CallContext;
import io.agenthooks.chain.Nesting;

/**
 * Who makes the calls of an agent. It is taken once, where the application calls the
 * agent, and handed on from there: to each hook, and to the agents that a tool of this
 * agent calls, whatever threads the way leads over.
 *
 * @since 0.1.0
 */
public interface Caller {

	/**
	 * What hooks learn about who makes a call.
	 * @return the context
	 */
	CallContext context();

	/**
	 * Who is logged in. The user is the one of the context.
	 * @return who it is, as far as it is known
	 */
	Login login();

	/**
	 * What hooks learn about the outermost agent: that inside of one of whose tools this
	 * one works, or this one.
	 * @return the context
	 */
	default CallContext outermost() {
		return context();
	}

	/**
	 * The calls of tools inside of which this agent works.
	 * @return their ids, as far as they are known; none if it is the outermost agent
	 */
	default Set<String> inside() {
		return Set.of();
	}

	/**
	 * The calls of tools inside of which an agent works that begins on this thread.
	 * @param around the caller of the agent that calls it, or {@code null} if it is
	 * called by the application itself
	 * @return their ids, as far as they are known
	 */
	static Set<String> insideOf(@Nullable Caller around) {
		if (around == null) {
			return Set.of();
		}
		Set<String> inside = new HashSet<>(around.inside());
		Nesting.ofThisThread().calls().forEach((call) -> inside.add(call.id()));
		return Set.copyOf(inside);
	}

	/**
	 * How a hook aborted the run of this caller, if that is over: whatever still comes of
	 * it is refused.
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

	/**
	 * A caller.
	 * @param context what hooks learn; if it has a user, that is who is logged in, with
	 * the authorities and claims that it says
	 * @param login who is logged in otherwise
	 * @return the caller
	 */
	static Caller of(CallContext context, Login login) {
		return new KnownCaller(context, login.as(context));
	}

	/**
	 * Whoever calls an agent, from what is known around it and at the place where it is
	 * called.
	 * @param around the caller of the agent that calls this one, or {@code null} if it is
	 * called by the application itself
	 * @param here finds who is logged in here
	 * @return who is logged in; that of the outer agent if it knows
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
