package io.agenthooks.spring.annotation;

/** A mistake in an annotated method. */
record AnnotatedMethodProblem(String method, String message, String action) {
}
