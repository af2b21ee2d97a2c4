/**
 * Entries of the configuration as an application reads and asks them, from YAML to the
 * outcome of a call.
 */
@NullMarked
package io.agenthooks.spring.entries;

import org.jspecify.annotations.NullMarked;
