package io.agenthooks.spring.caller;

import java.util.Set;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.agenthooks.AgentAbortedException;
import io.agenthooks.CallContext;

record KnownCaller(CallContext context, Login login, CallContext outermost, Set<String> inside, boolean knowsCalls,
		Supplier<@Nullable AgentAbortedException> abortion) implements Caller {

	@Override
	public @Nullable AgentAbortedException abortedBy() {
		return this.abortion.get();
	}

	/** Nothing of it: contexts hold what applications put into them. */
	@Override
	public String toString() {
		return "KnownCaller";
	}

}
