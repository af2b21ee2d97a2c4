@NullMarked
package io.agenthooks.spring.metrics;

import org.jspecify.annotations.NullMarked;
