/**
 * Runs what the README and the pages in {@code docs} show.
 */
@NullMarked
package io.agenthooks.spring.docs;

import org.jspecify.annotations.NullMarked;
