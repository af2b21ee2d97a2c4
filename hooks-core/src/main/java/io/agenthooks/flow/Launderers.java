package io.agenthooks.flow;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;

import io.agenthooks.toolcall.ToolIdentity;

/**
 * The tools inside of which an agent has read something untrusted, which their results
 * may say again: they are never trusted from then on.
 */
final class Launderers {

	private static final int MAX = 10_000;

	private final Set<String> tools = ConcurrentHashMap.newKeySet();

	/** The tools of calls that ended, which an agent inside of them may outlive. */
	private final LastUsed<Ended, String> ended = new LastUsed<>();

	/** If there are too many, each tool counts as one. */
	boolean contain(ToolIdentity tool) {
		return this.tools.size() >= MAX || this.tools.contains(tool.stableName());
	}

	void add(ToolIdentity tool) {
		this.tools.add(tool.stableName());
	}

	void remember(String call, String key, ToolIdentity tool) {
		this.ended.put(new Ended(call, key), tool.stableName());
	}

	/**
	 * An agent that outlives its call may hand on what it read in a later call of the
	 * same tool. Inside is {@code null} if it is no tool.
	 */
	void addEnded(String key, @Nullable Set<String> inside) {
		if (inside == null) {
			return;
		}
		for (String call : inside) {
			String tool = this.ended.get(new Ended(call, key));
			if (tool != null) {
				this.tools.add(tool);
			}
		}
	}

	private record Ended(String id, String key) {
	}

}
