@NullMarked
package io.agenthooks.spring.threads;

import org.jspecify.annotations.NullMarked;
