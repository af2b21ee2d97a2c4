@NullMarked
package io.agenthooks.spring.dialect;

import org.jspecify.annotations.NullMarked;
