package io.agenthooks.spring.console;

import java.net.http.HttpResponse;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.WebApplicationType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the console in real servers, where nobody logs in.
 */
class ConsoleTests {

	private static final JsonMapper json = new JsonMapper();

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void nothingIsServedUnlessEnabled(WebApplicationType type) throws Exception {
		try (TestConsole console = TestConsole.start(type, List.of(), TestConsole.NO_SECURITY)) {
			assertThat(console.get("/own").statusCode()).isEqualTo(200);
			for (String path : List.of("/hooks", "/hooks/", "/hooks/console.js", "/hooks/settings.json",
					"/io/agenthooks/spring/console/console.html")) {
				// 405 where the application itself answers another method.
				assertThat(console.get(path).statusCode()).as(path).isIn(404, 405);
			}
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void pathAndThatOfTheActuatorMayBeOthers(WebApplicationType type) throws Exception {
		try (TestConsole console = TestConsole.start(type, List.of(), TestConsole.OPEN, TestConsole.NO_SECURITY,
				new String[] { "hooks.console.path=/admin/gate", "management.endpoints.web.base-path=/manage",
						"management.endpoints.web.path-mapping.toolhooks=gate-hooks",
						"management.endpoint.toolhooks.access=unrestricted" })) {
			assertThat(console.get("/hooks").statusCode()).isEqualTo(405);
			assertThat(console.get("/admin/gate").body()).contains("src=\"gate/console.js\"");
			assertThat(console.get("/admin/gate/console.js").statusCode()).isEqualTo(200);
			JsonNode hooks = json.readTree(console.get("/admin/gate/settings.json").body()).at("/endpoints/toolhooks");
			assertThat(hooks.get("url").asString()).isEqualTo("../../manage/gate-hooks");
			assertThat(hooks.get("explain").asBoolean()).isTrue();
			assertThat(hooks.get("switch").asBoolean()).isTrue();
			assertThat(console.get("/manage/gate-hooks").statusCode()).isEqualTo(200);
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void endpointsThatAreNotExposedAreNotNamed(WebApplicationType type) throws Exception {
		try (TestConsole console = TestConsole.start(type, List.of(), TestConsole.OPEN, TestConsole.NO_SECURITY,
				new String[] { "management.endpoints.web.exposure.include=health,toolcalls" })) {
			JsonNode settings = json.readTree(console.get("/hooks/settings.json").body());
			assertThat(settings.get("endpoints").propertyNames()).containsExactly("toolcalls");
		}
	}

	@Test
	void explainTakesEveryTextOfTheForm() throws Exception {
		try (TestConsole console = TestConsole.startReal(WebApplicationType.SERVLET, List.of(), TestConsole.OPEN,
				TestConsole.NO_SECURITY, new String[] { "management.endpoint.toolhooks.access=unrestricted" })) {
			Map<String, String> texts = new LinkedHashMap<>();
			Pattern.compile("<input id=\"explain-[^>]* name=\"([a-z_]+)\"")
				.matcher(console.get("/hooks").body())
				.results()
				.map((found) -> found.group(1))
				.filter((name) -> !List.of("authorities", "claims").contains(name))
				.forEach((name) -> texts.put(name, "x"));
			assertThat(texts).containsKeys("tool_name", "server", "server_tool", "session_id");
			HttpResponse<String> answer = console.post("/actuator/toolhooks", json.writeValueAsString(texts));
			assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
			assertThat(console.get("/hooks/explain.js").body()).contains(texts.keySet());
		}
	}

	@Nested
	class InMvc extends Served {

		@Override
		WebApplicationType type() {
			return WebApplicationType.SERVLET;
		}

	}

	@Nested
	class InWebFlux extends Served {

		@Override
		WebApplicationType type() {
			return WebApplicationType.REACTIVE;
		}

	}

	@TestInstance(TestInstance.Lifecycle.PER_CLASS)
	abstract static class Served {

		private TestConsole console;

		abstract WebApplicationType type();

		@BeforeAll
		void start() {
			this.console = TestConsole.start(type(), List.of(), TestConsole.OPEN, TestConsole.NO_SECURITY);
		}

		@AfterAll
		void stop() {
			this.console.close();
		}

		@Test
		void pageAndItsFilesAreServed() throws Exception {
			HttpResponse<String> page = this.console.get("/hooks");
			assertThat(page.statusCode()).isEqualTo(200);
			assertThat(page.headers().firstValue("Content-Type"))
				.hasValueSatisfying((type) -> assertThat(type).startsWith("text/html"));
			List<String> files = Pattern.compile("(?:href|src)=\"(hooks/[^\"]+)\"")
				.matcher(page.body())
				.results()
				.map((found) -> found.group(1))
				.distinct()
				.toList();
			assertThat(files).contains("hooks/console.js", "hooks/console.css", "hooks/icon.svg");
			for (String file : ConsoleFiles.TYPES.keySet()) {
				HttpResponse<String> found = this.console.get("/hooks/" + file);
				assertThat(found.statusCode()).as(file).isEqualTo(200);
				assertThat(found.body()).as(file).isNotBlank();
				assertThat(found.headers().firstValue("Content-Type")).as(file)
					.hasValueSatisfying((type) -> assertThat(type).contains(ConsoleFiles.TYPES.get(file).getSubtype()));
			}
		}

		@ParameterizedTest
		@ValueSource(strings = { "/hooks", "/hooks/", "/hooks/console.js", "/hooks/settings.json" })
		void everyAnswerIsForbiddenToDoMore(String path) throws Exception {
			HttpResponse<String> answer = this.console.get(path);
			assertThat(answer.headers().allValues("Content-Security-Policy")).containsExactly(
					"default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; "
							+ "base-uri 'none'; form-action 'self'; frame-ancestors 'none'");
			assertThat(answer.headers().allValues("X-Content-Type-Options")).containsExactly("nosniff");
			assertThat(answer.headers().allValues("Referrer-Policy")).containsExactly("no-referrer");
			assertThat(answer.headers().allValues("Cache-Control")).containsExactly("no-store");
		}

		@Test
		void pageHasNoScriptAndNoStyleOfItsOwn() throws Exception {
			String page = this.console.get("/hooks").body();
			assertThat(Pattern.compile("<script(?![^>]* src=)|<style|\\sstyle=|\\son\\w+=|javascript:|https?://")
				.matcher(page)
				.find()).isFalse();
			for (String file : ConsoleFiles.TYPES.keySet()) {
				if (file.endsWith(".js")) {
					assertThat(this.console.get("/hooks/" + file).body()).as(file)
						.doesNotContainPattern(
								"\\.innerHTML|outerHTML|insertAdjacentHTML|document\\.write|eval\\(|new Function");
				}
			}
		}

		@Test
		void addressWithASlashAtItsEndLeadsToThePage() throws Exception {
			HttpResponse<String> answer = this.console.get("/hooks/");
			assertThat(answer.statusCode()).isEqualTo(302);
			assertThat(answer.headers().firstValue("Location")).hasValue("../hooks");
		}

		@ParameterizedTest
		@ValueSource(strings = { "/hooks/console.html", "/hooks/ConsoleConfig.class", "/hooks/..%2fapplication.yaml",
				"/hooks/%2e%2e/%2e%2e/application.yaml", "/hooks/..;/application.yaml", "/hooks/../console/console.js",
				"/hooks//console.js", "/hooks/sub/console.js", "/hooks/console.js%00.css", "/hooks/.%5c..%5cconsole.js",
				"/hooks/package-info.class", "/io/agenthooks/spring/console/console.js", "/console.js" })
		void nothingElseIsServed(String path) throws Exception {
			HttpResponse<String> answer = this.console.get(path);
			assertThat(answer.statusCode()).as(answer.body()).isBetween(400, 404);
		}

		@Test
		void whatTheApplicationHasBelowThePathStays() throws Exception {
			assertThat(this.console.get("/hooks/own").body()).isEqualTo("own");
			assertThat(this.console.post("/hooks", "{}").body()).isEqualTo("posted");
		}

		@Test
		void settingsSayWhereTheEndpointsAreAndWhatTheyAllow() throws Exception {
			JsonNode settings = json.readTree(this.console.get("/hooks/settings.json").body());
			assertThat(settings.get("actuator").asBoolean()).isTrue();
			assertThat(settings.get("insecure").asBoolean()).isTrue();
			assertThat(settings.get("csrf").isNull()).isTrue();
			assertThat(settings.get("endpoints").propertyNames()).containsExactlyInAnyOrder("toolcalls", "toolhooks");
			JsonNode hooks = settings.at("/endpoints/toolhooks");
			assertThat(hooks.get("url").asString()).isEqualTo("../actuator/toolhooks");
			assertThat(hooks.get("explain").asBoolean()).isFalse();
			assertThat(hooks.get("switch").asBoolean()).isFalse();
		}

	}

}
