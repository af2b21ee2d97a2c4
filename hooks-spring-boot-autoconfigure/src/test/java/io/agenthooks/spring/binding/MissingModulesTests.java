package io.agenthooks.spring.binding;

import java.util.List;
import java.util.Objects;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.agenthooks.spring.ToolHookFactory;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolDecision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * A type of hooks whose module the application does not have stops the start with the
 * dependency to add. The tests of this module have none of the others.
 */
class MissingModulesTests {

	private static String refused(String list, String type) {
		HooksYaml yaml = HooksYaml.of("hooks:\n  " + list.replace("/", ":\n    ") + ":\n      - type: " + type + "\n");
		ToolHookFactory<NoConfig> given = ToolHookFactory.of("given", NoConfig.class,
				(config) -> (PreToolHook) (call) -> ToolDecision.approve());
		StringBuilder message = new StringBuilder();
		assertThatExceptionOfType(InvalidHooksConfigurationException.class).isThrownBy(() -> yaml.read(List.of(given)))
			.satisfies((ex) -> message
				.append(Objects.requireNonNull(new InvalidHooksConfigurationFailureAnalyzer().analyze(ex))
					.getDescription()));
		return message.toString();
	}

	@ParameterizedTest
	@CsvSource({ "command, hooks-programs", "process, hooks-programs", "prompt, hooks-judge", "webhook, hooks-webhook",
			"rate_limit, hooks-limit", "budget, hooks-limit", "concurrency, hooks-limit", "loop, hooks-limit",
			"alert, hooks-limit", "approval, hooks-approval" })
	void typeNamesTheDependencyToAdd(String type, String module) {
		assertThat(refused("tool_call/pre_call", type)).contains("application.yaml:4:15",
				"'hooks.tool_call.pre_call[0].type' names the type '" + type
						+ "', which needs the dependency io.agenthooks:" + module + ".",
				"Add the dependency io.agenthooks:" + module + ".");
	}

	@Test
	void policyOfRunsNamesTheDependencyToAdd() {
		HooksYaml yaml = HooksYaml.of("hooks.run.pre_run: [{type: policy, config: {rules: []}}]");
		assertThatExceptionOfType(InvalidHooksConfigurationException.class)
			.isThrownBy(() -> yaml.read(HookSection.RUN, List.of()))
			.withMessageContaining(
					"names the type 'policy', which needs the dependency " + "io.agenthooks:hooks-policy-cel.");
	}

	@ParameterizedTest
	@CsvSource({ "audit, enabled: true, hooks-audit", "observation, genai_attributes: true, hooks-observability",
			"console, enabled: true, hooks-console", "journal, max_calls: 10, hooks-console",
			"approval, enabled: true, hooks-approval" })
	void featureNamesTheDependencyToAdd(String feature, String option, String module) {
		HooksYaml yaml = HooksYaml.of("hooks:\n  " + feature + ":\n    " + option + "\n");
		assertThatExceptionOfType(InvalidHooksConfigurationException.class).isThrownBy(() -> yaml.read(List.of()))
			.satisfies((ex) -> assertThat(
					Objects.requireNonNull(new InvalidHooksConfigurationFailureAnalyzer().analyze(ex)).getDescription())
				.contains("application.yaml:3:",
						"'hooks." + feature + "' needs the dependency io.agenthooks:" + module + ".",
						"Add the dependency io.agenthooks:" + module + "."));
	}

	@ParameterizedTest
	@ValueSource(strings = { "hooks.audit.enabled=true", "hooks.observation.mdc=true", "hooks.console.enabled=true",
			"hooks.journal.max_calls=10", "hooks.approval.enabled=true" })
	void featureWithoutItsModuleStopsTheStartOfAnApplicationWithoutHooks(String property) {
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(ToolCallHooksAutoConfiguration.class))
			.withPropertyValues(property)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("needs the dependency"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "audit", "console", "approval" })
	void featureThatIsOffNeedsNoDependency(String feature) {
		assertThatNoException().isThrownBy(
				() -> HooksYaml.of("hooks:\n  " + feature + ":\n    enabled: false\n  tool_call:\n    pre_call: []\n")
					.read(List.of()));
	}

	@Test
	void mistypedTypeOfAMissingModuleIsUnderstood() {
		assertThat(refused("tool_call/pre_call", "comand")).contains("unknown type of hook, 'comand'",
				"Did you mean 'command'?");
	}

	@Test
	void typeOfNoModuleIsUnknown() {
		assertThat(refused("tool_call/pre_call", "other")).contains("unknown type of hook, 'other'")
			.doesNotContain("dependency");
	}

	record NoConfig() {
	}

}
