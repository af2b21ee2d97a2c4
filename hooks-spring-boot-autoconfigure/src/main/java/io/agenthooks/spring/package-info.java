/**
 * The types that applications extend and use: factories of hook types, options of hooks,
 * hooks that are registered at run time, and customizers.
 */
@NullMarked
package io.agenthooks.spring;

import org.jspecify.annotations.NullMarked;
