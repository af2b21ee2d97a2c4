package io.agenthooks.sample;

import java.nio.file.Path;
import java.time.Duration;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.util.TestSocketUtils;
import org.springframework.test.web.reactive.server.WebTestClient;

/**
 * Tests of the console of the sample, into which nobody has to log in.
 */
class ConsolePageTests {

	private static final int port = TestSocketUtils.findAvailableTcpPort();

	private static final WebTestClient client = WebTestClient.bindToServer()
		.responseTimeout(Duration.ofSeconds(30))
		.baseUrl("http://127.0.0.1:" + port)
		.build();

	@TempDir
	private static Path workspace;

	private static ConfigurableApplicationContext sample;

	@BeforeAll
	static void start() {
		sample = SpringApplication.run(SampleApplication.class, "--sample.script=false", "--server.port=" + port,
				"--sample.workspace=" + workspace);
	}

	@AfterAll
	static void stop() {
		sample.close();
	}

	@Test
	void consoleIsThere() {
		client.get().uri("/hooks").exchange().expectStatus().isOk();
		client.get()
			.uri("/hooks/settings.json")
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.insecure")
			.isEqualTo(true);
	}

	@Test
	void consoleIsForThisMachine() {
		client.get().uri("/hooks").header("Host", "evil.example").exchange().expectStatus().isForbidden();
	}

}
