package io.agenthooks.redact;

/**
 * A part of a text that must not be seen.
 *
 * @param kind the position of what it is among the names of the redactor
 * @param start where it starts
 * @param end where it ends, exclusive
 * @param self whether it would be found wherever it stands, not only where it does
 */
record Hit(int kind, int start, int end, boolean self) {
}
