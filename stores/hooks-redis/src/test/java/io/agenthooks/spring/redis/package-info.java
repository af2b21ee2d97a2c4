@NullMarked
package io.agenthooks.spring.redis;

import org.jspecify.annotations.NullMarked;
