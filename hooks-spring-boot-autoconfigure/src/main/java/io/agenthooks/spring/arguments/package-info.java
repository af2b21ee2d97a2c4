/**
 * The arguments of a call as a model writes them: read strictly, and checked against the
 * JSON schema of the tool.
 */
@NullMarked
package io.agenthooks.spring.arguments;

import org.jspecify.annotations.NullMarked;
