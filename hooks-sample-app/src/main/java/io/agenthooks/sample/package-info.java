/**
 * A runnable agent whose tools are guarded: its script, its API, and a hook of its own.
 */
@NullMarked
package io.agenthooks.sample;

import org.jspecify.annotations.NullMarked;
