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
import java.util.stream.Stream;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.sql.init.DatabaseInitializationMode;

import io.agenthooks.spring.approval.TestPostgres;
import io.agenthooks.spring.approval.TestRedis;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Several applications on one store, of which one is killed in the middle of its work, or
 * whose store is restarted.
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

	@ParameterizedTest
	@ValueSource(strings = { "limit", "budget" })
	void exactlySoManyPassOnOnePostgres(String what) throws Exception {
		try (EmbeddedPostgres postgres = TestPostgres.start()) {
			exactlySoManyPass(what, address(postgres));
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "limit", "budget" })
	void exactlySoManyPassOnOneRedis(String what) throws Exception {
		try (TestRedis redis = TestRedis.start(this.directory)) {
			exactlySoManyPass(what, String.valueOf(redis.port()));
		}
	}

	private void exactlySoManyPass(String what, String address) throws Exception {
		for (int i = 0; i < 3; i++) {
			start(what, CALLS, address, LimitNode.THREADS, 0);
		}
		go();
		Node victim = this.nodes.get(0);
		await(() -> victim.count("passed") >= 20);
		victim.kill();
		for (Node node : this.nodes.subList(1, 3)) {
			node.end();
			assertThat(node.count("passed")).isPositive();
			assertThat(node.count("failed")).isZero();
		}
		// What the killed node had in hand counts, whether it said so or not.
		assertThat(count("passed")).isBetween(CALLS - LimitNode.THREADS, CALLS);
	}

	@ParameterizedTest
	@ValueSource(strings = { "limit", "budget" })
	void exactlySoManyOfAHundredCallersPassAtOnce(String what) throws Exception {
		try (EmbeddedPostgres postgres = TestPostgres.start(); TestRedis redis = TestRedis.start(this.directory)) {
			for (String address : List.of(address(postgres), String.valueOf(redis.port()))) {
				this.nodes.clear();
				start(what, 30, address, 50, 1);
				start(what, 30, address, 50, 1);
				go();
				for (Node node : this.nodes) {
					node.end();
				}
				assertThat(count("failed")).isZero();
				assertThat(count("passed")).isEqualTo(30);
			}
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "limit", "budget" })
	void notOneMorePassesIfRedisIsRestarted(String what) throws Exception {
		try (TestRedis redis = TestRedis.startDurable(this.directory)) {
			start(what, CALLS, String.valueOf(redis.port()), LimitNode.THREADS, 0);
			start(what, CALLS, String.valueOf(redis.port()), LimitNode.THREADS, 0);
			go();
			await(() -> count("passed") >= 100);
			redis.stop();
			redis.restart();
			assertThatNotOneMorePassed();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "limit", "budget" })
	void notOneMorePassesIfPostgresIsRestarted(String what) throws Exception {
		Path data = this.directory.resolve("postgres");
		int port;
		try (EmbeddedPostgres postgres = postgres(data).start()) {
			port = postgres.getPort();
			String address = address(postgres);
			start(what, CALLS, address, LimitNode.THREADS, 0);
			start(what, CALLS, address, LimitNode.THREADS, 0);
			go();
			await(() -> count("passed") >= 100);
		}
		try (EmbeddedPostgres postgres = postgres(data).setPort(port).start()) {
			assertThatNotOneMorePassed();
			assertThat(postgres.getPort()).isEqualTo(port);
		}
	}

	private static EmbeddedPostgres.Builder postgres(Path data) {
		return EmbeddedPostgres.builder().setPGStartupWait(LONG).setDataDirectory(data).setCleanDataDirectory(false);
	}

	/**
	 * A call of which the answer was lost may have been counted. The client of Redis
	 * repeats commands, so that such a call may have been counted twice.
	 */
	private void assertThatNotOneMorePassed() throws InterruptedException {
		for (Node node : this.nodes) {
			node.end();
		}
		int lost = 2 * count("failed") + 2 * LimitNode.THREADS * this.nodes.size();
		assertThat(count("passed")).isBetween(CALLS - lost, CALLS);
	}

	@Test
	void neverMoreRunAtTheSameTimeOnOnePostgres() throws Exception {
		try (EmbeddedPostgres postgres = TestPostgres.start()) {
			neverMoreRunAtTheSameTime(address(postgres));
		}
	}

	@Test
	void neverMoreRunAtTheSameTimeOnOneRedis() throws Exception {
		try (TestRedis redis = TestRedis.start(this.directory)) {
			neverMoreRunAtTheSameTime(String.valueOf(redis.port()));
		}
	}

	private void neverMoreRunAtTheSameTime(String address) throws Exception {
		Path running = running();
		for (int i = 0; i < 3; i++) {
			start("slots", 0, address, LimitNode.THREADS, 0);
		}
		go();
		Node victim = this.nodes.get(0);
		await(() -> victim.count("passed") >= 20);
		victim.kill();
		try (Stream<Path> files = Files.list(running)) {
			for (Path file : files.toList()) {
				if (file.getFileName().toString().startsWith(victim.process().pid() + "-")) {
					Files.delete(file);
				}
			}
		}
		for (Node node : this.nodes.subList(1, 3)) {
			node.end();
			assertThat(node.count("failed")).isZero();
		}
		assertThat(count("too many")).isZero();
	}

	private static String address(EmbeddedPostgres postgres) {
		JdbcLimitAutoConfiguration.initialize(postgres.getPostgresDatabase(), DatabaseInitializationMode.ALWAYS);
		return postgres.getJdbcUrl("postgres", "postgres");
	}

	private Path running() throws IOException {
		return Files.createDirectories(this.directory.resolve("running"));
	}

	private int count(String line) {
		return this.nodes.stream().mapToInt((node) -> node.count(line)).sum();
	}

	private void start(String what, int calls, String address, int threads, int tries) throws IOException {
		Path output = Files.createTempFile(this.directory, "node", ".txt");
		Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-Xmx128m", "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path"), LimitNode.class.getName(),
				what, String.valueOf(calls), address, String.valueOf(threads), String.valueOf(tries),
				running().toString())
			.redirectErrorStream(true)
			.redirectOutput(output.toFile())
			.start();
		Node node = new Node(process, output);
		this.nodes.add(node);
		await(() -> node.lines().contains("ready"));
	}

	private void go() throws IOException {
		for (Node node : this.nodes) {
			node.process().outputWriter().append('\n').flush();
		}
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

		void end() throws InterruptedException {
			assertThat(this.process.waitFor(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
			assertThat(lines()).contains("done");
		}

		void kill() throws InterruptedException {
			boolean unused = this.process.destroyForcibly().waitFor(30, TimeUnit.SECONDS);
		}

	}

}
