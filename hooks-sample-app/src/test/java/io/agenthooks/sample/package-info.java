/**
 * Tests of the sample.
 */
@NullMarked
package io.agenthooks.sample;

import org.jspecify.annotations.NullMarked;
