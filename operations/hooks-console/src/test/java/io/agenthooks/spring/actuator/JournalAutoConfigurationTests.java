package io.agenthooks.spring.actuator;

import java.util.Objects;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link JournalAutoConfiguration} where no endpoint uses the journal.
 */
class JournalAutoConfigurationTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(HookTypes.with(ToolCallHooksAutoConfiguration.class, JournalAutoConfiguration.class,
				HooksEndpointsAutoConfiguration.class));

	private static void assertRefused(ApplicationContextRunner runner, String property) {
		String name = property.substring(0, property.indexOf('='));
		runner.withPropertyValues(property)
			.run((context) -> assertThat(Objects.requireNonNull(context.getStartupFailure()))
				.hasStackTraceContaining("'" + name + "'"));
	}

	@ParameterizedTest
	@CsvSource({ "hooks.journal.max_calls=0", "hooks.journal.max_size=many", "hooks.journal.max_cals=10" })
	void mistakeStopsTheStartAlthoughTheEndpointIsNotExposed(String mistake) {
		assertRefused(this.runner, mistake);
		assertRefused(this.runner.withPropertyValues("spring.main.lazy-initialization=true"), mistake);
		assertRefused(this.runner.withPropertyValues("hooks.tool_call.bypass_hooks=true"), mistake);
	}

	@Test
	void mistakeStopsTheStartAlsoWithoutTheActuator() {
		assertRefused(this.runner.withClassLoader(new FilteredClassLoader("org.springframework.boot.actuate")),
				"hooks.journal.max_calls=0");
	}

	@Test
	void journalThatNothingUsesIsNoMistake() {
		this.runner.withPropertyValues("hooks.journal.max_calls=10")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(CallJournal.class));
	}

	@Test
	void everyApplicationReadsIt() {
		assertThat(ImportCandidates.load(AutoConfiguration.class, null).getCandidates())
			.contains(JournalAutoConfiguration.class.getName());
	}

}
