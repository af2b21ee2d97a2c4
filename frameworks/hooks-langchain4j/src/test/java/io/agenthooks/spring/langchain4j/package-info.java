@NullMarked
package io.agenthooks.spring.langchain4j;

import org.jspecify.annotations.NullMarked;
