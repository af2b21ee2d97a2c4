package io.agenthooks.spring.approval;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.suspend.ApprovalRefusedException;
import io.agenthooks.spring.suspend.ApprovalRequest;
import io.agenthooks.spring.suspend.ApprovalState;
import io.agenthooks.spring.suspend.CallPreview;

/** Keeps questions in this process: they are lost at a restart. */
final class MemoryApprovalStore implements ApprovalStore {

	/** So many settled questions are kept, and fewer if they are large. */
	static final int MAX_SETTLED = 1_000;

	/** The approximate memory of all questions: their arguments may be large. */
	static final long MAX_BYTES = 64 * 1024 * 1024;

	/** The memory of a question beside its texts. */
	private static final long BASE = 1_024;

	private static final long BYTES_PER_CHARACTER = 2;

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	/** By what they were asked with: people may edit the arguments. */
	private final Map<String, String> idsOfPending = new HashMap<>();

	private final Map<String, ApprovalRequest> pending = new HashMap<>();

	/** The last settled last. */
	private final Map<String, Settled> settled = new LinkedHashMap<>();

	private final long maxBytes;

	/** The memory of all questions. */
	private long bytes;

	/** The memory of the questions that somebody waits for: they are never dropped. */
	private long needed;

	private boolean closed;

	MemoryApprovalStore() {
		this(MAX_BYTES);
	}

	MemoryApprovalStore(long maxBytes) {
		this.maxBytes = maxBytes;
	}

	@Override
	public Optional<ApprovalRequest> ask(ApprovalRequest asked, Bounds bounds) {
		return locked(() -> {
			Optional<ApprovalRequest> same = sameOrRoom(asked, bounds);
			if (same.isEmpty() || !same.get().id().equals(asked.id())) {
				return same;
			}
			this.pending.put(asked.id(), asked);
			count(asked, 1);
			this.idsOfPending.put(asked.fingerprint(), asked.id());
			forgetSome();
			this.changed.signalAll();
			return Optional.of(asked);
		});
	}

	@Override
	public Optional<ApprovalRequest> wouldAsk(ApprovalRequest asked, Bounds bounds) {
		return locked(() -> sameOrRoom(asked, bounds));
	}

	private Optional<ApprovalRequest> sameOrRoom(ApprovalRequest asked, Bounds bounds) {
		ApprovalRequest same = this.pending.get(this.idsOfPending.get(asked.fingerprint()));
		if (same != null) {
			return Optional.of(same);
		}
		if (isTooMany(asked, bounds)) {
			return Optional.empty();
		}
		if (this.needed + weight(asked) > this.maxBytes) {
			throw new NoRoomException();
		}
		return Optional.of(asked);
	}

	private void count(ApprovalRequest request, int sign) {
		long weight = sign * weight(request);
		this.bytes += weight;
		this.needed += (ApprovalRules.isEnd(request.state())) ? 0 : weight;
	}

	private static long weight(ApprovalRequest request) {
		long characters = request.arguments().length() + request.reason().length() + request.sessionId().length()
				+ request.callId().length() + length(request.runId()) + length(request.agent()) + length(request.user())
				+ length(request.tool().server()) + request.tool().name().length()
				+ request.tool().modelName().length();
		characters += request.tool().otherNames().stream().mapToLong(String::length).sum();
		characters += request.earlierCalls().stream().mapToLong(String::length).sum();
		characters += request.askers()
			.stream()
			.mapToLong((asker) -> asker.hook().length() + length(asker.rule()))
			.sum();
		characters += request.approvers().authorities().stream().flatMap(Set::stream).mapToLong(String::length).sum();
		characters += request.votes()
			.stream()
			.mapToLong((vote) -> vote.person().length() + length(vote.reason()))
			.sum();
		characters += length(request.brief().template()) + length(request.brief().description());
		characters += Stream.concat(request.brief().order().stream(), request.brief().about().stream())
			.mapToLong(String::length)
			.sum();
		characters += length(request.effect().version()) + weight(request.effect().preview());
		return BASE + BYTES_PER_CHARACTER * characters;
	}

	private static long weight(@Nullable CallPreview preview) {
		if (preview == null) {
			return 0;
		}
		return preview.digest().length() + length(preview.text()) + length(preview.missing())
				+ Stream.concat(preview.columns().stream(), preview.rows().stream().flatMap(List::stream))
					.mapToLong((cell) -> BASE / 20 + cell.length())
					.sum();
	}

	private static long length(@Nullable String text) {
		return (text != null) ? text.length() : 0;
	}

	private boolean isTooMany(ApprovalRequest asked, Bounds bounds) {
		int inAll = 0;
		int inSession = 0;
		for (ApprovalRequest request : this.pending.values()) {
			if (!ApprovalRules.isDue(request, asked.askedAt())) {
				inAll++;
				inSession += (request.sessionId().equals(asked.sessionId())) ? 1 : 0;
			}
		}
		return inAll >= bounds.inAll() || inSession >= bounds.inSession();
	}

	@Override
	public Optional<ApprovalRequest> find(String id) {
		return locked(() -> Optional.ofNullable(last(id)));
	}

	@Override
	public List<ApprovalRequest> pending(int limit) {
		return locked(() -> this.pending.values()
			.stream()
			.sorted(Comparator.comparing(ApprovalRequest::expiresAt).thenComparing(ApprovalRequest::id))
			.limit(limit)
			.toList());
	}

