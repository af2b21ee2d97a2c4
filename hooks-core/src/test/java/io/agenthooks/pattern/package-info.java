@NullMarked
package io.agenthooks.pattern;

import org.jspecify.annotations.NullMarked;
