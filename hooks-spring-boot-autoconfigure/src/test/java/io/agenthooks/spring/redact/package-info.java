/**
 * Tests of redaction with the libraries that write its texts.
 */
@NullMarked
package io.agenthooks.spring.redact;

import org.jspecify.annotations.NullMarked;
