/**
 * What guards of beans share.
 */
@NullMarked
package io.agenthooks.spring.guard;

import org.jspecify.annotations.NullMarked;
