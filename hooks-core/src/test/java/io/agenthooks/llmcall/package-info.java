@NullMarked
package io.agenthooks.llmcall;

import org.jspecify.annotations.NullMarked;
