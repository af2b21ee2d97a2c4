package io.agenthooks.toolcall;

import org.jspecify.annotations.Nullable;

/**
 * What this thread is inside of: how many calls deep, and which approved call its tool is
 * running. An executor may delegate to another guarded executor (two beans, a scoped
 * proxy); by this the same call is decided once, and a hook that calls tools cannot call
 * itself for ever.
 * <p>
 * A thread keeps its instance, which holds no call once the outermost one has ended.
 */
final class Nesting {

	/**
	 * How many calls may be inside one another on one thread.
	 */
	static final int MAX_DEPTH = 8;

	private static final ThreadLocal<Nesting> ofThread = ThreadLocal.withInitial(Nesting::new);

	private int depth;

	private @Nullable ToolHookChain approver;

	private @Nullable ToolCall approved;

	/** The depth of the approved call; what is deeper is another call. */
	private int approvedAt;

	private Nesting() {
	}

	static Nesting ofThisThread() {
		return ofThread.get();
	}

	/**
	 * Whether this thread runs the tool of this very call, approved by this very chain.
	 */
	boolean isRunning(ToolHookChain chain, ToolCall call) {
		return this.approver == chain && this.approvedAt == this.depth && call.equals(this.approved);
	}

	/**
	 * Begin a call.
	 * @throws IllegalStateException inside a call that is {@linkplain #isTooDeep() too
	 * deep}: only a post-call hook or a listener that learns of its denial can come here
	 */
	void enter() {
		if (isTooDeep()) {
			throw new IllegalStateException("A post-call hook or a listener calls a tool whenever it hears of one");
		}
		this.depth++;
	}

	void leave() {
		this.depth--;
	}

	boolean isTooDeep() {
		return this.depth > MAX_DEPTH;
	}

	/**
	 * Run a tool, with its call marked as approved meanwhile.
	 */
	ToolResult run(ToolHookChain chain, ToolCall call, ToolExecutor executor) {
		ToolHookChain approverAround = this.approver;
		ToolCall approvedAround = this.approved;
		int approvedAroundAt = this.approvedAt;
		this.approver = chain;
		this.approved = call;
		this.approvedAt = this.depth;
		try {
			return executor.execute(call);
		}
		finally {
			this.approver = approverAround;
			this.approved = approvedAround;
			this.approvedAt = approvedAroundAt;
		}
	}

}
