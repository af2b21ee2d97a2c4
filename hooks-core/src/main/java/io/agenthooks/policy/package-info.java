/**
 * Allow and deny lists of tools, and patterns that arguments must not match. Start at
 * {@link io.agenthooks.policy.PolicyToolHook}.
 */
@NullMarked
package io.agenthooks.policy;

import org.jspecify.annotations.NullMarked;
