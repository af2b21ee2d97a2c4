package io.agenthooks.spring.approval;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
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

/** A line of ASCII, so that any database keeps any character. */
final class TurnJson {

	private static final Set<String> TURN = Set.of("format", "messages", "replies", "users_texts", "texts_of",
			"origin");

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
		members.put("users_texts", turn.usersTexts());
		members.put("texts_of", turn.textsOf());
		members.put("origin", (turn.origin() != null) ? origin(turn.origin()) : null);
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
		KeptMembers turn = KeptMembers.read(line, CONTINUED);
		return new ContinuedTurn(status, turn.optional("answer"), turn.optional("reason"), turn.texts("approvals"));
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
		KeptMembers turn = KeptMembers.read(line, TURN);
		KeptMembers origin = turn.optionalObject("origin", REQUEST);
		return new SuspendedTurn(turn.text("format"), turn.text("messages"),
				turn.list("replies").stream().map((each) -> reply(KeptMembers.of(each, REPLY))).toList(),
				turn.texts("users_texts"), turn.optional("texts_of"),
				(origin != null)
						? new Origin(origin.optional("client"), origin.text("request"), origin.optional("objection"))
						: null);
	}

	private static Reply reply(KeptMembers reply) {
		String approval = reply.optional("approval_id");
		String text = reply.optional("text");
		if (approval == null && text == null) {
			throw new InvalidJsonException("has a reply without a text");
		}
		return new Reply(reply.text("call_id"), reply.text("tool"), approval, text,
				reply.value("failed", Boolean.class));
	}

	static Result readResult(String line) {
		KeptMembers result = KeptMembers.read(line, RESULT);
		return new Result(result.text("text"), result.value("failed", Boolean.class));
	}

}
