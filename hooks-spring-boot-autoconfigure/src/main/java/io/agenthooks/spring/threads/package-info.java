/**
 * The threads of Agent Hooks, and the order in which they end.
 */
@NullMarked
package io.agenthooks.spring.threads;

import org.jspecify.annotations.NullMarked;
