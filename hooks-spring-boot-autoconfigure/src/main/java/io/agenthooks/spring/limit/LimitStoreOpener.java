package io.agenthooks.spring.limit;

import org.jspecify.annotations.Nullable;

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
	 * @param application tells the data of this application from those of others, or
	 * {@code null} if it has no name
	 * @throws InvalidLimitStoreException if they cannot be used as configured
	 */
	LimitStores open(LimitConfig config, @Nullable String application);

}
