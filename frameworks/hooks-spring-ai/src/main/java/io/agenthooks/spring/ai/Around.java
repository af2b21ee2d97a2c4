package io.agenthooks.spring.ai;

import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.springframework.ai.model.tool.internal.ToolCallReactiveContextHolder;
import reactor.util.context.ContextView;

import io.agenthooks.CallContext;
import io.agenthooks.spring.caller.Caller;

/**
 * The caller, the outer agent and the outermost run around something that begins, taken
 * before anything leads to another thread; each {@code null} if there is none.
 */
record Around(@Nullable Caller caller, @Nullable CallContext outer, Set<String> inside, @Nullable String rootRun) {

	static Around of(ContextView context) {
		Caller caller = callerIn(context);
		CallContext outer = Caller.outermostOfThread();
		return new Around(caller, outer, Caller.insideOf(caller),
				(caller != null) ? caller.rootRun() : Caller.rootRun(outer));
	}

	/** The caller that a stream names, or else that of this thread, or {@code null}. */
	static @Nullable Caller callerIn(ContextView stream) {
		Caller caller = stream.getOrDefault(Caller.class, null);
		if (caller == null) {
			caller = Caller.ofThread();
		}
		return (caller != null) ? caller : ToolCallReactiveContextHolder.getContext().getOrDefault(Caller.class, null);
	}

	/**
	 * The context of the outermost agent, or {@code null} if what begins is that itself.
	 */
	@Nullable CallContext outermost() {
		return (this.caller != null && !isResumed()) ? this.caller.outermost() : this.outer;
	}

	/** Whether a turn goes on that waited for people. */
	boolean isResumed() {
		return this.caller instanceof ResumedCaller;
	}

}
