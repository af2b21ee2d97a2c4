/**
 * Tests of what is found in tools that an application has put around others.
 */
@NullMarked
package io.agenthooks.spring.origin;

import org.jspecify.annotations.NullMarked;
