@NullMarked
package io.agenthooks.spring.prompt;

import org.jspecify.annotations.NullMarked;
