package io.agenthooks.spring.approval;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Keeps questions in Redis, for all nodes of the application. Each step is one script, in
 * no transaction of the application. All keys have the same hash tag, so that they lie on
 * one node of a cluster, and no time to live, so that a Redis that is full drops others.
 * <p>
 * It ends before the connections to Redis do, which are stopped earlier than beans are
 * destroyed.
 */
final class RedisApprovalStore implements ApprovalStore, SmartLifecycle {

	static final Duration POLL = Duration.ofMillis(250);

	/** The version of the keys that this class knows. */
	static final String VERSION = "2";

	/** Questions may be long, so not all of a list are read at once. */
	private static final int READ_AT_ONCE = 50;

	private static final int FORGOTTEN_AT_ONCE = 500;

	/** Lost races of one question. */
	private static final int MAX_RACES = 100;

	private static final Logger logger = LoggerFactory.getLogger(RedisApprovalStore.class);

	private final RedisSteps steps;

	private final RedisTurnStore turns;

	private final Duration poll;

	private final DatabaseClock clock = new DatabaseClock(this::currentTime);

	/** How many old questions were looked at and are still needed. */
	private final AtomicInteger needed = new AtomicInteger();

	private volatile ApprovalWaits waits;

	/** Listeners to changes of other nodes, from the first wait on. */
	private @Nullable RedisSignals signals;

	private boolean running;

	private RedisApprovalStore(RedisConnectionFactory factory, String keyPrefix, Duration poll) {
		this.steps = new RedisSteps(factory, keyPrefix);
		this.turns = new RedisTurnStore(this.steps, this::find);
		this.poll = poll;
		this.waits = new ApprovalWaits(poll, this::revisions);
	}

	/**
	 * Open the questions.
	 * @param keyPrefix what the keys of all nodes start with
	 * @param poll how often to look what other nodes did, if that is not told
	 * @throws InvalidApprovalStoreException if Redis does not answer, or has keys of
	 * another version
	 */
	static RedisApprovalStore open(RedisConnectionFactory factory, String keyPrefix, Duration poll) {
		RedisApprovalStore store = new RedisApprovalStore(factory, keyPrefix, poll);
		String version;
		try {
			version = store.steps.run(RedisApprovalScripts.VERSION, List.of(store.steps.key("version")), VERSION);
		}
		catch (RuntimeException ex) {
			throw InvalidApprovalStoreException.redisUnreachable(ex);
		}
		if (!VERSION.equals(version)) {
			throw InvalidApprovalStoreException.otherKeys(keyPrefix);
		}
		RedisDurability.warn(factory);
		store.start();
		return store;
	}

	@Override
	public Optional<ApprovalRequest> ask(ApprovalRequest asked, Bounds bounds) {
		KeptQuestion.checkId(asked.id());
		String line = KeptQuestion.write(asked);
		String gone = "";
		for (int i = 0; i < MAX_RACES; i++) {
			String id = this.steps.run(RedisApprovalScripts.ASK,
					this.steps.withOpen(asked, this.steps.question(asked.id()), this.steps.key("open"),
							this.steps.key("places"), this.steps.key("pending"), this.steps.session(asked)),
					asked.id(), asked.fingerprint(), asked.state().name(), String.valueOf(asked.revision()),
					RedisSteps.micros(asked.expiresAt()), RedisSteps.micros(asked.askedAt()), line,
					String.valueOf(bounds.inAll()), String.valueOf(bounds.inSession()), gone, RedisPlaces.of(asked));
			if (id == null) {
				return Optional.empty();
			}
			if (id.equals(asked.id())) {
				return Optional.of(asked);
			}
			Optional<ApprovalRequest> same = find(id);
			if (same.isEmpty()) {
				gone = id;
			}
			else if (same.get().state().isOpen()) {
				return same;
			}
		}
		throw new IllegalStateException("The question about this call kept changing");
	}

	@Override
	public Optional<ApprovalRequest> find(String id) {
		return (KeptQuestion.isId(id)) ? read(List.of(id)).stream().findFirst().map(RedisApprovalStore::request)
				: Optional.empty();
	}

	@Override
	public List<ApprovalRequest> pending(int limit) {
		return list(() -> this.steps.texts(RedisApprovalScripts.FIRST, List.of(this.steps.key("pending")), "+inf", "0",
				String.valueOf(limit)))
			.filter((request) -> request.state().isOpen())
			.toList();
	}

