package io.agenthooks.spring.binding;

import java.util.List;
import java.util.Objects;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.agenthooks.spring.ToolHookFactory;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolDecision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

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
	@CsvSource({ "command, hooks-programs", "process, hooks-programs", "prompt, hooks-judge",
			"webhook, hooks-webhook" })
	void typeNamesTheDependencyToAdd(String type, String module) {
		assertThat(refused("tool_call/pre_call", type)).contains("application.yaml:4:15",
				"'hooks.tool_call.pre_call[0].type' names the type '" + type
						+ "', which needs the dependency io.agenthooks:" + module + ".",
				"Add the dependency io.agenthooks:" + module + ".");
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
