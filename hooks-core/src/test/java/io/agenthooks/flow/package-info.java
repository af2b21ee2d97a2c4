@NullMarked
package io.agenthooks.flow;

import org.jspecify.annotations.NullMarked;
