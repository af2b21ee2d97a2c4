/**
 * What the client of a web application reads when a hook has ended its request.
 */
@NullMarked
package io.agenthooks.spring.web;

import org.jspecify.annotations.NullMarked;
