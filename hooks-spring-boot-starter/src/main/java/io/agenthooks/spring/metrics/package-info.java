/**
 * Measures calls of tools and hooks with Micrometer.
 */
@NullMarked
package io.agenthooks.spring.metrics;

import org.jspecify.annotations.NullMarked;
