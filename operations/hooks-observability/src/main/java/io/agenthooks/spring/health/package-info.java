/**
 * The health of the hooks, in that of the application.
 */
@NullMarked
package io.agenthooks.spring.health;

import org.jspecify.annotations.NullMarked;
