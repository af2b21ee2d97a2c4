/**
 * Lets an {@code AuthorizationManager} of Spring Security decide about calls of tools.
 */
@NullMarked
package io.agenthooks.spring.security;

import org.jspecify.annotations.NullMarked;
