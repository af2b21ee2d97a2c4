package io.agenthooks.spring.limit;

/**
 * Opens stores that need a library which not every application has.
 */
interface LimitStoreOpener {

	/**
	 * Where its stores count.
	 */
	LimitConfig.Store kind();

	/**
	 * Open them.
	 * @throws InvalidLimitStoreException if they cannot be used as configured
	 */
	LimitStores open(LimitConfig config);

}
