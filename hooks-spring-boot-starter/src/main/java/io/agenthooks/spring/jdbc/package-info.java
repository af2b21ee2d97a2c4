/**
 * What rooms need that keep something in a database.
 */
@NullMarked
package io.agenthooks.spring.jdbc;

import org.jspecify.annotations.NullMarked;
