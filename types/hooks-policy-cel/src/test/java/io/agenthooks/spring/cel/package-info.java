@NullMarked
package io.agenthooks.spring.cel;

import org.jspecify.annotations.NullMarked;
