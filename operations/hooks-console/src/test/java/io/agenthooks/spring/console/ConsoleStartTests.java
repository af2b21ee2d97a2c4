package io.agenthooks.spring.console;

import java.util.List;
import java.util.Objects;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;

import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.spring.web.InvalidEndpointException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Tests of when an application with the console starts.
 */
class ConsoleStartTests {

	private static final AutoConfigurations CONSOLE = AutoConfigurations.of(ConsoleAutoConfiguration.class);

	private static FailureAnalysis analysis(Throwable failure) {
		InvalidEndpointException refused = (InvalidEndpointException) failure;
		return new FailureAnalysis(Objects.requireNonNull(refused.getMessage()), refused.getAction(), refused);
	}

	private static Throwable failureOf(WebApplicationType type, String[]... properties) {
		return catchThrowable(() -> TestConsole.start(type, List.of(), properties).close());
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void startIsRefusedIfSpringSecurityIsSwitchedOff(WebApplicationType type) {
		Throwable failure = failureOf(type, new String[] { "hooks.console.enabled=true" }, TestConsole.NO_SECURITY);
		FailureAnalysis analysis = analysis(failure);
		assertThat(analysis.getDescription()).startsWith("The console at '/hooks' would be open to everybody");
		assertThat(analysis.getAction()).contains("spring-boot-starter-security", "'hooks.console.insecure' to true");
	}

	@Test
	void startIsRefusedIfSpringSecurityIsMissing() {
		FilteredClassLoader without = new FilteredClassLoader("org.springframework.security",
				"org.springframework.boot.security", "org.springframework.boot.actuate");
		new WebApplicationContextRunner().withConfiguration(CONSOLE)
			.withClassLoader(without)
			.withPropertyValues("hooks.console.enabled=true")
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.isInstanceOf(InvalidEndpointException.class)
				.hasMessageContaining("would be open to everybody"));
		new ReactiveWebApplicationContextRunner().withConfiguration(CONSOLE)
			.withClassLoader(without)
			.withPropertyValues("hooks.console.enabled=true", "hooks.console.insecure=true")
			.run((context) -> assertThat(context).hasNotFailed().getBean(ConsoleEndpoints.class).isNull());
	}

	@ParameterizedTest
	@ValueSource(strings = { "0", "-1", "9000" })
	void startIsRefusedIfTheEndpointsAreAtAnotherPort(String port) {
		Throwable failure = failureOf(WebApplicationType.SERVLET, TestConsole.OPEN,
				new String[] { "management.server.port=" + port });
		assertThat(analysis(failure).getDescription()).contains("'management.server.port'");
		assertThat(analysis(failure).getAction()).contains("Remove 'management.server.port'");
	}

	@Test
	void startIsRefusedEvenIfBeansAreLazy() {
		Throwable failure = failureOf(WebApplicationType.SERVLET,
				new String[] { "hooks.console.enabled=true", "spring.main.lazy-initialization=true" },
				TestConsole.NO_SECURITY);
		assertThat(analysis(failure).getDescription()).contains("would be open to everybody");
	}

	@Test
	void startIsRefusedIfNothingCanServeThePage() {
		new WebApplicationContextRunner().withConfiguration(CONSOLE)
			.withClassLoader(new FilteredClassLoader("org.springframework.web.servlet"))
			.withPropertyValues(TestConsole.OPEN)
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.isInstanceOf(InvalidEndpointException.class)
				.hasMessageContaining("nothing can serve the page"));
	}

	@Test
	void startWithoutRequestsHasNoConsole() {
		new ApplicationContextRunner().withConfiguration(CONSOLE)
			.withPropertyValues("hooks.console.enabled=true")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("hooksConsole"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "hooks.console.enabled=false" })
	void nothingIsThereUnlessEnabled(String property) {
		WebApplicationContextRunner runner = new WebApplicationContextRunner().withConfiguration(CONSOLE);
		((property.isEmpty()) ? runner : runner.withPropertyValues(property))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(ConsoleAutoConfiguration.class));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "/", "hooks", "/hooks/", "//hooks", "/hooks/*", "/{a}", "/a/../b", "/./a", "/a b",
			"/a?b", "/a%2fb", "/**" })
	void pathThatIsNoneIsRefused(String path) {
		assertThatExceptionOfType(InvalidHookConfigException.class)
			.isThrownBy(() -> new ConsoleConfig(true, path, null, null));
	}

	@ParameterizedTest
	@ValueSource(strings = { "/hooks", "/admin/hooks", "/a-b_c.d/e" })
	void pathMayHaveSegments(String path) {
		assertThat(new ConsoleConfig(true, path, null, null).pathOrDefault()).isEqualTo(path);
	}

	@ParameterizedTest
	@CsvSource(delimiter = ';', quoteCharacter = '"', value = {
			"hooks.console.enabled=true|hooks.console.pth=/a; 'hooks.console.pth' is not an option here",
			"hooks.console.enabled=maybe; 'hooks.console.enabled' is neither true nor false",
			"hooks.console.enabled=true|hooks.console.path=hooks; 'hooks.console.path' is not a valid path of the console",
			"hooks.console.path=/a; 'hooks.console' says neither 'enabled: true' nor 'enabled: false'" })
	void mistakesStopTheStart(String properties, String message) {
		Throwable failure = failureOf(WebApplicationType.SERVLET, properties.split("\\|", -1), TestConsole.NO_SECURITY);
		assertThat(failure).rootCause().hasMessageContaining(message);
	}

}
