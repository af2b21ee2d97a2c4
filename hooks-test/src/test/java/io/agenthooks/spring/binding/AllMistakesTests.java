package io.agenthooks.spring.binding;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.web.WebEndpointAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;

import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.actuator.HooksEndpointsAutoConfiguration;
import io.agenthooks.spring.actuator.JournalAutoConfiguration;
import io.agenthooks.spring.approval.ApprovalAutoConfiguration;
import io.agenthooks.spring.assembly.LlmCallHooksAutoConfiguration;
import io.agenthooks.spring.assembly.RunHooksAutoConfiguration;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;
import io.agenthooks.spring.audit.AuditAutoConfiguration;
import io.agenthooks.spring.console.ConsoleAutoConfiguration;
import io.agenthooks.spring.observation.HooksObservationAutoConfiguration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that mistakes in several parts of the configuration are told at once, whichever
 * part is read first.
 */
class AllMistakesTests {

	/** A mistake in each part, with what is said about it. */
	private static final Map<String, String> MISTAKES = Map.of("hooks.tool_call.pre_call[0].type=polcy",
			"'hooks.tool_call.pre_call[0].type'", "hooks.llm_call.pre_call[0].type=promt",
			"'hooks.llm_call.pre_call[0].type'", "hooks.run.pre_run_timeout=never", "'hooks.run.pre_run_timeout'",
			"hooks.approval.path=approvals", "'hooks.approval.path'", "hooks.audit.node=a/b", "'hooks.audit.node'",
			"hooks.console.path=hooks", "'hooks.console.path'", "hooks.journal.max_calls=0",
			"'hooks.journal.max_calls'", "hooks.observation.mdc=maybe", "'hooks.observation.mdc'",
			"hooks.limit.store=disk", "'hooks.limit.store'");

	@TempDir
	Path directory;

	private final WebApplicationContextRunner runner = new WebApplicationContextRunner()
		.withConfiguration(HookTypes.with(ToolCallHooksAutoConfiguration.class, LlmCallHooksAutoConfiguration.class,
				RunHooksAutoConfiguration.class, AuditAutoConfiguration.class, HooksObservationAutoConfiguration.class,
				HooksEndpointsAutoConfiguration.class, JournalAutoConfiguration.class))
		.withConfiguration(AutoConfigurations.of(ApprovalAutoConfiguration.class, ConsoleAutoConfiguration.class,
				EndpointAutoConfiguration.class, WebEndpointAutoConfiguration.class))
		.withPropertyValues("hooks.approval.enabled=true", "hooks.approval.approvers=A", "hooks.audit.enabled=true",
				"hooks.console.enabled=true", "management.endpoints.web.exposure.include=*");

	private void assertAllAreTold(WebApplicationContextRunner runner, List<String> mistakes) {
		runner.withPropertyValues("hooks.audit.file.path=" + this.directory)
			.withPropertyValues(mistakes.toArray(String[]::new))
			.run((context) -> {
				FailureAnalysis analysis = new InvalidHooksConfigurationFailureAnalyzer()
					.analyze(Objects.requireNonNull(context.getStartupFailure()));
				assertThat(analysis).isNotNull();
				for (String mistake : mistakes) {
					String told = Objects.requireNonNull(MISTAKES.get(mistake));
					assertThat(analysis.getDescription().split(told.replaceAll("[\\[\\].]", "\\\\$0"), -1))
						.as(told + " in " + analysis.getDescription())
						.hasSize(2);
				}
				assertThat(analysis.getDescription())
					.contains((mistakes.size() == 1) ? "has a mistake" : "has %d mistakes".formatted(mistakes.size()));
			});
	}

	@Test
	void mistakesInAllPartsAreToldAtOnce() {
		assertAllAreTold(this.runner, List.copyOf(MISTAKES.keySet()));
	}

	@Test
	void anyTwoPartsTellBothMistakes() {
		List<String> mistakes = MISTAKES.keySet().stream().sorted().toList();
		for (int i = 0; i < mistakes.size(); i++) {
			for (int j = i + 1; j < mistakes.size(); j++) {
				assertAllAreTold(this.runner, List.of(mistakes.get(i), mistakes.get(j)));
			}
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "hooks.audit.node=a/b", "hooks.console.path=hooks", "hooks.journal.max_calls=0",
			"hooks.observation.mdc=maybe", "hooks.tool_call.pre_call[0].type=polcy" })
	void singleMistakeIsToldOnce(String mistake) {
		assertAllAreTold(this.runner, List.of(mistake));
	}

	@Test
	void mistakesInAPartThatHooksNeedAreToldWithThoseOfTheHooks() {
		String hooks = "hooks.tool_call.pre_call";
		this.runner
			.withPropertyValues("hooks.audit.file.path=" + this.directory, "hooks.limit.timeout=0",
					hooks + "[0].type=rate_limit", hooks + "[0].config.limit=3 per session", hooks + "[1].type=budget",
					hooks + "[1].config.limit=2000 EUR", hooks + "[1].config.per=day", hooks + "[2].type=concurrency",
					hooks + "[2].config.max_parallel=2")
			.run((context) -> {
				FailureAnalysis analysis = new InvalidHooksConfigurationFailureAnalyzer()
					.analyze(Objects.requireNonNull(context.getStartupFailure()));
				assertThat(analysis).isNotNull();
				assertThat(analysis.getDescription()).contains("'hooks.limit.timeout'", "[1].config.limit'",
						"[2].config.max_parallel'");
				assertThat(analysis.getDescription().split("'hooks.limit.timeout'", -1)).hasSize(2);
			});
	}

	@Test
	void partsWithoutHooksTellAllMistakesAlsoWithoutHooks() {
		assertAllAreTold(
				new WebApplicationContextRunner()
					.withConfiguration(
							AutoConfigurations.of(ConsoleAutoConfiguration.class, AuditAutoConfiguration.class))
					.withPropertyValues("hooks.audit.enabled=true", "hooks.console.enabled=true"),
				List.of("hooks.audit.node=a/b", "hooks.console.path=hooks"));
	}

}
