/**
 * The type {@code process}: a program that runs as long as the application does, and is
 * asked about calls with PicoClaw's JSON-RPC.
 */
@NullMarked
package io.agenthooks.spring.process;

import org.jspecify.annotations.NullMarked;
