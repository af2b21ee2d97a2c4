package io.agenthooks.spring.limit;

import java.util.LinkedHashMap;
import java.util.Map;

import io.agenthooks.toolcall.ToolCall;

/**
 * The calls that were counted and wait for people, while their turns are over. Each is
 * decided once more when it is resumed. A call is the same if it has the same id, tool
 * and limit: a person may have edited its arguments.
 */
final class CountedCalls {

	/** Most of what is forgotten was never approved; the others are counted twice. */
	static final int MAX = 10_000;

	/** Most of the time there are none, and then no call waits for another one here. */
	private volatile boolean none = true;

	private final Map<String, String> calls = new LinkedHashMap<>() {

		@Override
		protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
			return size() > MAX;
		}

	};

	/**
	 * Remember a call.
	 * @param key the key of its limit
	 */
	synchronized void add(ToolCall call, String key) {
		this.calls.put(call.id(), valueOf(call, key));
		this.none = false;
	}

	/**
	 * Whether a call waits, or is about to be resumed.
	 */
	boolean has(ToolCall call, String key) {
		if (this.none) {
			return false;
		}
		synchronized (this) {
			return isKept(call, key);
		}
	}

	private boolean isKept(ToolCall call, String key) {
		String kept = this.calls.get(call.id());
		return kept != null && kept.equals(valueOf(call, key));
	}

	/**
	 * Forget a call, which goes on.
	 * @return whether it was counted
	 */
	boolean take(ToolCall call, String key) {
		if (this.none) {
			return false;
		}
		synchronized (this) {
			if (!isKept(call, key)) {
				return false;
			}
			this.calls.remove(call.id());
			this.none = this.calls.isEmpty();
			return true;
		}
	}

	private static String valueOf(ToolCall call, String key) {
		return call.tool() + '\n' + key;
	}

}
