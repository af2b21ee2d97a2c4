package io.agenthooks.spring.assembly;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.agenthooks.spring.annotation.BeforeToolCall;
import io.agenthooks.spring.binding.MissingModuleException;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link MissingModuleException}.
 */
@ExtendWith(OutputCaptureExtension.class)
class MissingModuleTests {

	private static ApplicationContextRunner without(String room) {
		return new ApplicationContextRunner().withInitializer(new ActiveHooksInitializer())
			.withClassLoader(new FilteredClassLoader("io.agenthooks.spring." + room + "."))
			.withConfiguration(AutoConfigurations.of(ToolCallHooksAutoConfiguration.class))
			.withUserConfiguration(Application.class);
	}

	@ParameterizedTest
	@CsvSource({ "audit, audit.enabled=true, audit, hooks-audit",
			"approval, approval.enabled=true, approval, hooks-approval",
			"console, console.enabled=true, console, hooks-console", "console, journal.size=3, journal, hooks-console",
			"limit, limit.store=memory, limit, hooks-limit",
			"observation, observation.calls=true, observation, hooks-observability" })
	void featureWithoutItsModuleStopsTheStart(String room, String property, String feature, String module) {
		without(room).withPropertyValues("hooks." + property)
			.run((context) -> assertThat(context.getStartupFailure()).isInstanceOf(MissingModuleException.class)
				.hasMessageContaining("io.agenthooks:%s, for 'hooks.%s' (".formatted(module, feature)));
	}

	@ParameterizedTest
	@CsvSource({ "audit, audit.enabled=false", "approval, approval.enabled=false", "console, console.enabled=false",
			"mcp, strict=false" })
	void moduleOfAFeatureThatIsOffIsNotMissed(String room, String property) {
		without(room).withPropertyValues("hooks." + property, "hooks.tool-call.unguarded=ignore")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@ParameterizedTest
	@CsvSource({ "ai, hooks-spring-ai", "mcp, hooks-mcp", "langchain4j, hooks-langchain4j" })
	void frameworkWithoutItsModuleStopsTheStartAsSoonAsAHookDecides(String room, String module) {
		without(room).withUserConfiguration(Hooks.class)
			.run((context) -> assertThat(context.getStartupFailure()).isInstanceOf(MissingModuleException.class)
				.hasMessageContaining("io.agenthooks:%s, for ".formatted(module)));
	}

	@ParameterizedTest
	@CsvSource({ "ai, hooks-spring-ai", "mcp, hooks-mcp", "langchain4j, hooks-langchain4j" })
	void frameworkWithoutItsModuleStopsTheStartIfOnlyAMethodDecides(String room, String module) {
		without(room).withUserConfiguration(Methods.class)
			.run((context) -> assertThat(context.getStartupFailure()).isInstanceOf(MissingModuleException.class)
				.hasMessageContaining("io.agenthooks:%s, for ".formatted(module)));
	}

	@Test
	void frameworkWithoutItsModuleIsAWarningIfThatIsWritten(CapturedOutput output) {
		without("mcp").withUserConfiguration(Hooks.class)
			.withPropertyValues("hooks.tool-call.unguarded=warn")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).contains("io.agenthooks:hooks-mcp, for calls of tools by clients of an MCP server")
			.contains("these modules are missing");
	}

	@Configuration(proxyBeanMethods = false)
	@AutoConfigurationPackage
	static class Application {

	}

	@Configuration(proxyBeanMethods = false)
	static class Hooks {

		@Bean
		PreToolHook hook() {
			return (call) -> ToolDecision.deny("no");
		}

	}

	static class Methods {

		@BeforeToolCall
		ToolDecision decide(ToolCall call) {
			return ToolDecision.deny("no");
		}

	}

}
