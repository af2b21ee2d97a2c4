package io.agenthooks.spring.webhook;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.util.unit.DataSize;
import org.springframework.web.reactive.function.client.WebClient;

import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.spring.HookCounts;
import io.agenthooks.spring.HookOptions;
import io.agenthooks.spring.ToolHookFactory;
import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.ToolHook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Tests for {@link WebhookConfig} and {@link WebhookSettings}.
 */
class WebhookConfigTests {

	private static final String URL = "https://h/hook";

	@Test
	void defaultsAreThoseOfTheSeed() {
		WebhookSettings settings = WebhookSettings.of(Webhooks.config(URL));
		assertThat(settings.timeout()).isEqualTo(Duration.ofSeconds(5));
		assertThat(settings.failOpen()).isTrue();
		assertThat(settings.notifications()).isTrue();
		assertThat(settings.authHeader()).isNull();
		assertThat(settings.maxResponseBytes()).isEqualTo(262_144);
		assertThat(settings.maxConcurrent()).isEqualTo(64);
		assertThat(settings.signingKeys()).isEmpty();
	}

	@Test
	void optionsAreBoundByTheirNamesInYaml() {
		assertThat(Webhooks.config(URL, "auth_header=Bearer x", "timeout=750ms", "fail_open=false", "notify=false",
				"notify_unasked_arguments=true", "max_response_size=1MB", "max_concurrent=2", "signing_secret=s"))
			.isEqualTo(new WebhookConfig(URL, "Bearer x", Duration.ofMillis(750), false, false, true,
					DataSize.ofMegabytes(1), 2, "s", null, null, null, null));
	}

	@Test
	void timeoutWithoutUnitIsInSeconds() {
		assertThat(Webhooks.config(URL, "timeout=5").timeout()).isEqualTo(Duration.ofSeconds(5));
	}

