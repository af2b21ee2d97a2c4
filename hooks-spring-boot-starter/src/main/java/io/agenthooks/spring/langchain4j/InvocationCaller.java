package io.agenthooks.spring.langchain4j;

import java.util.function.BiConsumer;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import io.agenthooks.AbortedRuns;
import io.agenthooks.AgentAbortedException;
import io.agenthooks.CallContext;
import io.agenthooks.spring.caller.Caller;
import io.agenthooks.spring.caller.Login;
import io.agenthooks.spring.caller.RunState;

/**
 * Who makes the calls of one invocation of an AI service, as long as there are any: also
 * those that come when the invocation is over, from tools that run concurrently.
 */
final class InvocationCaller implements Caller {

	private final CallContext context;

	private final Login login;

	/** The id of the invocation; a customizer may have told hooks another. */
	private final @Nullable String id;

	private final RunState state = new RunState();

	InvocationCaller(@Nullable String id, CallContext context, Login login) {
		this.id = id;
		this.context = context;
		this.login = login.as(context.user());
	}

	@Override
	public CallContext context() {
		return this.context;
	}

	@Override
	public Login login() {
		return this.login;
	}

	@Override
	public @Nullable AgentAbortedException abortedBy() {
		return this.state.abortedBy();
	}

	/**
	 * A hook aborted a call of the invocation.
	 * @return whether the call came late, so that the abort has to be forgotten at once
	 */
	boolean abort(AgentAbortedException abortion) {
		return this.state.abort(abortion);
	}

	/**
	 * The invocation is over.
	 * @param ender forgets a run, and hands on how it was aborted
	 */
	void end(BiConsumer<String, Consumer<AbortedRuns.Abortion>> ender) {
		this.state.end();
		if (this.id != null) {
			ender.accept(this.id, this.state::inherit);
		}
	}

	/**
	 * Nothing of it: contexts hold what applications put into them.
	 */
	@Override
	public String toString() {
		return "InvocationCaller";
	}

}
