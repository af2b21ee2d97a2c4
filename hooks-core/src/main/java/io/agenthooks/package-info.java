/**
 * The common parts of every kind of hook: verdicts, the context of a call, text that is
 * safe to show.
 */
@NullMarked
package io.agenthooks;

import org.jspecify.annotations.NullMarked;
