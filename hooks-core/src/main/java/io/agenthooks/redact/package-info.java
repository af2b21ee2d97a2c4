/**
 * Takes secrets and personal data out of texts before a model or a log gets them. Start
 * at {@link io.agenthooks.redact.RedactToolHook}, or at
 * {@link io.agenthooks.redact.Redactor} for texts of any origin.
 */
@NullMarked
package io.agenthooks.redact;

import org.jspecify.annotations.NullMarked;
