package io.agenthooks.spring.ai;

import java.util.List;

import org.jspecify.annotations.Nullable;

import io.agenthooks.CallContext;
import io.agenthooks.spring.caller.Caller;
import io.agenthooks.spring.caller.Login;

/**
 * For whom a conversation is that goes on. It is no agent around the one that goes on.
 *
 * @param context what hooks learn
 * @param login who is logged in
 * @param owner by what a node remembers whose texts they are, or {@code null}
 * @param usersTexts the texts that the user wrote, as they were kept
 * @param texts the texts of the conversation that stand for the user
 */
record ResumedCaller(CallContext context, Login login, @Nullable String owner, List<String> usersTexts,
		List<String> texts) implements Caller {

	@Override
	public boolean knowsCalls() {
		return true;
	}

	/**
	 * Nothing of what was said.
	 */
	@Override
	public String toString() {
		return "ResumedCaller";
	}

}
