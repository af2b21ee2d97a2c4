package io.agenthooks.spring.console;

import java.net.http.HttpResponse;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.WebApplicationType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of who may open the console, and of what it makes of the security of the
 * application.
 */
class ConsoleSecurityTests {

	private static final JsonMapper json = new JsonMapper();

	private static final String[] ON = { "hooks.console.enabled=true" };

	private static final String[] WRITING = { "hooks.console.enabled=true",
			"management.endpoint.toolhooks.access=unrestricted" };

	private static TestConsole start(WebApplicationType type, Class<?> mvc, Class<?> webFlux, String[] properties) {
		boolean servlet = type == WebApplicationType.SERVLET;
		return TestConsole.start(type, (servlet) ? List.of(TestSecurity.MvcUsers.class, mvc)
				: List.of(TestSecurity.WebFluxUsers.class, webFlux), properties);
	}

	private static int status(TestConsole console, String path, String... headers) throws Exception {
		return console.get(path, headers).statusCode();
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void withoutAChainOfTheApplicationThatOfSpringBootDecides(WebApplicationType type) throws Exception {
		try (TestConsole console = start(type, Object.class, Object.class, ON)) {
			for (String path : List.of("/hooks", "/hooks/console.js", "/hooks/settings.json", "/own")) {
				assertThat(status(console, path)).as(path).isEqualTo(401);
				assertThat(status(console, path, TestConsole.as("ann"))).as(path).isEqualTo(200);
			}
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void withoutAChainForItsPathTheConsoleWantsItsAuthority(WebApplicationType type) throws Exception {
		try (TestConsole console = start(type, TestSecurity.MvcActuatorOnly.class,
				TestSecurity.WebFluxActuatorOnly.class, ON)) {
			for (String path : List.of("/hooks", "/hooks/", "/hooks/console.js", "/hooks/settings.json")) {
				assertThat(status(console, path)).as(path).isEqualTo(401);
				assertThat(status(console, path, TestConsole.as("ann"))).as(path).isEqualTo(403);
				assertThat(status(console, path, TestConsole.as("boss"))).as(path).isIn(200, 302);
			}
			assertThat(status(console, "/own")).isEqualTo(200);
			assertThat(status(console, "/hooks/own")).isEqualTo(200);
			assertThat(console.post("/hooks", "{}").statusCode()).isEqualTo(200);
			assertThat(status(console, "/actuator/toolcalls")).isEqualTo(401);
			assertThat(status(console, "/actuator/toolcalls", TestConsole.as("ann"))).isEqualTo(200);
		}
	}

	/**
	 * A path in another spelling is served behind the same chain, or not at all. The
	 * chain in this application is for some paths only: what is spelled in another way
	 * passes no chain.
	 */
	@ParameterizedTest
	@CsvSource({ "SERVLET, false", "SERVLET, true", "REACTIVE, false", "REACTIVE, true" })
	void noOtherSpellingOfAPathLeadsAroundTheChain(WebApplicationType type, boolean anyCase) throws Exception {
		List<Class<?>> beans = (type == WebApplicationType.SERVLET)
				? List.of(TestSecurity.MvcUsers.class, TestSecurity.MvcActuatorOnly.class,
						(anyCase) ? TestSecurity.MvcAnyCase.class : Object.class)
				: List.of(TestSecurity.WebFluxUsers.class, TestSecurity.WebFluxActuatorOnly.class,
						(anyCase) ? TestSecurity.WebFluxAnyCase.class : Object.class);
		try (TestConsole console = TestConsole.start(type, beans, WRITING)) {
			assertThat(status(console, (anyCase) ? "/OWN" : "/own")).isEqualTo(200);
			for (String path : List.of("/HOOKS", "/Hooks", "/Hooks/", "/hooks//", "//hooks", "/%68ooks", "/hooks;a=b",
					"/hooks/;a=b", "/hooks%2f", "/hooks/Settings.json", "/hooks/settings.JSON", "/HOOKS/settings.json",
					"/hooks/settings.json/", "/hooks/settings.json;a", "/hooks/settings%2ejson",
					"/hooks/settings%2Ejson", "/hooks//settings.json", "/hooks/./settings.json",
					"/hooks/x/../settings.json", "/hooks;x/settings.json", "/hooks/Console.js", "/hooks/console.js/",
					"/hooks/%63onsole.js", "/actuator/TOOLCALLS", "/ACTUATOR/toolcalls", "/Actuator/toolcalls",
					"/actuator/toolcalls/", "/ACTUATOR/toolcalls/", "/actuator/%74oolcalls", "/%61ctuator/toolcalls",
					"/actuator;a=b/toolcalls", "/actuator/toolcalls;a=b", "//actuator/toolcalls",
					"/actuator//toolcalls", "/x/../actuator/toolcalls", "/actuator%2ftoolcalls",
					"/ACTUATOR/toolcalls/c-1", "/Actuator/toolhooks")) {
				assertThat(status(console, path)).as(path).isIn(400, 401, 403, 404, 405);
			}
			for (String path : List.of("/ACTUATOR/toolhooks/switch", "/actuator/toolhooks/switch/",
					"/Actuator/toolhooks/switch", "/%61ctuator/toolhooks/switch")) {
				assertThat(console.post(path, "{\"enabled\": false}").statusCode()).as(path)
					.isIn(400, 401, 403, 404, 405);
				assertThat(console.bean(StandIns.Hooks.class).enabled).as(path).isTrue();
			}
			assertThat(status(console, "/hooks", TestConsole.as("boss"))).isEqualTo(200);
			assertThat(status(console, "/hooks/settings.json", TestConsole.as("boss"))).isEqualTo(200);
		}
	}

	@Test
	void applicationBelowAPathServesTheConsoleThereAndNowhereElse() throws Exception {
		for (String property : List.of("server.servlet.context-path=/app", "spring.mvc.servlet.path=/app")) {
			try (TestConsole console = TestConsole.start(WebApplicationType.SERVLET,
					List.of(TestSecurity.MvcUsers.class, TestSecurity.MvcActuatorOnly.class), ON,
					new String[] { property })) {
				assertThat(status(console, "/app/hooks")).as(property).isEqualTo(401);
				assertThat(status(console, "/app/HOOKS")).as(property).isIn(401, 404);
				assertThat(status(console, "/hooks", TestConsole.as("boss"))).as(property).isEqualTo(404);
				for (String path : List.of("/app/hooks", "/app/hooks/settings.json", "/app/hooks/console.js")) {
					assertThat(status(console, path, TestConsole.as("boss"))).as(property + path).isEqualTo(200);
				}
			}
		}
		try (TestConsole console = TestConsole.start(WebApplicationType.REACTIVE,
				List.of(TestSecurity.WebFluxUsers.class, TestSecurity.WebFluxActuatorOnly.class), ON,
				new String[] { "spring.webflux.base-path=/app" })) {
			assertThat(status(console, "/app/hooks")).isEqualTo(401);
			assertThat(status(console, "/app/hooks", TestConsole.as("boss"))).isEqualTo(200);
			assertThat(status(console, "/app/hooks/settings.json", TestConsole.as("boss"))).isEqualTo(200);
		}
	}

	@Test
	void applicationWithoutPasswordsStartsAndKeepsTheConsoleShut() throws Exception {
		try (TestConsole console = TestConsole.start(WebApplicationType.REACTIVE,
				List.of(TestSecurity.WebFluxBearers.class), ON)) {
			assertThat(status(console, "/hooks")).isEqualTo(401);
			assertThat(status(console, "/hooks", TestConsole.as("ann"))).isEqualTo(401);
			assertThat(status(console, "/own")).isEqualTo(200);
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void authorityMayBeAnother(WebApplicationType type) throws Exception {
		try (TestConsole console = start(type, TestSecurity.MvcActuatorOnly.class,
				TestSecurity.WebFluxActuatorOnly.class,
				new String[] { "hooks.console.enabled=true", "hooks.console.authority=ROLE_USER" })) {
			assertThat(status(console, "/hooks")).isEqualTo(401);
			assertThat(status(console, "/hooks", TestConsole.as("ann"))).isEqualTo(200);
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void chainOfTheApplicationDecidesAndStaysWhatItIs(WebApplicationType type) throws Exception {
		try (TestConsole console = start(type, TestSecurity.MvcPermissive.class, TestSecurity.WebFluxPermissive.class,
				WRITING)) {
			assertThat(status(console, "/hooks")).isEqualTo(200);
			assertThat(status(console, "/own")).isEqualTo(401);
			assertThat(status(console, "/own", TestConsole.as("ann"))).isEqualTo(200);
			assertThat(console.post("/actuator/toolhooks/switch", "{\"enabled\": false}").statusCode()).isEqualTo(403);
			assertThat(console.bean(StandIns.Hooks.class).enabled).isTrue();
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void postWithoutTheTokenIsRefusedAndWithItIsNot(WebApplicationType type) throws Exception {
		try (TestConsole console = start(type, Object.class, Object.class, WRITING)) {
			String path = "/actuator/toolhooks/switch";
			String off = "{\"enabled\": false}";
			// Of the error page of Spring MVC, which wants a login of its own, the status
			// is 401.
			assertThat(console.post(path, off, TestConsole.as("ann")).statusCode())
				.isEqualTo((type == WebApplicationType.SERVLET) ? 401 : 403);
			assertThat(console.bean(StandIns.Hooks.class).enabled).isTrue();

			HttpResponse<String> answer = console.get("/hooks/settings.json", TestConsole.as("ann"));
			JsonNode settings = json.readTree(answer.body());
			assertThat(settings.get("user").asString()).isEqualTo("ann");
			assertThat(settings.get("insecure").asBoolean()).isFalse();
			String cookie = answer.headers().firstValue("Set-Cookie").orElseThrow().split(";", 2)[0];
			String[] withToken = TestConsole.and(TestConsole.as("ann"), "Cookie", cookie,
					settings.at("/csrf/header").asString(), settings.at("/csrf/token").asString());
			assertThat(console.post(path, off, withToken).statusCode()).isEqualTo(200);
			assertThat(console.bean(StandIns.Hooks.class).enabled).isFalse();
		}
	}

	@Test
	void tokenMayBeInACookieAsPagesWithScriptsWantIt() throws Exception {
		try (TestConsole console = start(WebApplicationType.SERVLET, TestSecurity.MvcCookies.class, Object.class,
				WRITING)) {
			HttpResponse<String> answer = console.get("/hooks/settings.json", TestConsole.as("ann"));
			String cookie = answer.headers()
				.allValues("Set-Cookie")
				.stream()
				.filter((each) -> each.startsWith("XSRF-TOKEN="))
				.findFirst()
				.orElseThrow()
				.split(";", 2)[0];
			String header = json.readTree(answer.body()).at("/csrf/header").asString();
			assertThat(header).isEqualTo("X-XSRF-TOKEN");
			String[] withToken = TestConsole.and(TestConsole.as("ann"), "Cookie", cookie, header,
					cookie.substring("XSRF-TOKEN=".length()));
			assertThat(console.post("/actuator/toolhooks/switch", "{\"enabled\": false}", withToken).statusCode())
				.isEqualTo(200);
		}
	}

}
