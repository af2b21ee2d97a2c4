/**
 * Records every call with what was decided about it, in a chain in which a change can be
 * seen.
 */
@NullMarked
package io.agenthooks.spring.audit;

import org.jspecify.annotations.NullMarked;
