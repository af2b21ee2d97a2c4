package io.agenthooks.spring.assembly;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.convert.ApplicationConversionService;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import io.agenthooks.spring.ActiveHooks;
import io.agenthooks.spring.HookOptions;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ActiveConfiguration}.
 */
class ActiveConfigurationTests {

	private static Map<String, String> properties(String name, boolean keyed) {
		StandardEnvironment environment = new StandardEnvironment();
		environment.getPropertySources()
			.addFirst(name.contains(".") ? new MapPropertySource("written", Map.of(name, "hunter2"))
					: new SystemEnvironmentPropertySource("variables", Map.of(name, "hunter2")));
		return ActiveConfiguration.properties(environment, keyed);
	}

	@ParameterizedTest
	@ValueSource(strings = { "HOOKS_TOOLCALL_PRECALL_0_CONFIG_ENV_DB", "HOOKS_TOOL_CALL_PRE_CALL_0_CONFIG_ENV_PGUSER",
			"HOOKS_TOOLCALL_PRECALL_0_CONFIG_ENV", "hooks.tool_call.pre_call[0].config.env.DB",
			"hooks.tool_call.pre_call[0].config.env[0]", "HOOKS_TOOLCALL_PRECALL_0_CONFIG_DBPASS",
			"HOOKS_TOOLCALL_PRECALL_0_CONFIG_DB_PWD", "HOOKS_TOOLCALL_PRECALL_0_CONFIG_PIN",
			"HOOKS_TOOLCALL_PRECALL_0_CONFIG_SENTRY_DSN", "HOOKS_TOOLCALL_PRECALL_0_CONFIG_MONGO_URI",
			"HOOKS_TOOLCALL_PRECALL_0_CONFIG_COOKIE", "HOOKS_TOOLCALL_PRECALL_0_CONFIG_PRIVATE",
			"HOOKS_TOOLCALL_PRECALL_0_CONFIG_SALT", "hooks.tool_call.pre_call[0].config.passphrase",
			"HOOKS_TOOLCALL_PRECALL_0_CONFIG_API_KEY", "HOOKS_TOOLCALL_PRECALL_0_CONFIG_URL",
			"hooks.tool_call.pre_call.house.config.headers.X", "hooks.tool_call.pre_call[0].config.auth",
			"hooks.tool_call.pre_call[a.b].config.password" })
	void hashWithoutAKeyCoversNoPropertyThatMayBeASecret(String name) {
		assertThat(properties(name, false)).doesNotContainKey(name);
		assertThat(properties(name, true)).containsEntry(name, "hunter2");
	}

	@ParameterizedTest
	@ValueSource(strings = { "HOOKS_TOOLCALL_PRECALL_0_ENABLED", "HOOKS_TOOLCALL_PRECALL_0_CONFIG_DENYTOOLS",
			"hooks.tool_call.pre_call[0].config.environment", "hooks.tool_call.pre_call[0].fail_open",
			"hooks.tool_call.pre_call[0].config.deny_argument_patterns.path[0]",
			"hooks.tool_call.pre_call[0].config.deny_argument_patterns.api_key[0]",
			"hooks.tool_call.pre_call[0].config.deny_argument_patterns[auth.token][0]",
			"hooks.tool_call.pre_call[0].authorities[0]", "hooks.tool_call.pre_call.token-guard.config.deny_tools[0]",
			"hooks.tool-call.pre-call[token.guard].config.rules[0].when",
			"hooks.tool_call.pre_call[0].config.rules.private-mail.when" })
	void hashWithoutAKeyCoversWhatIsNoSecret(String name) {
		assertThat(properties(name, false)).containsEntry(name, "hunter2");
	}

	private static String version(String type, String origin) {
		ActiveHooks.Listed hook = new ActiveHooks.Listed(ActiveHooks.Phase.PRE_CALL, "guard", type, origin,
				HookOptions.defaults());
		return ActiveConfiguration.of(ConfigurationHash.plain(), Map.of(), true, Map.of("tool_call", List.of(hook)))
			.version();
	}

	@ParameterizedTest
	@CsvSource(delimiter = ';',
			value = { "policy; application.yaml:6:9; application.yaml:7:11",
					"policy; application.yaml:6:9; file [/srv/b/application.yaml]:6:9",
					"bean; application.yaml:6:9; config/application.yaml:60:9",
					"bean; bean 'guard' (file [/srv/a/Guard.class]); bean 'guard' (file [/srv/b/Guard.class])",
					"bean; bean 'guard' (file [/a/Guard.class]); bean 'guard' (URL [jar:nested:/b.jar!/Guard.class])" })
	void versionIsTheSameWhereverAHookIsWritten(String type, String origin, String other) {
		assertThat(version(type, other)).isEqualTo(version(type, origin));
	}

	@ParameterizedTest
	@CsvSource(delimiter = ';', value = { "bean; bean 'guard' (a.Config.guard()); bean 'guard' (b.Config.guard())",
			"method; method 'guards.check'; method 'guards.other'", "registered; plugin a; plugin b" })
	void versionIsAnotherOneForOtherCode(String type, String origin, String other) {
		assertThat(version(type, other)).isNotEqualTo(version(type, origin));
	}

	@Test
	void recordsSayWhereAHookIsWritten() {
		ActiveHooks.Listed hook = new ActiveHooks.Listed(ActiveHooks.Phase.PRE_CALL, "guard", "policy",
				"application.yaml:6:9", HookOptions.defaults());
		assertThat(ActiveConfiguration.of(ConfigurationHash.plain(), Map.of(), true, Map.of("tool_call", List.of(hook)))
			.members()).asString().contains("application.yaml:6:9");
	}

	@Test
	void valueThatCannotBeATextIsNotRead() {
		StandardEnvironment environment = new StandardEnvironment();
		environment.setConversionService(new ApplicationConversionService());
		environment.getPropertySources()
			.addFirst(new MapPropertySource("code", Map.of("hooks.a", List.of(Map.of("b", "tops3cret")))));
		assertThat(ActiveConfiguration.properties(environment, true)).containsEntry("hooks.a", "unresolved");
	}

}
