/**
 * Tests of what questions to people are for calls and frameworks.
 */
@NullMarked
package io.agenthooks.spring.suspend;

import org.jspecify.annotations.NullMarked;
