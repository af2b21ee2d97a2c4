@NullMarked
package io.agenthooks.spring.annotation;

import org.jspecify.annotations.NullMarked;