	@Override
	public List<ApprovalRequest> settled(int limit) {
		return list(() -> this.steps.texts(RedisApprovalScripts.LAST, List.of(this.steps.key("settled")),
				String.valueOf(limit)))
			.filter((request) -> !request.state().isOpen())
			.toList();
	}

	@Override
	public List<ApprovalRequest> due(Instant now, int limit) {
		return list(() -> this.steps.texts(RedisApprovalScripts.FIRST, List.of(this.steps.key("due")),
				RedisSteps.micros(now), "0", String.valueOf(limit)))
			.filter((request) -> !ApprovalRules.isEnd(request.state()))
			.toList();
	}

	@Override
	public Optional<ApprovalRequest> remembered(String fingerprint, Instant now) {
		String id = this.steps.run(RedisApprovalScripts.LOOK_UP, List.of(this.steps.key("claimed")), fingerprint);
		return (id != null) ? find(id)
			.filter((request) -> request.fingerprint().equals(fingerprint) && ApprovalRules.isRemembered(request, now))
				: Optional.empty();
	}

	/**
	 * Redis has no index of these: sessions end seldom.
	 */
	@Override
	public List<ApprovalRequest> rememberedOf(String session, Instant now, int limit) {
		List<ApprovalRequest> found = new ArrayList<>();
		List<String> ids = openOf(null, session, Integer.MAX_VALUE);
		for (int from = 0; !ids.isEmpty() && found.size() < limit; from += ids.size()) {
			List<String> some = ids;
			list(() -> some)
				.filter((request) -> request.sessionId().equals(session) && request.rememberFor() != null
						&& (!ApprovalRules.isEnd(request.state()) || ApprovalRules.isRemembered(request, now)))
				.forEach(found::add);
			ids = this.steps.texts(RedisApprovalScripts.FIRST, List.of(this.steps.key("settled")), "+inf",
					String.valueOf(from), String.valueOf(FORGOTTEN_AT_ONCE));
		}
		return found;
	}

	@Override
	public List<String> openOf(@Nullable String run, @Nullable String session, int limit) {
		String key = (run != null) ? this.steps.ofRun(run) : this.steps.ofSession((session != null) ? session : "");
		return this.steps.texts(RedisApprovalScripts.FIRST, List.of(key), "+inf", "0", String.valueOf(limit));
	}

	@Override
	public Clock clock() {
		return this.clock;
	}

	private Instant currentTime() {
		List<String> time = this.steps.texts(RedisApprovalScripts.TIME, List.of(this.steps.key("version")));
		return Instant.ofEpochSecond(Long.parseLong(time.get(0)), Long.parseLong(time.get(1)) * 1_000);
	}

	@Override
	public SuspendedStore suspended() {
		return this.turns;
	}

	/**
	 * A question that cannot be read must not hide the others, and one that somebody
	 * deleted must not take their place for ever.
	 */
	private Stream<ApprovalRequest> list(Supplier<List<String>> search) {
		List<String> ids = search.get();
		List<ApprovalRequest> requests = new ArrayList<>();
		for (int from = 0; from < ids.size(); from += READ_AT_ONCE) {
			List<String> some = ids.subList(from, Math.min(ids.size(), from + READ_AT_ONCE));
			List<KeptQuestion> found = read(some);
			if (found.size() < some.size()) {
				forget(some, "0");
			}
			for (KeptQuestion kept : found) {
				try {
					requests.add(request(kept));
				}
				catch (IllegalStateException ex) {
					logger.warn(ex.getMessage());
				}
			}
		}
		return requests.stream();
	}

	private List<KeptQuestion> read(List<String> ids) {
		List<Object> rows = Objects
			.requireNonNull(this.steps.run(RedisApprovalScripts.READ, this.steps.questions(ids)));
		List<KeptQuestion> found = new ArrayList<>();
		for (int i = 0; i < ids.size(); i++) {
			List<?> row = (List<?>) rows.get(i);
			if (row.get(3) != null) {
				found.add(new KeptQuestion(ids.get(i), RedisSteps.text(row.get(0)), number(row.get(1)),
						RedisSteps.text(row.get(2)), RedisSteps.text(row.get(3))));
			}
		}
		return found;
	}

