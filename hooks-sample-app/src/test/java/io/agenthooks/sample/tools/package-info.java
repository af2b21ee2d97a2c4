/**
 * Tests of the tools.
 */
@NullMarked
package io.agenthooks.sample.tools;

import org.jspecify.annotations.NullMarked;
