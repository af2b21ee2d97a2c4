/**
 * Guards beans, and proves at the start that they are guarded.
 */
@NullMarked
package io.agenthooks.spring.guard;

import org.jspecify.annotations.NullMarked;
