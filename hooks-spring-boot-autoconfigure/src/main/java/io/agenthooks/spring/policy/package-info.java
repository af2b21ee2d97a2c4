/**
 * The type {@code policy}: rules about names and arguments.
 */
@NullMarked
package io.agenthooks.spring.policy;

import org.jspecify.annotations.NullMarked;