	private static ApprovalRequest request(KeptQuestion kept) {
		return kept.read("Redis");
	}

	@Override
	public boolean replace(ApprovalRequest was, ApprovalRequest is, Instant now) {
		boolean replaced = Boolean.TRUE.equals(this.steps.run(RedisApprovalScripts.REPLACE,
				this.steps.withOpen(was, this.steps.question(was.id()), this.steps.key("open"),
						this.steps.key("pending"), this.steps.session(was), this.steps.key("settled"),
						this.steps.key("claimed"), this.steps.key("approved")),
				was.id(), String.valueOf(was.revision()), is.state().name(), String.valueOf(is.revision()),
				is.fingerprint(), KeptQuestion.write(is), RedisSteps.micros(now), flag(is.state().isOpen()),
				flag(ApprovalRules.isEnd(is.state())), flag(is.rememberedUntil() != null),
				flag(is.state() == ApprovalState.APPROVED), this.steps.key("changed")));
		if (replaced) {
			this.waits.changed(is.id(), is.revision());
		}
		return replaced;
	}

	@Override
	public void await(String id, int revision, Duration atMost) throws InterruptedException {
		listen();
		this.waits.await(id, revision, atMost);
	}

	private Map<String, Integer> revisions(Set<String> ids) {
		List<String> asked = List.copyOf(ids);
		List<Object> found = Objects
			.requireNonNull(this.steps.run(RedisApprovalScripts.REVISIONS, this.steps.questions(asked)));
		Map<String, Integer> revisions = new HashMap<>();
		for (int i = 0; i < asked.size(); i++) {
			if (found.get(i) != null) {
				revisions.put(asked.get(i), number(found.get(i)));
			}
		}
		return revisions;
	}

	@Override
	public boolean purge(Instant before) {
		String time = RedisSteps.micros(before);
		int from = this.needed.get();
		List<String> ids = this.steps.texts(RedisApprovalScripts.FIRST, List.of(this.steps.key("settled")), "(" + time,
				String.valueOf(from), String.valueOf(FORGOTTEN_AT_ONCE));
		int kept = ids.size() - ((ids.isEmpty()) ? 0 : forget(ids, time));
		boolean more = ids.size() == FORGOTTEN_AT_ONCE;
		this.needed.set((more) ? from + kept : 0);
		return this.turns.purge(before) || more;
	}

	/**
	 * Forget questions, and remove those that somebody deleted from all that has their
	 * ids.
	 * @return how many are no longer there
	 */
	private int forget(List<String> ids, String before) {
		List<String> names = new ArrayList<>(List.of(this.steps.key("settled"), this.steps.key("due"),
				this.steps.key("claimed"), this.steps.key("places")));
		names.addAll(this.steps.questions(ids));
		List<String> arguments = new ArrayList<>(List.of(before));
		arguments.addAll(ids);
		List<String> forgotten = this.steps.texts(RedisApprovalScripts.FORGET, names, arguments.toArray(String[]::new));
		int gone = 0;
		for (int i = 0; i < ids.size(); i++) {
			if (forgotten.get(i).equals("-1")) {
				new RedisPlaces(this.steps).leave(ids.get(i));
			}
			gone += (forgotten.get(i).equals("0")) ? 0 : 1;
		}
		return gone;
	}

	/**
	 * Start to listen to other nodes, unless that was started before. Where nobody waits
	 * on a thread, nobody has to.
	 */
	private synchronized void listen() {
		if (this.running && this.signals == null) {
			this.signals = RedisSignals.listen(this.steps.factory(), this.steps.key("changed"), this.waits);
		}
	}

	@Override
	public synchronized void start() {
		if (!this.running) {
			this.waits = new ApprovalWaits(this.poll, this::revisions);
			this.running = true;
		}
	}

	@Override
	public void stop() {
		close();
	}

	@Override
	public synchronized boolean isRunning() {
		return this.running;
	}

	@Override
	public synchronized void close() {
		this.running = false;
		this.waits.close();
		if (this.signals != null) {
			this.signals.close();
			this.signals = null;
		}
	}

	private static int number(@Nullable Object value) {
		try {
			return Integer.parseInt(RedisSteps.text(value));
		}
		catch (NumberFormatException ex) {
			// Such a question cannot be read.
			return 0;
		}
	}

	private static String flag(boolean value) {
		return (value) ? "1" : "0";
	}

}
