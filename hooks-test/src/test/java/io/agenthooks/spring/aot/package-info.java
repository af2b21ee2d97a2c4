/**
 * Applications that are processed ahead of time.
 */
@NullMarked
package io.agenthooks.spring.aot;

import org.jspecify.annotations.NullMarked;
