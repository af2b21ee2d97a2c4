package io.agenthooks.spring.ai;

import java.util.List;

import org.jspecify.annotations.Nullable;

import io.agenthooks.CallContext;
import io.agenthooks.spring.caller.Caller;
import io.agenthooks.spring.caller.Login;
import io.agenthooks.spring.suspend.SuspendedTurn.Origin;

/**
 * The caller of a conversation that goes on, who is no agent around it.
 *
 * @param owner by which a node remembers whose texts they are, or {@code null}
 * @param origin the request that was asked, or {@code null}
 */
record ResumedCaller(CallContext context, Login login, @Nullable String owner, List<String> usersTexts,
		List<String> texts, @Nullable Origin origin) implements Caller {

	@Override
	public boolean knowsCalls() {
		return true;
	}

	/** Nothing of what was said. */
	@Override
	public String toString() {
		return "ResumedCaller";
	}

}
