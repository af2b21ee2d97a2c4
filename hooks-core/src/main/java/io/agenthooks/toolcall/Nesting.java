package io.agenthooks.toolcall;

import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * What this thread is inside of: how many calls deep, and which approved call its tool is
 * running. An executor may delegate to another guarded executor (two beans, a scoped
 * proxy); by this the same call is decided once, and a hook that calls tools cannot call
 * itself for ever.
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

	private Nesting() {
	}

	static Nesting ofThisThread() {
		return ofThread.get();
	}

	boolean isTooDeep() {
		return this.depth >= MAX_DEPTH;
	}

	/**
	 * Whether this thread runs the tool of this very call, approved by this very chain.
	 */
	boolean isRunning(ToolHookChain chain, ToolCall call) {
		return this.approved != null && this.approver == chain && this.approved.equals(call);
	}

	/**
	 * Run a tool, with its call marked as approved meanwhile.
	 */
	ToolResult run(ToolHookChain chain, ToolCall call, ToolExecutor executor) {
		this.approver = chain;
		this.approved = call;
		try {
			return executor.execute(call);
		}
		finally {
			this.approver = null;
			this.approved = null;
		}
	}

	/**
	 * Handle a call one level deeper, where what was approved around it does not count.
	 */
	ToolResult nest(Supplier<ToolResult> call) {
		ToolHookChain approverAround = this.approver;
		ToolCall approvedAround = this.approved;
		this.approver = null;
		this.approved = null;
		this.depth++;
		try {
			return call.get();
		}
		finally {
			this.depth--;
			this.approver = approverAround;
			this.approved = approvedAround;
		}
	}

}
