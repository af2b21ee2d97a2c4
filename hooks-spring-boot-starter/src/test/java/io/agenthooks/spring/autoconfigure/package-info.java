@NullMarked
package io.agenthooks.spring.autoconfigure;

import org.jspecify.annotations.NullMarked;
