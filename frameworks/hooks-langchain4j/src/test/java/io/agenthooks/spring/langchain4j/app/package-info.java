/**
 * A small application as a user would write it: an AI service, its tools, and hooks in
 * {@code langchain4j-app.yaml}.
 */
@NullMarked
package io.agenthooks.spring.langchain4j.app;

import org.jspecify.annotations.NullMarked;