	@Override
	public List<ApprovalRequest> settled(int limit) {
		return locked(() -> this.settled.values()
			.stream()
			.sorted(Comparator.comparing(Settled::at).reversed())
			.limit(limit)
			.map(Settled::request)
			.toList());
	}

	@Override
	public List<ApprovalRequest> due(Instant now, int limit) {
		return locked(() -> all()
			.filter((request) -> !ApprovalRules.isEnd(request.state()) && ApprovalRules.isDue(request, now))
			.limit(limit)
			.toList());
	}

	@Override
	public Optional<ApprovalRequest> remembered(String fingerprint, String toolKey, Instant now) {
		return locked(() -> this.settled.values()
			.stream()
			.filter((kept) -> (kept.request().fingerprint().equals(fingerprint)
					|| RememberedDecisions.isOfTool(kept.request(), toolKey))
					&& ApprovalRules.isRemembered(kept.request(), now))
			.max(Comparator.comparing((Settled kept) -> kept.request().state() == ApprovalState.DENIED)
				.thenComparing(Settled::at))
			.map(Settled::request));
	}

	@Override
	public List<ApprovalRequest> rememberedOf(String session, Instant now, int limit) {
		return locked(() -> all()
			.filter((request) -> request.sessionId().equals(session) && request.rememberFor() != null
					&& (!ApprovalRules.isEnd(request.state()) || ApprovalRules.isRemembered(request, now)))
			.limit(limit)
			.toList());
	}

	private Stream<ApprovalRequest> all() {
		return Stream.concat(this.pending.values().stream(), this.settled.values().stream().map(Settled::request));
	}

	@Override
	public List<String> openOf(@Nullable String run, @Nullable String session, int limit) {
		return locked(() -> all().filter((request) -> !ApprovalRules.isEnd(request.state()))
			.filter((request) -> (run != null) ? run.equals(request.runId())
					: request.sessionId().equals((session != null) ? session : ""))
			.sorted(Comparator.comparing(ApprovalRequest::expiresAt).thenComparing(ApprovalRequest::id))
			.limit(limit)
			.map(ApprovalRequest::id)
			.toList());
	}

	@Override
	public Clock clock() {
		return Clock.systemUTC();
	}

	@Override
	public @Nullable SuspendedStore suspended() {
		return null;
	}

	@Override
	public boolean replace(ApprovalRequest was, ApprovalRequest is, Instant now) {
		return locked(() -> {
			ApprovalRequest last = last(was.id());
			if (last == null || last.revision() != was.revision()) {
				return false;
			}
			if (is.arguments().length() > last.arguments().length()
					&& this.needed - weight(last) + weight(is) > this.maxBytes) {
				throw new ApprovalRefusedException(ApprovalRefusedException.Reason.INVALID_EDIT,
						"The questions that wait leave no room for arguments of this length.", List.of());
			}
			count(last, -1);
			count(is, 1);
			put(is, now);
			return true;
		});
	}

	private void put(ApprovalRequest request, Instant now) {
		String id = request.id();
		if (request.state().isOpen()) {
			this.pending.put(id, request);
			forgetSome();
		}
		else {
			this.pending.remove(id);
			this.idsOfPending.values().remove(id);
			this.settled.remove(id);
			this.settled.put(id, new Settled(request, now));
			forgetSome();
		}
		this.changed.signalAll();
	}

	/**
	 * Forget the oldest settled questions as long as there are too many, or all take too
	 * much. What is approved and not yet claimed stays.
	 */
	private void forgetSome() {
		Iterator<Settled> oldest = this.settled.values().iterator();
		while ((this.settled.size() > MAX_SETTLED || this.bytes > this.maxBytes) && oldest.hasNext()) {
			ApprovalRequest request = oldest.next().request();
			if (ApprovalRules.isEnd(request.state())) {
				oldest.remove();
				count(request, -1);
			}
		}
	}

	private @Nullable ApprovalRequest last(String id) {
		ApprovalRequest request = this.pending.get(id);
		if (request != null) {
			return request;
		}
		Settled kept = this.settled.get(id);
		return (kept != null) ? kept.request() : null;
	}

	@Override
	public void await(String id, int revision, Duration atMost) throws InterruptedException {
		long nanos = TimeUnit.NANOSECONDS.convert(atMost);
		this.lock.lockInterruptibly();
		try {
			while (true) {
				checkOpen();
				ApprovalRequest last = last(id);
				if (last == null || last.revision() != revision || nanos <= 0) {
					return;
				}
				nanos = this.changed.awaitNanos(nanos);
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public boolean purge(Instant before) {
		return locked(() -> {
			Iterator<Settled> all = this.settled.values().iterator();
			while (all.hasNext()) {
				Settled kept = all.next();
				if (kept.at().isBefore(before) && ApprovalRules.isEnd(kept.request().state())) {
					all.remove();
					count(kept.request(), -1);
				}
			}
			return false;
		});
	}

	@Override
	public void close() {
		this.lock.lock();
		try {
			this.closed = true;
			this.changed.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	private void checkOpen() {
		if (this.closed) {
			throw new IllegalStateException("The application is shutting down, so no call waits for people.");
		}
	}

	private <T> T locked(Supplier<T> work) {
		this.lock.lock();
		try {
			return Objects.requireNonNull(work.get());
		}
		finally {
			this.lock.unlock();
		}
	}

	/** A question that no longer waits. */
	private record Settled(ApprovalRequest request, Instant at) {
	}

}
