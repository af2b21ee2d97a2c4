package io.agenthooks.spring.annotation;

import java.lang.reflect.Method;

import org.junit.jupiter.api.Test;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.javapoet.ClassName;
import org.springframework.util.ReflectionUtils;

import io.agenthooks.toolcall.ToolCall;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for annotated methods in an application that is processed ahead of time.
 */
class AnnotatedMethodsAotTests {

	@Test
	void annotatedMethodsCanBeInvokedInANativeImage() {
		RuntimeHints hints = processAheadOfTime(Guard.class);
		assertThat(hints).matches(RuntimeHintsPredicates.reflection().onMethodInvocation(method("before")))
			.matches(RuntimeHintsPredicates.reflection().onMethodInvocation(method("after")))
			.matches(RuntimeHintsPredicates.reflection().onMethodInvocation(method("onError")))
			.matches(RuntimeHintsPredicates.reflection().onMethodInvocation(method("meta")))
			.matches(RuntimeHintsPredicates.reflection().onMethodInvocation(method("inherited")));
		assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(method("plain"))).rejects(hints);
	}

	private static Method method(String name) {
		Method method = ReflectionUtils.findMethod(Guard.class, name, (Class<?>[]) null);
		assertThat(method).isNotNull();
		return method;
	}

	private static RuntimeHints processAheadOfTime(Class<?> bean) {
		try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
			context.register(bean);
			DefaultGenerationContext generation = new DefaultGenerationContext(
					new ClassNameGenerator(ClassName.get("com.example", "Application")), new InMemoryGeneratedFiles());
			new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
			generation.writeGeneratedContent();
			return generation.getRuntimeHints();
		}
	}

	interface Inherited {

		@BeforeToolCall
		default void inherited() {
		}

	}

	static class Guard implements Inherited {

		@BeforeToolCall
		boolean before(ToolCall call) {
			return true;
		}

		@AfterToolCall
		void after() {
		}

		@OnToolError
		void onError() {
		}

		@HookMethodReaderTests.Guard
		void meta() {
		}

		void plain() {
		}

	}

}
