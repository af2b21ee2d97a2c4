/**
 * State by keys that hooks keep in memory or, with {@code hooks-jdbc} and
 * {@code hooks-redis}, where nodes share it: the algorithm is written once, and a backend
 * changes it in one step. Start at {@link io.agenthooks.spring.state.KeyedState}.
 */
@NullMarked
package io.agenthooks.spring.state;

import org.jspecify.annotations.NullMarked;
