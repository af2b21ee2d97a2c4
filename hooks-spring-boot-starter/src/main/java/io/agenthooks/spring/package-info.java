/**
 * How a {@code type:} of the configuration becomes a hook.
 */
@NullMarked
package io.agenthooks.spring;

import org.jspecify.annotations.NullMarked;
