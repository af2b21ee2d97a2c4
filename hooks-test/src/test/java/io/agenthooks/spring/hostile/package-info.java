@NullMarked
package io.agenthooks.spring.hostile;

import org.jspecify.annotations.NullMarked;
