@NullMarked
package io.agenthooks.spring.child;

import org.jspecify.annotations.NullMarked;
