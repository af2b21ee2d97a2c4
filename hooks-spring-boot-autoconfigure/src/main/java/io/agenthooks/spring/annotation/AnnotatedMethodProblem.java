package io.agenthooks.spring.annotation;

/**
 * A mistake in an annotated method.
 *
 * @param method the method
 * @param message what is wrong: the rest of a sentence that begins with the method
 * @param action what to write instead, as a sentence
 */
record AnnotatedMethodProblem(String method, String message, String action) {
}
