/**
 * What the client of a web application reads when a hook has ended its request, and what
 * features that serve endpoints have in common.
 */
@NullMarked
package io.agenthooks.spring.web;

import org.jspecify.annotations.NullMarked;
