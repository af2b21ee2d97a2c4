package io.agenthooks.spring.approval;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.PayloadApplicationEvent;

import io.agenthooks.spring.approval.ApprovalStreams.Bounds;
import io.agenthooks.spring.approval.ApprovalStreams.Stream;
import io.agenthooks.spring.approval.TestApprovalServer.Events;
import io.agenthooks.spring.suspend.ApprovalRequest;
import io.agenthooks.spring.suspend.Person;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of the events that tell people about questions.
 */
class ApprovalStreamsTests {

	private static final String PATH = TestApprovalServer.PATH;

	private static final Person ANN = new Person("ann", Set.of(MemoryApprovals.APPROVER));

	private static final Duration LONG = Duration.ofHours(1);

	private final List<ApprovalStreams> all = new ArrayList<>();

	@AfterEach
	void stop() {
		this.all.forEach(ApprovalStreams::stop);
	}

	private ApprovalStreams start(int clients, int waiting, Duration heartbeat, Duration lifetime) {
		ApprovalStreams streams = new ApprovalStreams(new MemoryApprovals((event) -> {
		}), new Bounds(clients, waiting, heartbeat, lifetime));
		streams.start();
		this.all.add(streams);
		return streams;
	}

	private void tell(ApprovalStreams streams, ApprovalRequest request) {
		streams.onApplicationEvent(new PayloadApplicationEvent<>(this, new ApprovalChangedEvent(request)));
	}

	private static ApprovalRequest question(int number) {
		return MemoryApprovals.question("q-" + number, "carl", "{\"to\":\"ada\"}");
	}

