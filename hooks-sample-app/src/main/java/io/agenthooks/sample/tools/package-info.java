/**
 * Tools that really do things. Nothing in here knows of hooks.
 */
@NullMarked
package io.agenthooks.sample.tools;

import org.jspecify.annotations.NullMarked;
