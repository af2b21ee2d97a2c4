@NullMarked
package io.agenthooks.spring.jdbc;

import org.jspecify.annotations.NullMarked;
