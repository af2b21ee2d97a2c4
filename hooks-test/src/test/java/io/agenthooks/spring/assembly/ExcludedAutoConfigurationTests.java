package io.agenthooks.spring.assembly;

import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.agenthooks.spring.ai.SpringAiModelCallsAutoConfiguration;
import io.agenthooks.spring.ai.SpringAiToolCallsAutoConfiguration;
import io.agenthooks.spring.langchain4j.LangChain4jHooksAutoConfiguration;
import io.agenthooks.spring.mcp.McpToolCallsAutoConfiguration;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolDecision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * An auto-configuration of ours that is excluded alone, while there are hooks for what it
 * guards, is not missed silently.
 */
@ExtendWith(OutputCaptureExtension.class)
class ExcludedAutoConfigurationTests {

	private static final String TOOLS = "--hooks.tool-call.pre-call[0].type=passthrough";

	private static final String MODELS = "--hooks.llm-call.pre-call[0].type=policy";

	private static final String MODELS_POLICY = "--hooks.llm-call.pre-call[0].config.deny-patterns[0]=secret";

	static Stream<Arguments> excluded() {
		return Stream.of(Arguments.of(SpringAiToolCallsAutoConfiguration.class, TOOLS),
				Arguments.of(McpToolCallsAutoConfiguration.class, TOOLS),
				Arguments.of(LangChain4jHooksAutoConfiguration.class, TOOLS),
				Arguments.of(LangChain4jHooksAutoConfiguration.class, MODELS),
				Arguments.of(SpringAiModelCallsAutoConfiguration.class, MODELS));
	}

	static Stream<Arguments> one() {
		return excluded().limit(1);
	}

	@ParameterizedTest
	@MethodSource("excluded")
	void exclusionIsAWarningIfThatIsWritten(Class<?> excluded, String hook, CapturedOutput output) {
		application().run(arguments(excluded, hook, "--hooks.tool-call.unguarded=warn")).close();
		assertThat(output).contains("these auto-configurations are excluded").contains(excluded.getName() + ", for ");
	}

	@ParameterizedTest
	@MethodSource("excluded")
	void exclusionStopsTheStart(Class<?> excluded, String hook) {
		assertThatExceptionOfType(ActiveHooksInitializer.InactiveHooksException.class)
			.isThrownBy(() -> application().run(arguments(excluded, hook)))
			.satisfies((failure) -> {
				assertThat(failure.getDescription()).contains(excluded.getName());
				assertThat(failure.getAction()).contains("set 'hooks.tool_call.unguarded' to 'warn'");
			});
	}

	@ParameterizedTest
	@MethodSource("one")
	void exclusionIsAWarningWhileHooksOnlyObserve(Class<?> excluded, String hook, CapturedOutput output) {
		application().run(arguments(excluded, hook, hook.replaceFirst("type=.*", "mode=observe"))).close();
		assertThat(output).contains("these auto-configurations are excluded");
	}

	@ParameterizedTest
	@Tag("slow")
	@MethodSource("excluded")
	void exclusionOfEachIsAWarningOrFine(Class<?> excluded, String hook, CapturedOutput output) {
		exclusionIsFineWithoutHooksOrIfItIsToBeIgnored(excluded, hook, output);
		exclusionIsAWarningWhileHooksOnlyObserve(excluded, hook, output);
	}

	@ParameterizedTest
	@MethodSource("one")
	void exclusionIsFineWithoutHooksOrIfItIsToBeIgnored(Class<?> excluded, String hook, CapturedOutput output) {
		application().run(arguments(excluded, "--spring.main.banner-mode=off")).close();
		application().run(arguments(excluded, hook, "--hooks.tool-call.unguarded=ignore")).close();
		assertThat(output).doesNotContain("these auto-configurations are excluded");
	}

	@Test
	void hookThatIsABeanCountsToo() {
		SpringApplication application = application();
		application.addPrimarySources(List.of(HookBean.class));
		assertThatExceptionOfType(ActiveHooksInitializer.InactiveHooksException.class).isThrownBy(
				() -> application.run(arguments(McpToolCallsAutoConfiguration.class, "--spring.main.banner-mode=off")));
	}

	@Test
	void nothingIsSaidIfNothingIsExcluded(CapturedOutput output) {
		application().run(TOOLS, "--hooks.tool-call.unguarded=deny").close();
		assertThat(output).doesNotContain("excluded");
	}

	private static String[] arguments(Class<?> excluded, String... others) {
		return Stream
			.concat(Stream.of("--spring.autoconfigure.exclude=" + excluded.getName(), MODELS_POLICY)
				.filter((argument) -> !argument.equals(MODELS_POLICY) || Stream.of(others).anyMatch(MODELS::equals)),
					Stream.of(others))
			.toArray(String[]::new);
	}

	private static SpringApplication application() {
		SpringApplication application = new SpringApplication(Application.class);
		application.setWebApplicationType(WebApplicationType.NONE);
		return application;
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

	@Configuration(proxyBeanMethods = false)
	static class HookBean {

		@Bean
		PreToolHook hook() {
			return (call) -> ToolDecision.approve();
		}

	}

}
