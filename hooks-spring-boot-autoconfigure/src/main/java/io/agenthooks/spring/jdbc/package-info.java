/**
 * What stores in a database share: scripts for tables, transactions, failures.
 */
@NullMarked
package io.agenthooks.spring.jdbc;

import org.jspecify.annotations.NullMarked;
