/**
 * Tests of the approval service.
 */
@NullMarked
package io.agenthooks.sample.approvals;

import org.jspecify.annotations.NullMarked;
