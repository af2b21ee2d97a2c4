package io.agenthooks.spring.ai;

import java.util.Map;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.ai.model.tool.internal.ToolCallReactiveContextHolder;
import reactor.util.context.Context;

import io.agenthooks.CallContext;

/**
 * One call of a {@code ChatClient}, from the question of the user to the answer. A run
 * that waits is known by its thread, one that streams by its Reactor context, which
 * Spring AI makes known to the thread that runs its tools.
 *
 * @param context what hooks learn about every call of a tool
 * @param advisorContext the parameters of the advisors
 */
record AgentRun(CallContext context, Map<String, @Nullable Object> advisorContext) {

	private static final ThreadLocal<@Nullable AgentRun> ofThread = new ThreadLocal<>();

	/**
	 * The run that this thread works for, or {@code null} if that is not known.
	 */
	static @Nullable AgentRun current() {
		AgentRun waiting = ofThread.get();
		return (waiting != null) ? waiting
				: ToolCallReactiveContextHolder.getContext().getOrDefault(AgentRun.class, null);
	}

	/**
	 * Do all of the run on this thread.
	 */
	<T> T execute(Supplier<T> run) {
		AgentRun around = ofThread.get();
		ofThread.set(this);
		try {
			return run.get();
		}
		finally {
			if (around != null) {
				ofThread.set(around);
			}
			else {
				ofThread.remove();
			}
		}
	}

	AgentRun withUser(String user) {
		return new AgentRun(this.context.withUser(user), this.advisorContext);
	}

	Context in(Context context) {
		return context.put(AgentRun.class, this);
	}

	@Override
	public String toString() {
		return "AgentRun[" + this.context + "]";
	}

}
