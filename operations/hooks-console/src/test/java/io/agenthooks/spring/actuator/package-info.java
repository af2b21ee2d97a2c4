/**
 * Tests for the endpoints of the actuator.
 */
@NullMarked
package io.agenthooks.spring.actuator;

import org.jspecify.annotations.NullMarked;
