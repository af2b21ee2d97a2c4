/**
 * Tests of the {@code webhook} hook, most of them against a real server.
 */
@NullMarked
package io.agenthooks.spring.webhook;

import org.jspecify.annotations.NullMarked;
