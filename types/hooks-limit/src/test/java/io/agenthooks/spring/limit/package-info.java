@NullMarked
package io.agenthooks.spring.limit;

import org.jspecify.annotations.NullMarked;
