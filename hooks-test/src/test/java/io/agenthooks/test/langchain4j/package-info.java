@NullMarked
package io.agenthooks.test.langchain4j;

import org.jspecify.annotations.NullMarked;
