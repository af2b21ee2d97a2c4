/**
 * Keeps things in a database: state by keys in a table, and the common part of all stores
 * there, which are scripts for tables and transactions. Start at
 * {@link io.agenthooks.spring.jdbc.JdbcState}.
 */
@NullMarked
package io.agenthooks.spring.jdbc;

import org.jspecify.annotations.NullMarked;
