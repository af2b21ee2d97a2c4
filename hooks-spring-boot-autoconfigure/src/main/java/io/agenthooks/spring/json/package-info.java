/**
 * JSON as hooks outside of this process read and write it.
 */
@NullMarked
package io.agenthooks.spring.json;

import org.jspecify.annotations.NullMarked;
