@NullMarked
package io.agenthooks.spring.health;

import org.jspecify.annotations.NullMarked;
