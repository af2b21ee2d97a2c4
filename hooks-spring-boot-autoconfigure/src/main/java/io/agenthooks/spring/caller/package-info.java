/**
 * The caller of the calls of an agent: taken once where the application calls it, and
 * handed on to hooks and inner agents.
 */
@NullMarked
package io.agenthooks.spring.caller;

import org.jspecify.annotations.NullMarked;