	private static List<String> names(List<String> lines) {
		return lines.stream().filter((line) -> line.startsWith("event: ")).toList();
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void clientHearsWhatIsAskedAndSettledAndOthersHearNothing(WebApplicationType type) throws Exception {
		try (TestApprovalServer server = TestApprovalServer.startWithoutTokens(type);
				Events ann = server.events(TestApprovalServer.as("ann"));
				Events eve = server.events(TestApprovalServer.as("eve"));
				Events nobody = server.events()) {
			assertThat(ann.status()).isEqualTo(200);
			assertThat(ann.response().headers().firstValue("Content-Type").orElseThrow())
				.startsWith("text/event-stream");
			assertThat(ann.response().headers().allValues("Cache-Control")).containsExactly("no-store");
			assertThat(eve.status()).isEqualTo(403);
			assertThat(nobody.status()).isEqualTo(401);
			await().untilAsserted(() -> assertThat(ann.lines()).contains("retry: 3000"));

			server.approvals().ask("q-1");
			await().untilAsserted(() -> assertThat(names(ann.lines())).containsExactly("event: asked"));
			assertThat(ann.lines()).contains("id: q-1:1")
				.anyMatch((line) -> line.startsWith("data: {\"id\":\"q-1\",\"state\":\"pending\"")
						&& line.contains("\"arguments\":{\"to\":\"ada\"}") && line.contains("\"may_decide\":true"));
			server.post(PATH + "/q-1", "{\"verdict\": \"deny\"}", TestApprovalServer.as("bob"));
			await()
				.untilAsserted(() -> assertThat(names(ann.lines())).containsExactly("event: asked", "event: settled"));
			assertThat(ann.lines())
				.anyMatch((line) -> line.startsWith("data: {\"id\":\"q-1\",\"state\":\"denied\",\"revision\":2"));
			assertThat(eve.lines()).noneMatch((line) -> line.contains("q-1"));
			assertThat(nobody.lines()).noneMatch((line) -> line.contains("q-1"));
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void shutdownEndsStreamsAndDoesNotWaitForThem(WebApplicationType type) throws Exception {
		TestApprovalServer server = TestApprovalServer.startWithoutTokens(type);
		try (Events ann = server.events(TestApprovalServer.as("ann"))) {
			await().untilAsserted(() -> assertThat(ann.lines()).contains("retry: 3000"));
			long before = System.nanoTime();
			server.close();
			// The server would wait for 30 seconds.
			assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(20));
			await().untilAsserted(() -> assertThat(ann.ended()).as("%s", ann.lines()).isTrue());
		}
		finally {
			server.close();
		}
	}

	@Test
	void nobodyTakesThePlacesOfAllOthers() {
		try (TestApprovalServer server = TestApprovalServer.startWithoutTokens(WebApplicationType.SERVLET)) {
			ApprovalStreams streams = server.context().getBean(ApprovalStreams.class);
			for (int i = 0; i < 10; i++) {
				assertThat(streams.open(ANN)).isNotNull();
			}
			assertThat(streams.open(ANN)).isNull();
			assertThat(streams.open(new Person("bob", Set.of()))).isNotNull();
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void clientWhoIsOneTooManyIsToldSoAndPlacesBecomeFree(WebApplicationType type) throws Exception {
		try (TestApprovalServer server = TestApprovalServer.startWithoutTokens(type)) {
			ApprovalStreams streams = server.context().getBean(ApprovalStreams.class);
			List<Stream> taken = new ArrayList<>();
			for (int i = 0; i < Bounds.DEFAULT.clients(); i++) {
				taken.add(Objects.requireNonNull(streams.open(new Person("person-" + i, Set.of()))));
			}
			assertThat(streams.open(ANN)).isNull();
			try (Events ann = server.events(TestApprovalServer.as("ann"))) {
				assertThat(ann.status()).isEqualTo(503);
			}
			taken.get(0).close();
			try (Events ann = server.events(TestApprovalServer.as("ann"))) {
				assertThat(ann.status()).isEqualTo(200);
			}
		}
	}

	@Test
	void sameChangeIsToldOnce() {
		ApprovalStreams streams = start(1, 100, LONG, LONG);
		Recorder client = new Recorder();
		Objects.requireNonNull(streams.open(ANN)).connect(client);
		tell(streams, question(1));
		tell(streams, question(1));
		tell(streams, question(2));
		await().untilAsserted(() -> assertThat(client.ids()).containsExactly("id: q-1:1", "id: q-2:1"));
	}

	@Test
	void clientThatDoesNotKeepUpIsCutOffAndOthersAreNot() {
		ApprovalStreams streams = start(2, 3, LONG, LONG);
		Recorder slow = new Recorder();
		slow.reading = new CountDownLatch(1);
		Recorder quick = new Recorder();
		Objects.requireNonNull(streams.open(ANN)).connect(slow);
		Objects.requireNonNull(streams.open(ANN)).connect(quick);
		for (int i = 1; i <= 5; i++) {
			tell(streams, question(i));
			String id = "id: q-" + i + ":1";
			await().untilAsserted(() -> assertThat(quick.ids()).contains(id));
		}
		assertThat(streams.open(ANN)).as("its thread may still write").isNull();
		assertThat(quick.ended).isFalse();
		slow.reading.countDown();
		await().untilAsserted(() -> assertThat(slow.ended).isTrue());
		assertThat(slow.ids()).isEmpty();
		assertThat(streams.open(ANN)).isNotNull();
	}

	@Test
	void placeOfClientThatNeverConnectsBecomesFree() {
		ApprovalStreams streams = start(1, 10, LONG, Duration.ofMillis(1));
		assertThat(streams.open(ANN)).isNotNull();
		await().untilAsserted(() -> assertThat(streams.open(ANN)).isNotNull());
	}

	@Test
	void closedStreamServesNobody() {
		ApprovalStreams streams = start(1, 10, LONG, LONG);
		Stream stream = Objects.requireNonNull(streams.open(ANN));
		stream.close();
		Recorder client = new Recorder();
		stream.connect(client);
		assertThat(client.ended).isTrue();
		assertThat(client.written).isEmpty();
		assertThat(streams.open(ANN)).isNotNull();
	}

	@Test
	void clientThatIsGoneIsFoundByASignOfLife() {
		ApprovalStreams streams = start(1, 10, Duration.ofMillis(20), LONG);
		Recorder client = new Recorder();
		Objects.requireNonNull(streams.open(ANN)).connect(client);
		await().untilAsserted(() -> assertThat(client.written).contains(":\n\n"));
		client.broken = true;
		await().untilAsserted(() -> assertThat(client.ended).isTrue());
		assertThat(streams.open(ANN)).isNotNull();
	}

	@Test
	void clientHasToConnectAgainAfterAWhile() {
		ApprovalStreams streams = start(1, 10, Duration.ofMillis(20), Duration.ofMillis(100));
		Recorder client = new Recorder();
		Objects.requireNonNull(streams.open(ANN)).connect(client);
		await().untilAsserted(() -> assertThat(client.ended).isTrue());
	}

	@Test
	void clientThatConnectsWhileTheApplicationStopsIsEnded() {
		ApprovalStreams streams = start(1, 10, LONG, LONG);
		Stream stream = Objects.requireNonNull(streams.open(ANN));
		streams.stop();
		Recorder client = new Recorder();
		stream.connect(client);
		assertThat(client.ended).isTrue();
		assertThat(streams.open(ANN)).isNull();
	}

	/**
	 * Keeps what it gets.
	 */
	private static final class Recorder implements ApprovalStreams.Client {

		private final Queue<String> written = new ConcurrentLinkedQueue<>();

		private CountDownLatch reading = new CountDownLatch(0);

		private volatile boolean broken;

		private volatile boolean ended;

		@Override
		public void write(byte[] bytes) throws IOException {
			if (this.broken) {
				throw new IOException("gone");
			}
			try {
				this.reading.await();
			}
			catch (InterruptedException ex) {
				throw new IOException(ex);
			}
			this.written.add(new String(bytes, StandardCharsets.UTF_8));
		}

		@Override
		public void end() {
			this.ended = true;
		}

		List<String> ids() {
			return this.written.stream().flatMap(String::lines).filter((line) -> line.startsWith("id: ")).toList();
		}

	}

}
