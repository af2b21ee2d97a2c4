/**
 * The type {@code command}: programs that are started for each call, written for this
 * starter, for Claude Code or for one of its relatives.
 */
@NullMarked
package io.agenthooks.spring.command;

import org.jspecify.annotations.NullMarked;
