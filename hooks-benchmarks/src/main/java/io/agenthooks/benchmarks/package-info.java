/**
 * How fast the chain, its policies and its metrics are. Read ratios within one run.
 */
@NullMarked
package io.agenthooks.benchmarks;

import org.jspecify.annotations.NullMarked;
