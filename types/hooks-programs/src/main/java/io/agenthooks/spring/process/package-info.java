/**
 * The type {@code process}: a program that runs as long as the application does, and is
 * asked about calls with JSON-RPC, one message a line.
 */
@NullMarked
package io.agenthooks.spring.process;

import org.jspecify.annotations.NullMarked;
