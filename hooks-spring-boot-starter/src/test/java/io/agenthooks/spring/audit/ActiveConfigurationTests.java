package io.agenthooks.spring.audit;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.convert.ApplicationConversionService;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ActiveConfiguration}.
 */
class ActiveConfigurationTests {

	private static Map<String, String> properties(String name, AuditKey key) {
		StandardEnvironment environment = new StandardEnvironment();
		environment.getPropertySources()
			.addFirst(name.contains(".") ? new MapPropertySource("written", Map.of(name, "hunter2"))
					: new SystemEnvironmentPropertySource("variables", Map.of(name, "hunter2")));
		return ActiveConfiguration.properties(environment, key);
	}

	@ParameterizedTest
	@ValueSource(strings = { "HOOKS_TOOLCALL_PRECALL_0_CONFIG_ENV_DB", "HOOKS_TOOL_CALL_PRE_CALL_0_CONFIG_ENV_PGUSER",
			"HOOKS_TOOLCALL_PRECALL_0_CONFIG_ENV", "hooks.tool_call.pre_call[0].config.env.DB",
			"hooks.tool_call.pre_call[0].config.env[0]", "HOOKS_TOOLCALL_PRECALL_0_CONFIG_DBPASS",
			"HOOKS_TOOLCALL_PRECALL_0_CONFIG_DB_PWD", "HOOKS_TOOLCALL_PRECALL_0_CONFIG_PIN",
			"HOOKS_TOOLCALL_PRECALL_0_CONFIG_SENTRY_DSN", "HOOKS_TOOLCALL_PRECALL_0_CONFIG_MONGO_URI",
			"HOOKS_TOOLCALL_PRECALL_0_CONFIG_COOKIE", "HOOKS_TOOLCALL_PRECALL_0_CONFIG_PRIVATE",
			"HOOKS_TOOLCALL_PRECALL_0_CONFIG_SALT", "hooks.tool_call.pre_call[0].config.passphrase",
			"HOOKS_TOOLCALL_PRECALL_0_CONFIG_API_KEY", "HOOKS_TOOLCALL_PRECALL_0_CONFIG_URL" })
	void hashWithoutAKeyCoversNoPropertyThatMayBeASecret(String name) {
		assertThat(properties(name, AuditKey.none())).doesNotContainKey(name);
		assertThat(properties(name, TestAudit.KEY)).containsEntry(name, "hunter2");
	}

	@ParameterizedTest
	@ValueSource(strings = { "HOOKS_TOOLCALL_PRECALL_0_ENABLED", "HOOKS_TOOLCALL_PRECALL_0_CONFIG_DENYTOOLS",
			"hooks.tool_call.pre_call[0].config.environment", "hooks.tool_call.pre_call[0].fail_open",
			"hooks.tool_call.pre_call[0].config.deny_argument_patterns.path[0]" })
	void hashWithoutAKeyCoversWhatIsNoSecret(String name) {
		assertThat(properties(name, AuditKey.none())).containsEntry(name, "hunter2");
	}

	@Test
	void valueThatCannotBeATextIsNotRead() {
		StandardEnvironment environment = new StandardEnvironment();
		environment.setConversionService(new ApplicationConversionService());
		environment.getPropertySources()
			.addFirst(new MapPropertySource("code", Map.of("hooks.a", List.of(Map.of("b", "tops3cret")))));
		assertThat(ActiveConfiguration.properties(environment, TestAudit.KEY)).containsEntry("hooks.a", "unresolved");
	}

}
