package io.agenthooks.spring.annotation;

record AnnotatedMethodProblem(String method, String message, String action) {
}
