package io.agenthooks.spring.aot;

import java.lang.reflect.Method;
import java.util.List;

import dev.langchain4j.agent.tool.Tool;
import org.junit.jupiter.api.Test;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.javapoet.ClassName;
import org.springframework.util.ReflectionUtils;

import io.agenthooks.spring.annotation.ToolPolicy;
import io.agenthooks.spring.approval.ApprovalAutoConfiguration;
import io.agenthooks.spring.approval.ApprovalHooksAutoConfiguration;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what a native image needs to call methods that are named by a text.
 */
class CallMethodHintsTests {

	private static final String[] ENABLED = { "hooks.approval.enabled=true", "hooks.approval.approvers=ROLE_APPROVER" };

	@Test
	void methodsThatAnAnnotationNamesCanBeCalled() {
		RuntimeHints hints = processAheadOfTime(Orders.class, ENABLED);
		assertThat(hints).matches(RuntimeHintsPredicates.reflection().onMethodInvocation(method("previewRefund")))
			.matches(RuntimeHintsPredicates.reflection().onMethodInvocation(method("versionOf")))
			.matches(RuntimeHintsPredicates.reflection().onMethodInvocation(accessor(Line.class, "customer")))
			.matches(RuntimeHintsPredicates.reflection().onMethodInvocation(accessor(Part.class, "number")));
		assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(method("other"))).rejects(hints);
	}

	@Test
	void methodsThatTheConfigurationNamesCanBeCalled() {
		RuntimeHints hints = processAheadOfTime(Orders.class, ENABLED[0], ENABLED[1],
				"hooks.approval.previews.cancel=orders.other", "hooks.approval.versions.cancel=orders.another");
		assertThat(hints).matches(RuntimeHintsPredicates.reflection().onMethodInvocation(method("other")))
			.matches(RuntimeHintsPredicates.reflection().onMethodInvocation(method("another")));
	}

	@Test
	void configurationThatIsNotKnownAtBuildTimeLeavesThoseOfAnnotations() {
		RuntimeHints hints = processAheadOfTime(Orders.class, ENABLED[0], ENABLED[1],
				"hooks.approval.previews.cancel=orders.${METHOD_THAT_COMES_LATER}");
		assertThat(hints).matches(RuntimeHintsPredicates.reflection().onMethodInvocation(method("previewRefund")));
	}

	private static Method method(String name) {
		return accessor(Orders.class, name);
	}

	private static Method accessor(Class<?> type, String name) {
		Method method = ReflectionUtils.findMethod(type, name, (Class<?>[]) null);
		assertThat(method).isNotNull();
		return method;
	}

	private static RuntimeHints processAheadOfTime(Class<?> bean, String... properties) {
		try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
			TestPropertyValues.of(properties).applyTo(context);
			context.registerBean("orders", bean);
			context.register(ToolCallHooksAutoConfiguration.class, ApprovalAutoConfiguration.class,
					ApprovalHooksAutoConfiguration.class);
			DefaultGenerationContext generation = new DefaultGenerationContext(
					new ClassNameGenerator(ClassName.get("com.example", "Application")), new InMemoryGeneratedFiles());
			new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
			return generation.getRuntimeHints();
		}
	}

	static class Orders {

		@Tool("Refunds")
		@ToolPolicy(ask = "true", preview = "previewRefund", version = "versionOf")
		String refund(String order, Part part) {
			return "refunded";
		}

		List<Line> previewRefund(String order, Part part) {
			return List.of(new Line("Ann"));
		}

		int versionOf(String order) {
			return 1;
		}

		@Tool("Cancels")
		String cancel(String order) {
			return "cancelled";
		}

		String other(String order) {
			return order;
		}

		String another(String order) {
			return order;
		}

	}

	record Line(String customer) {
	}

	record Part(int number) {
	}

}
