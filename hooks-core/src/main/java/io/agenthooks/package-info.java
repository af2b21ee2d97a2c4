/**
 * What every kind of hook shares: verdicts, the context of a call, text that is safe to
 * show.
 */
@NullMarked
package io.agenthooks;

import org.jspecify.annotations.NullMarked;
