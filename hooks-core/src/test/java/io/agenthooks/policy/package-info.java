/**
 * Tests of policies.
 */
@NullMarked
package io.agenthooks.policy;

import org.jspecify.annotations.NullMarked;
