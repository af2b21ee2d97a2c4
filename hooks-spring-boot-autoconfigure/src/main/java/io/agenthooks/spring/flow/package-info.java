/**
 * The type {@code flow}: rules on where the values of calls come from.
 */
@NullMarked
package io.agenthooks.spring.flow;

import org.jspecify.annotations.NullMarked;
