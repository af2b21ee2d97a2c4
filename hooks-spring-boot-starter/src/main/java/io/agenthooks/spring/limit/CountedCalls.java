package io.agenthooks.spring.limit;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The calls that were counted and wait for people, while their turns are over. Each is
 * decided once more when it is resumed.
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
	 * @param call tells which
	 * @param key the key of its limit
	 */
	synchronized void add(String call, String key) {
		this.calls.put(call, key);
		this.none = false;
	}

	/**
	 * Whether any call waits, or is about to be resumed.
	 */
	boolean hasAny() {
		return !this.none;
	}

	/**
	 * Whether a call waits, or is about to be resumed.
	 */
	boolean has(String call, String key) {
		if (this.none) {
			return false;
		}
		synchronized (this) {
			return key.equals(this.calls.get(call));
		}
	}

	/**
	 * Forget a call, which goes on.
	 * @return whether it was counted
	 */
	boolean take(String call, String key) {
		if (this.none) {
			return false;
		}
		synchronized (this) {
			boolean kept = this.calls.remove(call, key);
			this.none = this.calls.isEmpty();
			return kept;
		}
	}

}
