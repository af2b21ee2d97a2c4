/**
 * State by keys in Redis: one script writes what a node has made, if no other one was
 * quicker. Start at {@link io.agenthooks.spring.redis.RedisState}.
 */
@NullMarked
package io.agenthooks.spring.redis;

import org.jspecify.annotations.NullMarked;
