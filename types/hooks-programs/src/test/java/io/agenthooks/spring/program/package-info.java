@NullMarked
package io.agenthooks.spring.program;

import org.jspecify.annotations.NullMarked;
