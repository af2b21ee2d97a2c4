/**
 * Tests for the arguments that a model writes.
 */
@NullMarked
package io.agenthooks.spring.arguments;

import org.jspecify.annotations.NullMarked;
