package io.agenthooks.spring.approval;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.approval.SuspendedStore.Result;
import io.agenthooks.spring.json.InvalidJsonException;
import io.agenthooks.spring.json.StrictJson;
import io.agenthooks.spring.suspend.ContinuedTurn;
import io.agenthooks.spring.suspend.ContinuedTurn.Status;
import io.agenthooks.spring.suspend.SuspendedTurn;
import io.agenthooks.spring.suspend.SuspendedTurn.Origin;
import io.agenthooks.spring.suspend.SuspendedTurn.Reply;

/**
 * A turn and the result of a call as a store keeps them: a line of ASCII, so that any
 * database keeps any character. What is not exactly as it was written cannot be read.
 */
final class TurnJson {

	private static final StrictJson strict = new StrictJson(1);

	private static final String USERS_TEXTS = "users_texts";

	private static final String TEXTS_OF = "texts_of";

	private static final String ORIGIN = "origin";

	private static final Set<String> TURN = Set.of("format", "messages", "replies", USERS_TEXTS, TEXTS_OF, ORIGIN);

	private static final Set<String> REQUEST = Set.of("client", "request", "objection");

	private static final Set<String> CONTINUED = Set.of("answer", "reason", "approvals");

	private static final Set<String> REPLY = Set.of("call_id", "tool", "approval_id", "text", "failed");

	private static final Set<String> RESULT = Set.of("text", "failed");

	private TurnJson() {
	}

	static String write(SuspendedTurn turn) {
		Map<String, @Nullable Object> members = new LinkedHashMap<>();
		members.put("format", turn.format());
		members.put("messages", turn.messages());
		members.put("replies", turn.replies().stream().map(TurnJson::reply).toList());
		members.put(USERS_TEXTS, turn.usersTexts());
		members.put(TEXTS_OF, turn.textsOf());
		members.put(ORIGIN, (turn.origin() != null) ? origin(turn.origin()) : null);
		return line(members);
	}

	private static Map<String, @Nullable Object> origin(Origin origin) {
		Map<String, @Nullable Object> members = new LinkedHashMap<>();
		members.put("client", origin.client());
		members.put("request", origin.request());
		members.put("objection", origin.objection());
		return members;
	}

	/** All but the status. */
	static String write(ContinuedTurn turn) {
		Map<String, @Nullable Object> members = new LinkedHashMap<>();
		members.put("answer", turn.answer());
		members.put("reason", turn.reason());
		members.put("approvals", turn.approvals());
		return line(members);
	}

	static ContinuedTurn readContinued(Status status, String line) {
		Map<String, @Nullable Object> turn = object(line, CONTINUED);
		return new ContinuedTurn(status, optional(turn, "answer"), optional(turn, "reason"), texts(turn, "approvals"));
	}

	private static Map<String, @Nullable Object> reply(Reply reply) {
		Map<String, @Nullable Object> members = new LinkedHashMap<>();
		members.put("call_id", reply.callId());
		members.put("tool", reply.tool());
		members.put("approval_id", reply.approvalId());
		members.put("text", reply.text());
		members.put("failed", reply.failed());
		return members;
	}

	static String write(Result result) {
		Map<String, @Nullable Object> members = new LinkedHashMap<>();
		members.put("text", result.text());
		members.put("failed", result.failed());
		return line(members);
	}

	private static String line(Map<String, @Nullable Object> members) {
		return new String(StrictJson.write(members), StandardCharsets.US_ASCII);
	}

	static SuspendedTurn read(String line) {
		Map<String, @Nullable Object> turn = object(line, TURN);
		List<Reply> replies = new ArrayList<>();
		if (!(turn.get("replies") instanceof List<?> list)) {
			throw new InvalidJsonException("has no list of replies");
		}
		for (Object element : list) {
			if (!(element instanceof Map<?, ?> map)) {
				throw new InvalidJsonException("holds something else than an object");
			}
			Map<String, @Nullable Object> reply = checked(StrictJson.object(map), REPLY);
			String approval = optional(reply, "approval_id");
			String text = optional(reply, "text");
			if (approval == null && text == null) {
				throw new InvalidJsonException("has a reply without a text");
			}
			replies.add(new Reply(text(reply, "call_id"), text(reply, "tool"), approval, text, flag(reply)));
		}
		return new SuspendedTurn(text(turn, "format"), text(turn, "messages"), replies, texts(turn, USERS_TEXTS),
				optional(turn, TEXTS_OF), readOrigin(turn.get(ORIGIN)));
	}

	private static @Nullable Origin readOrigin(@Nullable Object origin) {
		if (origin == null) {
			return null;
		}
		if (!(origin instanceof Map<?, ?> map)) {
			throw new InvalidJsonException("has an origin that is no object");
		}
		Map<String, @Nullable Object> members = checked(StrictJson.object(map), REQUEST);
		return new Origin(optional(members, "client"), text(members, "request"), optional(members, "objection"));
	}

	private static List<String> texts(Map<String, @Nullable Object> members, String name) {
		List<String> texts = new ArrayList<>();
		if (!(members.get(name) instanceof List<?> list)) {
			throw new InvalidJsonException("has no list of '%s'".formatted(name));
		}
		for (Object element : list) {
			if (!(element instanceof String text)) {
				throw new InvalidJsonException("holds something else than a text");
			}
			texts.add(text);
		}
		return texts;
	}

	static Result readResult(String line) {
		Map<String, @Nullable Object> result = object(line, RESULT);
		return new Result(text(result, "text"), flag(result));
	}

	private static Map<String, @Nullable Object> object(String line, Set<String> names) {
		return checked(strict.readObject(line.getBytes(StandardCharsets.UTF_8)), names);
	}

	private static Map<String, @Nullable Object> checked(Map<String, @Nullable Object> members, Set<String> names) {
		if (!members.keySet().equals(names)) {
			throw new InvalidJsonException("has other members than those of a turn");
		}
		return members;
	}

	private static String text(Map<String, @Nullable Object> members, String name) {
		if (members.get(name) instanceof String text) {
			return text;
		}
		throw new InvalidJsonException("has a '%s' that is no text".formatted(name));
	}

	private static @Nullable String optional(Map<String, @Nullable Object> members, String name) {
		return (members.get(name) != null) ? text(members, name) : null;
	}

	private static boolean flag(Map<String, @Nullable Object> members) {
		if (members.get("failed") instanceof Boolean flag) {
			return flag;
		}
		throw new InvalidJsonException("has a 'failed' that is no boolean");
	}

}
