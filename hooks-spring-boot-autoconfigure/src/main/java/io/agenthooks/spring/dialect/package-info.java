/**
 * The messages of other systems about calls, and the words of their replies, for whatever
 * carries them: the pipes of a command, or HTTP.
 */
@NullMarked
package io.agenthooks.spring.dialect;

import org.jspecify.annotations.NullMarked;
