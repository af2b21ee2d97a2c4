/**
 * The page on which operators see calls, chains and tools. Its files are resources of
 * this package, so that no web server serves them by itself.
 */
@NullMarked
package io.agenthooks.spring.console;

import org.jspecify.annotations.NullMarked;
