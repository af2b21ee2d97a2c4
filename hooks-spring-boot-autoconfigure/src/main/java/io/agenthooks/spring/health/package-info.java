/**
 * How the hooks are, in the health of the application.
 */
@NullMarked
package io.agenthooks.spring.health;

import org.jspecify.annotations.NullMarked;
