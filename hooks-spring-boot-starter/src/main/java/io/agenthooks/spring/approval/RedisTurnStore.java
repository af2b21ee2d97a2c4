package io.agenthooks.spring.approval;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import io.agenthooks.SafeText;
import io.agenthooks.spring.approval.SuspendedTurn.Reply;
import io.agenthooks.spring.json.InvalidJsonException;

/**
 * Keeps turns in Redis. The result of a call stands with its question and with its turn,
 * which both are written in one step: so of two nodes that bring the last results of a
 * turn, the last one sees both.
 */
final class RedisTurnStore implements SuspendedStore {

	private static final String CALL = "call:";

	private static final int FORGOTTEN_AT_ONCE = 100;

	/** Questions that come to other turns all the time. */
	private static final int MAX_RACES = 100;

	private final RedisSteps steps;

	private final Function<String, Optional<ApprovalRequest>> questions;

	/** How many old turns were looked at and are still needed. */
	private final AtomicInteger needed = new AtomicInteger();

	/**
	 * Create it.
	 * @param questions finds a question
	 */
	RedisTurnStore(RedisSteps steps, Function<String, Optional<ApprovalRequest>> questions) {
		this.steps = steps;
		this.questions = questions;
	}

	@Override
	public Optional<ApprovalRequest> approved(String fingerprint) {
		String id = this.steps.run(RedisApprovalScripts.LOOK_UP, List.of(this.steps.key("approved")), fingerprint);
		return (id != null) ? this.questions.apply(id).filter((request) -> request.state() == ApprovalState.APPROVED)
				: Optional.empty();
	}

	@Override
	public void keep(String id, SuspendedTurn turn, Instant now) {
		String json = TurnJson.write(turn);
		if (!TurnJson.read(json).equals(turn)) {
			throw new IllegalStateException("The turn has characters that cannot be kept");
		}
		List<String> asked = turn.replies()
			.stream()
			.filter(Reply::isWaiting)
			.map((reply) -> Objects.requireNonNull(reply.approvalId()))
			.distinct()
			.toList();
		asked.forEach(KeptQuestion::checkId);
		String refused = "";
		for (int i = 0; i < MAX_RACES; i++) {
			List<String> keys = new ArrayList<>(List.of(this.steps.turn(id), this.steps.key("turns")));
			List<String> arguments = new ArrayList<>(List.of(id, json, RedisSteps.micros(now)));
			for (String question : asked) {
				String before = turnOf(question);
				keys.add(this.steps.question(question));
				keys.add(this.steps.turn((before.isEmpty()) ? id : before));
				arguments.add(question);
				arguments.add(before);
			}
			refused = RedisSteps.text(this.steps.run(RedisTurnScripts.KEEP, keys, arguments.toArray(String[]::new)));
			if (refused.equals("kept")) {
				return;
			}
			if (this.questions.apply(refused).isEmpty()) {
				break;
			}
		}
		throw gone(refused);
	}

	/**
	 * The id of the turn that a question belongs to at the moment, or nothing.
	 */
	private String turnOf(String question) {
		return RedisSteps
			.text(this.steps.run(RedisApprovalScripts.LOOK_UP, List.of(this.steps.question(question)), "turn"));
	}

	@Override
	public Kept find(ApprovalRequest request) {
		return record(request, "", Instant.EPOCH);
	}

	@Override
	public Kept record(ApprovalRequest request, Result result, Instant now) {
		return record(request, TurnJson.write(result), now);
	}

	private Kept record(ApprovalRequest request, String result, Instant now) {
		for (int i = 0; i < MAX_RACES; i++) {
			String turn = turnOf(request.id());
			List<String> keys = new ArrayList<>(List.of(this.steps.question(request.id()), this.steps.key("turns")));
			if (!turn.isEmpty()) {
				keys.add(this.steps.turn(turn));
			}
			List<String> answer = this.steps.texts(RedisTurnScripts.RECORD, keys, request.id(), turn, result,
					RedisSteps.micros(now));
			if (answer.get(0).equals("gone")) {
				throw gone(request.id());
			}
			if (answer.get(0).equals("found")) {
				Result known = resultOf(request.id(), answer.get(1));
				return new Kept((turn.isEmpty()) ? SuspendedTurn.alone(request, known)
						: turn(turn, answer.subList(2, answer.size())), known);
			}
		}
		throw new IllegalStateException("The turn of the question '%s' kept changing".formatted(request.id()));
	}

	private static SuspendedTurn turn(String id, List<String> fields) {
		String json = null;
		Map<String, @Nullable Result> results = new HashMap<>();
		for (int i = 0; i < fields.size(); i += 2) {
			String field = fields.get(i);
			if (field.startsWith(CALL)) {
				String question = field.substring(CALL.length());
				results.put(question, resultOf(question, fields.get(i + 1)));
			}
			else {
				json = fields.get(i + 1);
			}
		}
		if (json == null) {
			throw new IllegalStateException("The turn '%s' is gone".formatted(SafeText.name(id)));
		}
		try {
			return TurnJson.read(json).withResults(results);
		}
		catch (InvalidJsonException ex) {
			throw new IllegalStateException("The turn '%s' in Redis cannot be read".formatted(SafeText.name(id)));
		}
	}

	private static @Nullable Result resultOf(String question, String json) {
		try {
			return (json.isEmpty()) ? null : TurnJson.readResult(json);
		}
		catch (InvalidJsonException ex) {
			throw new IllegalStateException(
					"The result of the call '%s' in Redis cannot be read".formatted(SafeText.name(question)));
		}
	}

	/**
	 * Forget some turns whose questions are all gone. The next time goes on where this
	 * one ends.
	 * @return whether there may be more
	 */
	boolean purge(Instant before) {
		String time = RedisSteps.micros(before);
		int from = this.needed.get();
		int kept = 0;
		List<String> ids = this.steps.texts(RedisApprovalScripts.FIRST, List.of(this.steps.key("turns")), "(" + time,
				String.valueOf(from), String.valueOf(FORGOTTEN_AT_ONCE));
		for (String id : ids) {
			List<String> keys = new ArrayList<>(List.of(this.steps.turn(id), this.steps.key("turns")));
			this.steps.texts(RedisTurnScripts.FIELDS, List.of(this.steps.turn(id)))
				.stream()
				.filter((field) -> field.startsWith(CALL))
				.map((field) -> this.steps.question(field.substring(CALL.length())))
				.forEach(keys::add);
			kept += (Boolean.TRUE.equals(this.steps.run(RedisTurnScripts.FORGET, keys, id, time))) ? 0 : 1;
		}
		boolean more = ids.size() == FORGOTTEN_AT_ONCE;
		this.needed.set((more) ? from + kept : 0);
		return more;
	}

	private static IllegalStateException gone(String id) {
		return new IllegalStateException("The question '%s' is gone".formatted(SafeText.name(id)));
	}

}
