package io.agenthooks.spring.limit;

import java.time.Duration;
import java.util.List;

/**
 * Makes the stores of hooks.
 */
@FunctionalInterface
interface LimitStores {

	/**
	 * Make a store.
	 * @param hook the name of the hook, by which nodes that share a store find its limits
	 * @param limits the limits of each key
	 * @param forgetAfter how long after its last call a key is kept of which a limit does
	 * not come back by itself
	 * @param maxKeys how many keys are kept at most
	 * @return the store
	 */
	LimitStore make(String hook, List<WrittenLimit> limits, Duration forgetAfter, int maxKeys);

}
