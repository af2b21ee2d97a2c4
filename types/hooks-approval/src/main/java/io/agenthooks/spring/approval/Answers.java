package io.agenthooks.spring.approval;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;

import io.agenthooks.spring.approval.ApprovalStreams.Bounds;
import io.agenthooks.spring.approval.ApprovalStreams.Stream;
import io.agenthooks.spring.json.StrictJson;
import io.agenthooks.spring.suspend.ContinuedTurn;
import io.agenthooks.spring.suspend.ContinuedTurns;
import io.agenthooks.spring.suspend.Person;
import io.agenthooks.spring.suspend.ToolApprovals;

/**
 * The answers of agents that went on by themselves. Nobody but their users learns that
 * there is one, and no reason: reasons are for operators.
 */
final class Answers implements SmartLifecycle {

	private static final Logger logger = LoggerFactory.getLogger(Answers.class);

	private final ToolApprovals approvals;

	private final ContinuedTurns turns;

	/** Of their own, so that users do not take the places of people who decide. */
	private final ApprovalStreams streams;

	Answers(ToolApprovals approvals, ContinuedTurns turns) {
		this.approvals = approvals;
		this.turns = turns;
		this.streams = new ApprovalStreams(approvals, Bounds.DEFAULT);
	}

	/** The person is {@code null} if nobody is logged in. */
	ResponseEntity<byte[]> one(@Nullable Person person, String id, ApprovalPeople people) {
		ResponseEntity<byte[]> refusal = refusal(person, id, people);
		if (refusal != null) {
			return refusal;
		}
		try {
			ContinuedTurn turn = this.turns.find(id).orElse(null);
			return (turn != null) ? ApprovalHttp.builder((turn.status().isEnd()) ? HttpStatus.OK : HttpStatus.ACCEPTED)
				.contentType(MediaType.APPLICATION_JSON)
				.body(json(turn)) : unknown();
		}
		catch (RuntimeException ex) {
			return failed(ex);
		}
	}

	@Nullable ResponseEntity<byte[]> refusal(@Nullable Person person, String id, ApprovalPeople people) {
		if (person == null) {
			return ApprovalHttp.problem(HttpStatus.UNAUTHORIZED, "Log in first.", List.of());
		}
		try {
			return (this.approvals.find(id).filter((request) -> people.mayHear(person, request)).isPresent()
					&& this.turns.find(id).isPresent()) ? null : unknown();
		}
		catch (RuntimeException ex) {
			return failed(ex);
		}
	}

	private static ResponseEntity<byte[]> unknown() {
		return ApprovalHttp.problem(HttpStatus.NOT_FOUND, "There is no such answer.", List.of());
	}

	private static ResponseEntity<byte[]> failed(RuntimeException failure) {
		logger.warn("An answer could not be read: {}", failure.getClass().getName());
		return ApprovalHttp.problem(HttpStatus.SERVICE_UNAVAILABLE, "The answer cannot be read now.", List.of());
	}

	/** {@code null} if there is no place. */
	@Nullable Stream open(Person person, String id) {
		return this.streams.open(person, () -> this.turns.find(id).orElse(null));
	}

	static byte[] event(ContinuedTurn turn) {
		return "event: %s\ndata: %s\n\n".formatted(name(turn), new String(json(turn), StandardCharsets.US_ASCII))
			.getBytes(StandardCharsets.US_ASCII);
	}

	private static byte[] json(ContinuedTurn turn) {
		Map<String, @Nullable Object> members = new LinkedHashMap<>();
		members.put("status", name(turn));
		members.put("answer", turn.answer());
		members.put("approvals", turn.approvals());
		return StrictJson.write(members);
	}

	private static String name(ContinuedTurn turn) {
		return turn.status().name().toLowerCase(Locale.ROOT);
	}

	@Override
	public void start() {
		this.streams.start();
	}

	@Override
	public void stop() {
		this.streams.stop();
	}

	@Override
	public boolean isRunning() {
		return this.streams.isRunning();
	}

}
