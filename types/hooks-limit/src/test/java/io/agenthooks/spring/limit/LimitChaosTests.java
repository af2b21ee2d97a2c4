package io.agenthooks.spring.limit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.agenthooks.spring.jdbc.TestPostgres;
import io.agenthooks.spring.state.TestRedis;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Several applications on one store, of which one is killed in the middle of its work, or
 * whose store is restarted.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("slow")
class LimitChaosTests {

	private static final List<String> KINDS = List.of("limit", "budget", "loop");

	/** Enough for what takes long. */
	private static final List<String> SOME = List.of("limit", "budget");

	/** Many, for Redis is quick. */
	private static final int CALLS = 1_500;

	private static final Duration LONG = Duration.ofSeconds(90);

	@TempDir
	static Path shared;

	private static EmbeddedPostgres postgres;

	private static TestRedis redis;

	@TempDir
	Path directory;

	private final List<Node> nodes = new ArrayList<>();

	@BeforeAll
	static void startStores() throws IOException {
		postgres = TestPostgres.start();
		redis = TestRedis.start(shared);
	}

	@AfterAll
	static void stopStores() throws IOException {
		postgres.close();
		redis.close();
	}

	@BeforeEach
	void forgetAll() {
		StringRedisTemplate template = redis.template();
		template.delete(Objects.requireNonNull(template.keys("*")));
	}

	@AfterEach
	void killAll() throws InterruptedException {
		for (Node node : this.nodes) {
			node.kill();
		}
	}

	@Test
	void exactlySoManyPassOnOnePostgres() throws Exception {
		exactlySoManyPass(emptyPostgres(), 600);
	}

	@Test
	void exactlySoManyPassOnOneRedis() throws Exception {
		exactlySoManyPass(String.valueOf(redis.port()), CALLS);
	}

	private void exactlySoManyPass(String address, int calls) throws Exception {
		start(3, String.join("+", KINDS), calls, address, LimitNode.THREADS, 0);
		go();
		Node victim = this.nodes.get(0);
		await(() -> KINDS.stream().allMatch((what) -> victim.count(what + " passed") >= 20));
		victim.kill();
		for (Node node : this.nodes.subList(1, 3)) {
			node.end();
		}
		for (String what : KINDS) {
			for (Node node : this.nodes.subList(1, 3)) {
				assertThat(node.count(what + " passed")).isPositive();
				assertThat(node.count(what + " failed")).isZero();
			}
			// What the killed node had in hand counts, whether it said so or not.
			assertThat(count(what + " passed")).isBetween(calls - LimitNode.THREADS, calls);
		}
	}

	@Test
	void exactlySoManyOfAHundredCallersPassAtOnce() throws Exception {
		for (String address : List.of(emptyPostgres(), String.valueOf(redis.port()))) {
			this.nodes.clear();
			start(2, String.join(",", KINDS), 30, address, 50, 1);
			for (int round = 1; round <= KINDS.size(); round++) {
				int rounds = round;
				go();
				await(() -> count("round done") == 2 * rounds);
			}
			for (Node node : this.nodes) {
				node.end();
			}
			for (String what : KINDS) {
				assertThat(count(what + " failed")).isZero();
				assertThat(count(what + " passed")).isEqualTo(30);
			}
		}
	}

	@Test
	void notOneMorePassesIfRedisIsRestarted() throws Exception {
		try (TestRedis durable = TestRedis.startDurable(this.directory)) {
			start(2, String.join("+", KINDS), CALLS, String.valueOf(durable.port()), LimitNode.THREADS, 0);
			go();
			await(() -> areAllInTheMiddle(KINDS));
			durable.stop();
			durable.restart();
			assertThatNotOneMorePassed(KINDS, CALLS);
		}
	}

	@Test
	void notOneMorePassesIfPostgresIsRestarted() throws Exception {
		Path data = this.directory.resolve("postgres");
		int port = TestPostgres.portThatStaysFree();
		try (EmbeddedPostgres own = postgres(data).setPort(port).start()) {
			start(2, String.join("+", SOME), 600, address(own), LimitNode.THREADS, 0);
			go();
			await(() -> areAllInTheMiddle(SOME));
		}
		try (EmbeddedPostgres own = postgres(data).setPort(port).start()) {
			assertThatNotOneMorePassed(SOME, 600);
			assertThat(own.getPort()).isEqualTo(port);
		}
	}

	private boolean areAllInTheMiddle(List<String> kinds) {
		return kinds.stream().allMatch((what) -> count(what + " passed") >= 60);
	}

	private static EmbeddedPostgres.Builder postgres(Path data) {
		return EmbeddedPostgres.builder().setPGStartupWait(LONG).setDataDirectory(data).setCleanDataDirectory(false);
	}

	/**
	 * A call of which the answer was lost may have been counted. The client of Redis
	 * repeats commands, so that such a call may have been counted twice.
	 */
	private void assertThatNotOneMorePassed(List<String> kinds, int calls) throws InterruptedException {
		for (Node node : this.nodes) {
			node.end();
		}
		for (String what : kinds) {
			int lost = 2 * count(what + " failed") + 2 * LimitNode.THREADS * this.nodes.size();
			assertThat(count(what + " passed")).isBetween(calls - lost, calls);
		}
	}

	@Test
	void neverMoreRunAtTheSameTimeOnOnePostgres() throws Exception {
		neverMoreRunAtTheSameTime(emptyPostgres());
	}

	@Test
	void neverMoreRunAtTheSameTimeOnOneRedis() throws Exception {
		neverMoreRunAtTheSameTime(String.valueOf(redis.port()));
	}

	private void neverMoreRunAtTheSameTime(String address) throws Exception {
		Path running = running();
		start(3, "slots", 0, address, LimitNode.THREADS, 0);
		go();
		Node victim = this.nodes.get(0);
		await(() -> victim.count("slots passed") >= 20);
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
			assertThat(node.count("slots failed")).isZero();
		}
		assertThat(count("too many")).isZero();
	}

	/**
	 * The address of the database that tests share, with nothing in it.
	 */
	private static String emptyPostgres() {
		String address = address(postgres);
		JdbcClient.create(postgres.getPostgresDatabase()).sql("delete from agent_hooks_limit").update();
		return address;
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

	private void start(int nodes, String what, int calls, String address, int threads, int tries) throws IOException {
		for (int i = 0; i < nodes; i++) {
			Path output = Files.createTempFile(this.directory, "node", ".txt");
			Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
					"-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp",
					System.getProperty("java.class.path"), LimitNode.class.getName(), what, String.valueOf(calls),
					address, String.valueOf(threads), String.valueOf(tries), running().toString())
				.redirectErrorStream(true)
				.redirectOutput(output.toFile())
				.start();
			this.nodes.add(new Node(process, output));
		}
		await(() -> this.nodes.stream().allMatch((node) -> node.lines().contains("ready")));
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
