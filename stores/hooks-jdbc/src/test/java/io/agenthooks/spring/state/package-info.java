@NullMarked
package io.agenthooks.spring.state;

import org.jspecify.annotations.NullMarked;
