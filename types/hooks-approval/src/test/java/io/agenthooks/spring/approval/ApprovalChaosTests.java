package io.agenthooks.spring.approval;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import javax.sql.DataSource;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.sql.init.DatabaseInitializationMode;

import io.agenthooks.spring.jdbc.TestPostgres;
import io.agenthooks.spring.suspend.ApprovalRequest;
import io.agenthooks.spring.suspend.ApprovalState;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two applications on one PostgreSQL, of which one or the other is killed in the middle
 * of its work again and again.
 */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("slow")
class ApprovalChaosTests {

	private static final int QUESTIONS = Integer.getInteger("hooks.test.approval.questions", 100);

	private static final int KILLS = Math.max(6, QUESTIONS / 16);

	/** Few enough that the last kill still meets open questions. */
	private static final int STEPS = Math.max(3, QUESTIONS / KILLS);

	/** How often both nodes find the database away, ten times a second. */
	private static final int AWAY = Math.max(5, QUESTIONS / 5);

	@TempDir
	Path directory;

	private EmbeddedPostgres postgres;

	private final List<Node> nodes = new ArrayList<>();

	@BeforeEach
	void startPostgres() throws IOException {
		this.postgres = TestPostgres.start();
	}

	@AfterEach
	void stopAll() throws Exception {
		for (Node node : this.nodes) {
			node.kill();
		}
		this.postgres.close();
	}

	@Test
	void eachCallRunsAtMostOnceWithItsApprovalsAndNoQuestionIsLost(TestReporter reporter) throws Exception {
		DataSource dataSource = this.postgres.getPostgresDatabase();
		JdbcApprovalAutoConfiguration.initialize(dataSource, DatabaseInitializationMode.ALWAYS);
		long seed = System.nanoTime();
		Map<String, String> figures = new TreeMap<>();
		figures.put("seed", String.valueOf(seed));
		Random random = new Random(seed);
		try (ApprovalStore store = JdbcApprovalStore.open(dataSource, "shop")) {
			for (int i = 0; i < QUESTIONS; i++) {
				// Every tenth is over before anybody reads it.
				Instant now = Instant.now().plusSeconds((i % 10 == 0) ? -7200 : 3600);
				ApprovalStoreContract.asked(store, Questions.question("q" + i, "f" + i, "s", 1 + i % 2, now));
			}
			Node[] active = { start(random), start(random) };
			for (int i = 0; i < KILLS; i++) {
				active[0].allow(STEPS);
				active[1].allow(STEPS);
				int victim = random.nextInt(2);
				Node node = active[victim];
				int lines = node.lines().size() + random.nextInt(2 * STEPS);
				await(() -> node.lines().size() >= lines);
				node.kill();
				active[victim] = start(random);
				if (i == KILLS / 2) {
					active[0].allow(STEPS);
					active[1].allow(STEPS);
					long start = System.nanoTime();
					takeAway(active);
					figures.put("database away", Duration.ofNanos(System.nanoTime() - start).toString());
				}
			}
			active[0].allow(Integer.MAX_VALUE);
			active[1].allow(Integer.MAX_VALUE);
			for (Node node : active) {
				assertThat(node.process().waitFor(5, TimeUnit.MINUTES)).isTrue();
				assertThat(node.lines()).as("seed %d", seed).last().isEqualTo("done");
			}
			check(store, seed);
			figures.put("took", Duration.ofNanos(System.nanoTime() - seed).toString());
			figures.put("questions", String.valueOf(QUESTIONS));
			figures.put("processes killed", String.valueOf(this.nodes.size() - 2));
			figures.put("calls that ran",
					String.valueOf(this.nodes.stream()
						.flatMap((node) -> node.lines().stream())
						.filter((line) -> line.startsWith("ran "))
						.count()));
			store.settled(QUESTIONS)
				.stream()
				.collect(Collectors.groupingBy(ApprovalRequest::state, Collectors.counting()))
				.forEach((state, count) -> figures.put("ended as " + state, String.valueOf(count)));
			reporter.publishEntry(figures);
		}
	}

	/**
	 * Let the database refuse everybody until both nodes have noticed for a while.
	 */
	private void takeAway(Node[] active) throws Exception {
		try (Connection admin = this.postgres.getTemplateDatabase().getConnection();
				Statement statement = admin.createStatement()) {
			statement.execute("ALTER DATABASE postgres ALLOW_CONNECTIONS false");
			statement.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'postgres'");
			for (Node node : active) {
				// One that waits for more steps does not notice.
				node.allow(STEPS);
			}
			for (Node node : active) {
				await(() -> Collections.frequency(node.lines(), "away") >= AWAY);
			}
			statement.execute("ALTER DATABASE postgres ALLOW_CONNECTIONS true");
		}
	}

	private void check(ApprovalStore store, long seed) {
		List<String> ran = this.nodes.stream()
			.flatMap((node) -> node.lines().stream())
			.filter((line) -> line.startsWith("ran "))
			.toList();
		assertThat(ran).as("seed %d", seed).isNotEmpty().doesNotHaveDuplicates();
		assertThat(ran.stream().map((line) -> line.split(" ", 3)[1])).as("seed %d", seed).doesNotHaveDuplicates();
		List<String> claimed = new ArrayList<>();
		for (int i = 0; i < QUESTIONS; i++) {
			ApprovalRequest request = store.find("q" + i).orElseThrow();
			assertThat(request.state()).as("seed %d", seed)
				.isIn((i % 10 == 0) ? List.of(ApprovalState.EXPIRED)
						: List.of(ApprovalState.CLAIMED, ApprovalState.DENIED, ApprovalState.CANCELLED));
			if (request.state() == ApprovalState.CLAIMED) {
				assertThat(ApprovalRules.approvers(request.votes()).size()).as("seed %d", seed)
					.isGreaterThanOrEqualTo(request.approvals());
				claimed.add("ran " + request.id() + " " + request.arguments());
			}
		}
		assertThat(claimed).as("seed %d", seed).containsAll(ran);
		// Only who was killed can have claimed without running, or who did not hear of
		// its claim when the database went away.
		assertThat(claimed.size() - ran.size()).isBetween(0, this.nodes.size() + 2);
		assertThat(store.pending(1)).isEmpty();
		assertThat(store.settled(QUESTIONS + 1)).hasSize(QUESTIONS);
	}

	private Node start(Random random) throws IOException {
		Path output = this.directory.resolve("node" + this.nodes.size());
		String skew = (this.nodes.size() % 2 == 0) ? "PT0S" : "PT1M";
		Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"),
				ApprovalNode.class.getName(), this.postgres.getJdbcUrl("postgres", "postgres"),
				String.valueOf(QUESTIONS), String.valueOf(random.nextLong()), skew)
			.redirectErrorStream(true)
			.redirectOutput(output.toFile())
			.start();
		Node node = new Node(process, output);
		this.nodes.add(node);
		await(() -> node.lines().contains("ready"));
		return node;
	}

	private static void await(Callable<Boolean> condition) {
		Awaitility.await()
			.atMost(ApprovalStoreContract.LONG)
			.pollDelay(0, TimeUnit.MILLISECONDS)
			.pollInterval(1, TimeUnit.MILLISECONDS)
			.until(condition);
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

		void allow(int steps) throws IOException {
			Writer input = this.process.outputWriter();
			input.write(steps + "\n");
			input.flush();
		}

		void kill() throws InterruptedException {
			boolean unused = this.process.destroyForcibly().waitFor(30, TimeUnit.SECONDS);
		}

	}

}
