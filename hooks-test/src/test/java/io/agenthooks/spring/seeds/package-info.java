/**
 * What people who come from another hook system look for: one class for each of the five
 * systems, with a configuration in its spirit. The display name of a test is the other
 * system's own word for the feature; {@code docs/start/migrating.md} lists them.
 */
@NullMarked
package io.agenthooks.spring.seeds;

import org.jspecify.annotations.NullMarked;
