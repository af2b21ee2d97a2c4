/**
 * Expressions about calls that options of hooks may hold, whatever language they are in:
 * {@code hooks-policy-cel} reads them in CEL.
 */
@NullMarked
package io.agenthooks.spring.expression;

import org.jspecify.annotations.NullMarked;
