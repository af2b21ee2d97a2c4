/**
 * Tests for redaction.
 */
@NullMarked
package io.agenthooks.redact;

import org.jspecify.annotations.NullMarked;
