/**
 * State by keys in a table of a database, and the common part of all stores there:
 * scripts for tables, and transactions. Start at
 * {@link io.agenthooks.spring.jdbc.JdbcState}.
 */
@NullMarked
package io.agenthooks.spring.jdbc;

import org.jspecify.annotations.NullMarked;
