@NullMarked
package io.agenthooks.spring.binding;

import org.jspecify.annotations.NullMarked;
