@NullMarked
package io.agenthooks.spring.assembly;

import org.jspecify.annotations.NullMarked;
