@NullMarked
package io.agenthooks.spring.answer;

import org.jspecify.annotations.NullMarked;
