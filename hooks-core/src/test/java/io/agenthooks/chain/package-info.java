/**
 * Tests of policies.
 */
@NullMarked
package io.agenthooks.chain;

import org.jspecify.annotations.NullMarked;
