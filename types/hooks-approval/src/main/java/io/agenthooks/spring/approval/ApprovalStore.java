package io.agenthooks.spring.approval;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.suspend.ApprovalRequest;

/**
 * Keeps questions. What becomes of one is decided by {@link ApprovalRules}; a store only
 * sees to it that of two changes of one revision exactly one counts.
 */
interface ApprovalStore extends AutoCloseable {

	/**
	 * Keep a question, unless the same call of the same session already waits for people.
	 * One whose time is over is still there until somebody replaces it, but does not
	 * count.
	 */
	Optional<ApprovalRequest> ask(ApprovalRequest asked, Bounds bounds);

	/** The result that asking would have, without keeping the question. */
	Optional<ApprovalRequest> wouldAsk(ApprovalRequest asked, Bounds bounds);

	Optional<ApprovalRequest> find(String id);

	/** The one that expires first comes first. Of some, the time may be over. */
	List<ApprovalRequest> pending(int limit);

	/** Questions that no longer wait, the last settled first. */
	List<ApprovalRequest> settled(int limit);

	/** Questions at no end whose time is over: whoever asked may be gone. */
	List<ApprovalRequest> due(Instant now, int limit);

	/**
	 * The last question whose decision is remembered for exactly this call or for its
	 * tool; one that was denied, if there are several.
	 * @param fingerprint that of the call about which people decided
	 * @param toolKey that of its tool, or an empty text
	 */
	Optional<ApprovalRequest> remembered(String fingerprint, String toolKey, Instant now);

	/** Questions whose decision is remembered, or will be if people decide now. */
	List<ApprovalRequest> rememberedOf(String session, Instant now, int limit);

	/**
	 * The ids of questions of a run, or of a session if no run is given, that are at no
	 * end, the one that expires first first. Some may be gone, or be none that can be
	 * read.
	 */
	List<String> openOf(@Nullable String run, @Nullable String session, int limit);

	/** The same for all that share the store. */
	Clock clock();

	/**
	 * The store of suspended turns, or {@code null} if this store forgets all at the end
	 * of the application.
	 */
	@Nullable SuspendedStore suspended();

	/** Put a question in place of its last revision, in one step. */
	boolean replace(ApprovalRequest was, ApprovalRequest is, Instant now);

	/**
	 * Wait until a question changes. It may come back earlier, so the caller reads the
	 * question again.
	 */
	void await(String id, int revision, Duration atMost) throws InterruptedException;

	/**
	 * Forget some that were settled before, and their turns; {@code true} if there may be
	 * more.
	 */
	boolean purge(Instant before);

	@Override
	void close();

	record Bounds(int inAll, int inSession) {
	}

}
