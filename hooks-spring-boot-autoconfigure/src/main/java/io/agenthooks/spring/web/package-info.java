/**
 * The reply to the client of a web application when a hook has ended its request, and the
 * common parts of features that serve endpoints.
 */
@NullMarked
package io.agenthooks.spring.web;

import org.jspecify.annotations.NullMarked;
