package io.agenthooks.spring.limit;

import java.util.function.BiFunction;

import org.jspecify.annotations.Nullable;

/**
 * Opens stores that need a library which not every application has.
 *
 * @param opening opens them for an application, whose name tells its data from those of
 * others; {@code null} if it has none
 */
record LimitStoreOpener(LimitConfig.Store kind, BiFunction<LimitConfig, @Nullable String, LimitStores> opening) {

}
