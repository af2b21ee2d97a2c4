package io.agenthooks.spring.limit;

import org.jspecify.annotations.Nullable;

/** Opens stores that need a library which not every application has. */
interface LimitStoreOpener {

	LimitConfig.Store kind();

	/**
	 * The application tells the data of this one from those of others; {@code null} if it
	 * has no name.
	 */
	LimitStores open(LimitConfig config, @Nullable String application);

}
