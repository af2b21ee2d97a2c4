/**
 * Endpoints of Spring Boot's actuator: which hooks are active and which tools they guard,
 * the last calls, and whether the audit is untouched.
 */
@NullMarked
package io.agenthooks.spring.actuator;

import org.jspecify.annotations.NullMarked;
