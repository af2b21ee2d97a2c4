/**
 * Reads {@code hooks.*} strictly. Spring's binder drops characters of names, merges keys
 * that look alike, splits text at commas and ignores what it does not know; each of that
 * can open a gate without a sound. So the properties are read here as they are written,
 * checked against the type they are meant for, and handed to the binder under names that
 * it cannot mistake. All mistakes are reported at once, each with its place.
 */
@NullMarked
package io.agenthooks.spring.binding;

import org.jspecify.annotations.NullMarked;
