@NullMarked
package io.agenthooks.benchmarks;

import org.jspecify.annotations.NullMarked;
