package io.agenthooks.redact;

/** A part of a text to hide; {@code self} if it is known by its looks alone. */
record Hit(int kind, int start, int end, boolean self) {
}
