/**
 * The common part of stores in a database: scripts for tables, transactions, failures.
 */
@NullMarked
package io.agenthooks.spring.jdbc;

import org.jspecify.annotations.NullMarked;
