@NullMarked
package io.agenthooks.spring.process;

import org.jspecify.annotations.NullMarked;
