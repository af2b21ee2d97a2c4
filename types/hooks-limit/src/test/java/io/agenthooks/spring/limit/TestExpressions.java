package io.agenthooks.spring.limit;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import io.agenthooks.spring.cel.CelConditionsAutoConfiguration;
import io.agenthooks.spring.expression.CallExpressions;

/**
 * The expressions of policies, as an application has them.
 */
final class TestExpressions {

	static final KeyReader.Expressions READER = reader();

	private TestExpressions() {
	}

	private static KeyReader.Expressions reader() {
		try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext(
				CelConditionsAutoConfiguration.class)) {
			return context.getBean(CallExpressions.class)::read;
		}
	}

}
