package io.agenthooks.redact;

/** A part of a text that must not be seen. */
record Hit(int kind, int start, int end, boolean self) {
}
