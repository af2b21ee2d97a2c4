/**
 * Conditions in CEL: of the rules of policies, and wherever else a hook has an expression
 * about a call.
 */
@NullMarked
package io.agenthooks.spring.cel;

import org.jspecify.annotations.NullMarked;
