/**
 * A model of LangChain4j that plays a script, for tests of whole agents. Needs
 * {@code langchain4j}.
 */
@NullMarked
package io.agenthooks.test.langchain4j;

import org.jspecify.annotations.NullMarked;
