/**
 * Child processes as hooks use them: what they are started with, and how they end, with
 * all that they have started.
 */
@NullMarked
package io.agenthooks.spring.program;

import org.jspecify.annotations.NullMarked;
