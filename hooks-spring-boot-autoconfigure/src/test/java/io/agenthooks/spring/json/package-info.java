@NullMarked
package io.agenthooks.spring.json;

import org.jspecify.annotations.NullMarked;