	@ParameterizedTest
	@ValueSource(strings = { "http://h", "HTTPS://h", "http://127.0.0.1:1", "http://[::1]:65535/a/b?c=d%20e",
			"https://h.example.com./x?token=s" })
	void urlIsAccepted(String url) {
		assertThat(WebhookSettings.of(Webhooks.config(url)).url()).hasToString(url);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "''|missing", "h|start with", "//h/x|start with", "ftp://h|start with",
			"file:///etc/passwd|start with", "http:h|no valid host", "http://|not a valid address",
			"http:///x|no valid host", "https://ho st/|not a valid address", "https://${HOST}/|not a valid address",
			"https://my_service/x|no valid host", "https://u:secret@h/x|user name", "https://secret@h/x|user name",
			"https://u:secret@my_service/x|user name", "https://h/x#secret|fragment", "https://h:0/|port",
			"https://h:65536/|port", "https://h:99999999999/|no valid host", "https://h\u00e4user/|no valid host",
			"https://h/?token=secret word|not a valid address" })
	void urlIsRefused(String url, String message) {
		List<Problem> problems = problems(url);
		assertThat(problems).singleElement().satisfies((problem) -> {
			assertThat(problem.path()).containsExactly("url");
			assertThat(problem.message()).contains(message);
			assertThat(problem.toString()).doesNotContain("secret");
		});
	}

	@Test
	void missingUrlIsRefused() {
		WebhookConfig config = new WebhookConfig(null, null, null, null, null, null, null, null, null, null, null, null,
				null);
		assertThat(catchThrowableOfType(InvalidHookConfigException.class, () -> WebhookSettings.of(config)))
			.hasMessageContaining("The url is missing");
	}

	// B21 and its neighbours
	@ParameterizedTest
	@ValueSource(strings = { "Bearer abc\r\n", "Bearer abc\n", "Bearer \r\nX: y", "Bearer ab\u0000c", "Bearer ",
			" Bearer abc", "Bearer abc\t", "Bearer \u00e4", "Bearer \u2028", "Bearer abc\u007f", " " })
	void authHeaderIsRefused(String header) {
		WebhookConfig config = new WebhookConfig(URL, header, null, null, null, null, null, null, null, null, null,
				null, null);
		InvalidHookConfigException ex = catchThrowableOfType(InvalidHookConfigException.class,
				() -> WebhookSettings.of(config));
		assertThat(ex.getProblems()).singleElement()
			.satisfies((problem) -> assertThat(problem.path()).containsExactly("auth_header"));
		assertThat(ex.toString()).doesNotContain("abc");
	}

	@Test
	void emptyAuthHeaderIsNone() {
		assertThat(WebhookSettings.of(Webhooks.config(URL, "auth_header=")).authHeader()).isNull();
	}

	// B29
	@ParameterizedTest
	@ValueSource(strings = { "0", "0ms", "-1", "-1ms", "301", "5000", "300001ms", "1000000000", "10d" })
	void timeoutIsRefused(String timeout) {
		assertThat(problems(URL, "timeout=" + timeout)).singleElement()
			.satisfies((problem) -> assertThat(problem.path()).containsExactly("timeout"));
	}

	@Test
	void timeoutThatMeansMillisecondsIsRefusedWithHint() {
		assertThat(problems(URL, "timeout=5000")).singleElement()
			.satisfies((problem) -> assertThat(problem.action()).contains("did you mean 5000ms?"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "1ms", "300", "300s", "5m" })
	void timeoutIsAccepted(String timeout) {
		assertThat(WebhookSettings.of(Webhooks.config(URL, "timeout=" + timeout)).timeout()).isPositive();
	}

	@ParameterizedTest
	@CsvSource({ "max_response_size, 0B", "max_response_size, -1B", "max_response_size, 65MB", "max_concurrent, 0",
			"max_concurrent, -1", "max_concurrent, 10001", "signing_secret, ''", "signing_secret, whsec_",
			"signing_secret, whsec_c2VjcmV0", "signing_secret, not Base64!",
			"signing_secret, whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
			"signing_secret, changemechangemechangemechangeme",
			"signing_secret, whsec_Y2hhbmdlbWVjaGFuZ2VtZWNoYW5nZW1lY2hhbmdlbWU=",
			"signing_secret, whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw mysecretmysecretmysecretmysecret",
			"signing_secret, 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw '", "signing_secret, whsec_${WEBHOOK_SECRET}" })
	void valueIsRefused(String option, String value) {
		assertThat(problems(URL, option + "=" + value)).singleElement().satisfies((problem) -> {
			assertThat(problem.path()).containsExactly(option);
			assertThat(problem.toString()).doesNotContain("c2VjcmV0", "MfKQ", "AAAA", "changeme", "Y2hh", "mysecret");
		});
	}

	@ParameterizedTest
	@CsvSource({ "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw, 1", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw, 1",
			"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=, 2" })
	void signingSecretIsAccepted(String secret, int keys) {
		assertThat(WebhookSettings.of(Webhooks.config(URL, "signing_secret=" + secret)).signingKeys()).hasSize(keys);
	}

	@Test
	void allProblemsAreReportedAtOnce() {
		assertThat(problems("ftp://h", "auth_header=Bearer ", "timeout=0", "max_concurrent=0", "max_response_size=0B",
				"signing_secret=x"))
			.extracting((problem) -> problem.path().get(0))
			.containsExactly("url", "auth_header", "timeout", "max_response_size", "max_concurrent", "signing_secret");
	}

	@Test
	void toStringHidesSecrets() {
		WebhookConfig config = Webhooks.config("https://u:secret@h/p?token=secret#secret", "auth_header=secret",
				"signing_secret=secret");
		assertThat(config.toString()).doesNotContain("secret").contains("url=https://***@h/p?***", "authHeader=***");
		assertThat(WebhookSettings.of(Webhooks.config("https://h/?token=secret", "auth_header=secret")).toString())
			.doesNotContain("secret");
	}

	@Test
	void hookWithoutNotificationsOnlyDecides() throws Exception {
		try (WebhookToolHook deciding = Webhooks.hook(URL, "notify=false"); WebhookToolHook both = Webhooks.hook(URL)) {
			assertThat(deciding).isNotInstanceOf(PostToolHook.class);
			assertThat(both).isInstanceOf(HookCounts.class);
			assertThat(both.name()).isEqualTo("guard");
		}
	}

	@Test
	void warnsOnlyIfFailOpenIsNotWritten() {
		try (WebhookToolHook hook = Webhooks.hook(URL)) {
			assertThat(hook.preCallWarnings(HookOptions.defaults())).singleElement()
				.satisfies((warning) -> assertThat(warning).contains("'guard'", "fail_open: false"));
		}
		try (WebhookToolHook hook = Webhooks.hook(URL, "fail_open=true")) {
			assertThat(hook.preCallWarnings(HookOptions.defaults())).isEmpty();
		}
		try (WebhookToolHook hook = Webhooks.hook(URL, "fail_open=false")) {
			assertThat(hook.preCallWarnings(HookOptions.defaults())).isEmpty();
		}
	}

	@Test
	void factoryMakesHooksOfTypeWebhook() {
		ToolHookFactory<WebhookConfig> factory = new WebhookEndpoints(WebClient::builder, List.of()).toolHooks();
		assertThat(factory.type()).isEqualTo("webhook");
		assertThat(factory.configType()).isEqualTo(WebhookConfig.class);
	}

	private static List<Problem> problems(String url, String... options) {
		WebhookConfig config = Webhooks.config(url, options);
		InvalidHookConfigException ex = catchThrowableOfType(InvalidHookConfigException.class, () -> {
			ToolHook hook = new WebhookEndpoints(WebClient::builder, List.of()).toolHooks().create("guard", config);
			((WebhookToolHook) hook).close();
		});
		assertThat(ex).isNotNull();
		return ex.getProblems();
	}

}
