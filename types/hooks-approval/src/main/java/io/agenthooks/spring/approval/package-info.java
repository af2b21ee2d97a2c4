/**
 * Lets people decide about calls of tools.
 */
@NullMarked
package io.agenthooks.spring.approval;

import org.jspecify.annotations.NullMarked;
