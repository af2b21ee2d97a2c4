@NullMarked
package io.agenthooks.test.ai;

import org.jspecify.annotations.NullMarked;
