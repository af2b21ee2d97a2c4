/**
 * Allow and deny lists of tools, and patterns that arguments must not match.
 */
@NullMarked
package io.agenthooks.policy;

import org.jspecify.annotations.NullMarked;
