/**
 * The ends of calls, which the audit and the journal of the actuator share.
 */
@NullMarked
package io.agenthooks.spring.outcome;

import org.jspecify.annotations.NullMarked;
