package io.agenthooks.spring.limit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.sql.init.DatabaseInitializationMode;

import io.agenthooks.spring.approval.TestPostgres;
import io.agenthooks.spring.approval.TestRedis;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Three applications on one store, of which one is killed in the middle of its work.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LimitChaosTests {

	private static final int CALLS = 1_500;

	private static final Duration LONG = Duration.ofSeconds(90);

	@TempDir
	Path directory;

	private final List<Node> nodes = new ArrayList<>();

	@AfterEach
	void killAll() throws InterruptedException {
		for (Node node : this.nodes) {
			node.kill();
		}
	}

	@Test
	void exactlySoManyPassOnOnePostgres() throws Exception {
		try (EmbeddedPostgres postgres = TestPostgres.start()) {
			JdbcLimitAutoConfiguration.initialize(postgres.getPostgresDatabase(), DatabaseInitializationMode.ALWAYS);
			exactlySoManyPass(postgres.getJdbcUrl("postgres", "postgres"));
		}
	}

	@Test
	void exactlySoManyPassOnOneRedis() throws Exception {
		try (TestRedis redis = TestRedis.start(this.directory)) {
			exactlySoManyPass(String.valueOf(redis.port()));
		}
	}

	private void exactlySoManyPass(String address) throws Exception {
		for (int i = 0; i < 3; i++) {
			start(address);
		}
		for (Node node : this.nodes) {
			node.process().outputWriter().append('\n').flush();
		}
		Node victim = this.nodes.get(0);
		await(() -> victim.count("passed") >= 20);
		victim.kill();
		for (Node node : this.nodes.subList(1, 3)) {
			assertThat(node.process().waitFor(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
			assertThat(node.lines()).contains("done");
			assertThat(node.count("passed")).isPositive();
		}
		int passed = this.nodes.stream().mapToInt((node) -> node.count("passed")).sum();
		// What the killed node had in hand counts, whether it said so or not.
		assertThat(passed).isBetween(CALLS - LimitNode.THREADS, CALLS);
	}

	private void start(String address) throws IOException {
		Path output = this.directory.resolve("node" + this.nodes.size());
		Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-Xmx128m", "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path"), LimitNode.class.getName(),
				CALLS + " per session", address)
			.redirectErrorStream(true)
			.redirectOutput(output.toFile())
			.start();
		Node node = new Node(process, output);
		this.nodes.add(node);
		await(() -> node.lines().contains("ready"));
	}

	private static void await(Callable<Boolean> condition) {
		Awaitility.await().atMost(LONG).pollInterval(5, TimeUnit.MILLISECONDS).until(condition);
	}

	private record Node(Process process, Path output) {

		/**
		 * What it said, but for a line that it was killed in.
		 */
		List<String> lines() {
			try {
				String text = Files.readString(this.output);
				return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
			}
			catch (IOException ex) {
				throw new IllegalStateException(ex);
			}
		}

		int count(String line) {
			return Collections.frequency(lines(), line);
		}

		void kill() throws InterruptedException {
			boolean unused = this.process.destroyForcibly().waitFor(30, TimeUnit.SECONDS);
		}

	}

}
