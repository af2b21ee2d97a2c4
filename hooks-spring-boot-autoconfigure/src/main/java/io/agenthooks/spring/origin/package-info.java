/**
 * Finds out where a tool comes from, for frameworks whose tools do not tell.
 */
@NullMarked
package io.agenthooks.spring.origin;

import org.jspecify.annotations.NullMarked;
