package io.agenthooks.spring.approval;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;

import io.agenthooks.SafeText;
import io.agenthooks.spring.json.CanonicalJson;
import io.agenthooks.spring.json.InvalidJsonException;
import io.agenthooks.spring.json.StrictJson;
import io.agenthooks.spring.suspend.ApprovalAnswer;
import io.agenthooks.spring.suspend.ApprovalAnswer.Verdict;
import io.agenthooks.spring.suspend.ApprovalRefusedException;
import io.agenthooks.spring.suspend.ApprovalRequest;
import io.agenthooks.spring.suspend.Person;
import io.agenthooks.spring.suspend.ToolApprovals;
import io.agenthooks.spring.web.CsrfHeader;

/** The answers to requests about questions, whatever server they came to. */
record ApprovalHttp(ToolApprovals approvals, ApprovalPeople people) {

	/** The most bytes of the body of an answer. */
	static final int MAX_BODY = 1024 * 1024;

	/** Headers of all answers, so that questions are neither cached nor framed. */
	static final Map<String, String> HEADERS = Map.of(HttpHeaders.CACHE_CONTROL, "no-store", "X-Content-Type-Options",
			"nosniff");

	private static final Logger logger = LoggerFactory.getLogger(ApprovalHttp.class);

	/** One level is around the arguments. */
	private static final StrictJson json = new StrictJson(1);

	private static final int DEFAULT_LIMIT = 50;

	private static final int MAX_LIMIT = 200;

	private static final int MAX_REASON = 1_000;

	private static final Set<String> FILTERS = Set.of("state", "limit");

	private static final Set<String> MEMBERS = Set.of("verdict", "arguments", "reason", "scope", "for");

	private static final Map<String, Verdict> VERDICTS = Map.of("approve", Verdict.APPROVE, "edit", Verdict.EDIT,
			"deny", Verdict.DENY, "revoke", Verdict.REVOKE);

	private static final Pattern TAG = Pattern.compile("(?:W/)?\"([\\x21\\x23-\\x7E]{0,64})\"");

	private static final Pattern REVISION = Pattern.compile("[1-9][0-9]{0,8}");

	private static final String ANY = "*";

	/** The person is {@code null} if nobody is logged in. */
	ResponseEntity<byte[]> list(@Nullable Person person, Map<String, List<String>> query, @Nullable CsrfHeader csrf) {
		return reply(person, (who) -> {
			Map<String, String> filters = filters(query);
			int limit = limit(filters.get("limit"));
			List<ApprovalRequest> found = switch (filters.getOrDefault("state", "pending")) {
				case "pending" -> this.approvals.pending(limit);
				case "settled" -> this.approvals.settled(limit);
				default -> throw new RefusedException(HttpStatus.BAD_REQUEST, "'state' is 'pending' or 'settled'.");
			};
			Map<String, @Nullable Object> members = new LinkedHashMap<>();
			members.put("questions",
					found.stream()
						.map((request) -> ApprovalWriter.listed(request, this.approvals.mayDecide(request, who)))
						.toList());
			members.put("csrf", (csrf != null) ? csrf.toJson() : null);
			return builder(HttpStatus.OK).contentType(MediaType.APPLICATION_JSON).body(StrictJson.write(members));
		});
	}

	ResponseEntity<byte[]> one(@Nullable Person person, String id, List<String> known) {
		return reply(person, (who) -> {
			ApprovalRequest request = this.approvals.find(id)
				.orElseThrow(() -> new RefusedException(HttpStatus.NOT_FOUND, "There is no such question."));
			return (isKnown(request, known)) ? builder(HttpStatus.NOT_MODIFIED).eTag(tag(request)).build()
					: whole(request, who);
		});
	}

	/** The body is {@code null} if it is too long. */
	ResponseEntity<byte[]> decide(@Nullable Person person, String id, List<String> seen, @Nullable String contentType,
			byte @Nullable [] body) {
		return reply(person, (who) -> {
			// No form of another site can send it.
			if (!isJson(contentType)) {
				throw new RefusedException(HttpStatus.UNSUPPORTED_MEDIA_TYPE, "The body must be application/json.");
			}
			if (body == null) {
				throw new RefusedException(HttpStatus.CONTENT_TOO_LARGE,
						"The body may have at most %d bytes.".formatted(MAX_BODY));
			}
			ApprovalAnswer answer = answer(who, body);
			return whole(taken(id, revision(seen, answer.verdict()), answer), who);
		});
	}

	/** If the store fails meanwhile, it may have taken the answer. */
	private ApprovalRequest taken(String id, int revision, ApprovalAnswer answer) {
		try {
			return this.approvals.answer(id, revision, answer);
		}
		catch (ApprovalRefusedException ex) {
			throw ex;
		}
		catch (RuntimeException ex) {
			throw failed(ex, "It is not known whether your answer was taken. Read the question again to find out.");
		}
	}

	private static RefusedException failed(RuntimeException failure, String detail) {
		// Its message, and those of its causes, may hold arguments.
		logger.warn("A request about questions to people failed with {}", failure.getClass().getName());
		return new RefusedException(HttpStatus.SERVICE_UNAVAILABLE, detail);
	}

	@Nullable ResponseEntity<byte[]> refusal(@Nullable Person person) {
		if (person == null) {
			return problem(HttpStatus.UNAUTHORIZED, "Log in first.", List.of());
		}
		return (this.people.maySee(person)) ? null
				: problem(HttpStatus.FORBIDDEN, "You are not one of the people who decide about calls.", List.of());
	}

	static ResponseEntity.BodyBuilder builder(HttpStatus status) {
		ResponseEntity.BodyBuilder builder = ResponseEntity.status(status);
		HEADERS.forEach(builder::header);
		return builder;
	}

	static ResponseEntity<byte[]> busy() {
		return problem(HttpStatus.SERVICE_UNAVAILABLE, "No more clients can listen now; try again later.", List.of());
	}

	private ResponseEntity<byte[]> reply(@Nullable Person person, Function<Person, ResponseEntity<byte[]>> work) {
		ResponseEntity<byte[]> refusal = refusal(person);
		if (refusal != null) {
			return refusal;
		}
		try {
			return work.apply(Objects.requireNonNull(person));
		}
		catch (RefusedException ex) {
			return problem(ex.status, Objects.requireNonNull(ex.getMessage()), List.of());
		}
		catch (ApprovalRefusedException ex) {
			return problem(status(ex.reason()), Objects.requireNonNull(ex.getMessage()), ex.mistakes());
		}
		catch (RuntimeException ex) {
			RefusedException failed = failed(ex, "Questions cannot be read now.");
			return problem(failed.status, Objects.requireNonNull(failed.getMessage()), List.of());
		}
	}

	private static HttpStatus status(ApprovalRefusedException.Reason reason) {
		return switch (reason) {
			case UNKNOWN -> HttpStatus.NOT_FOUND;
			case SETTLED, NOT_DECIDED, NO_TOOL -> HttpStatus.CONFLICT;
			case CHANGED -> HttpStatus.PRECONDITION_FAILED;
			case NOT_ALLOWED -> HttpStatus.FORBIDDEN;
			case INVALID_EDIT -> HttpStatus.UNPROCESSABLE_CONTENT;
		};
	}

	static ResponseEntity<byte[]> problem(HttpStatus status, String detail, List<String> mistakes) {
		Map<String, Object> members = new LinkedHashMap<>();
		members.put("title", status.getReasonPhrase());
		members.put("status", status.value());
		members.put("detail", detail);
		if (!mistakes.isEmpty()) {
			members.put("mistakes", mistakes);
		}
		return builder(status).contentType(MediaType.APPLICATION_PROBLEM_JSON).body(StrictJson.write(members));
	}

	private ResponseEntity<byte[]> whole(ApprovalRequest request, Person person) {
		return builder(HttpStatus.OK).eTag(tag(request))
			.contentType(MediaType.APPLICATION_JSON)
			.body(StrictJson.write(ApprovalWriter.whole(request, this.approvals.mayDecide(request, person))));
	}

	private static String tag(ApprovalRequest request) {
		return "\"" + request.revision() + "\"";
	}

	private static boolean isKnown(ApprovalRequest request, List<String> known) {
		return known.stream()
			.flatMap((value) -> Pattern.compile(",").splitAsStream(value))
			.map(String::strip)
			.anyMatch((tag) -> tag.equals(ANY) || tag.equals(tag(request)) || tag.equals("W/" + tag(request)));
	}

	private static Map<String, String> filters(Map<String, List<String>> query) {
		Map<String, String> filters = new LinkedHashMap<>();
		query.forEach((name, values) -> {
			if (!FILTERS.contains(name) || values.size() != 1) {
				throw new RefusedException(HttpStatus.BAD_REQUEST,
						"Only 'state' and 'limit' may be written in the address, each once.");
			}
			filters.put(name, values.get(0));
		});
		return filters;
	}

	private static int limit(@Nullable String written) {
		if (written == null) {
			return DEFAULT_LIMIT;
		}
		int limit = (REVISION.matcher(written).matches()) ? Integer.parseInt(written) : 0;
		if (limit < 1 || limit > MAX_LIMIT) {
			throw new RefusedException(HttpStatus.BAD_REQUEST,
					"'limit' is a number from 1 to %d.".formatted(MAX_LIMIT));
		}
		return limit;
	}

	private static boolean isJson(@Nullable String contentType) {
		try {
			return contentType != null
					&& MediaType.APPLICATION_JSON.equalsTypeAndSubtype(MediaType.parseMediaType(contentType));
		}
		catch (InvalidMediaTypeException ex) {
			return false;
		}
	}

	private static ApprovalAnswer answer(Person person, byte[] body) {
		Map<String, @Nullable Object> members = members(body);
		for (String name : members.keySet()) {
			if (!MEMBERS.contains(name)) {
				throw new RefusedException(HttpStatus.BAD_REQUEST,
						"The body has an unknown member '%s'.".formatted(SafeText.name(name)));
			}
		}
		Verdict verdict = (members.get("verdict") instanceof String written) ? VERDICTS.get(written) : null;
		if (verdict == null) {
			throw new RefusedException(HttpStatus.BAD_REQUEST, "'verdict' is 'approve', 'edit', 'deny' or 'revoke'.");
		}
		Object reason = members.get("reason");
		if (reason != null && !(reason instanceof String text && text.length() <= MAX_REASON)) {
			throw new RefusedException(HttpStatus.BAD_REQUEST,
					"'reason' is a text of at most %d characters.".formatted(MAX_REASON));
		}
		boolean edited = members.containsKey("arguments");
		if (verdict == Verdict.EDIT && !edited) {
			throw new RefusedException(HttpStatus.BAD_REQUEST,
					"'arguments' are missing: the verdict 'edit' needs all of them, as an object.");
		}
		if (verdict != Verdict.EDIT && edited) {
			throw new RefusedException(HttpStatus.BAD_REQUEST,
					"'arguments' belong to the verdict 'edit' alone; leave them out, or write 'edit'.");
		}
		WrittenScope scope = scope(members, verdict);
		return new ApprovalAnswer(person, verdict,
				(verdict == Verdict.EDIT) ? arguments(members.get("arguments"), body) : null, (String) reason,
				scope.scope(), scope.time());
	}

	private static WrittenScope scope(Map<String, @Nullable Object> members, Verdict verdict) {
		Object scope = members.get("scope");
		Object time = members.get("for");
		if ((scope != null || time != null) && verdict != Verdict.APPROVE && verdict != Verdict.EDIT) {
			throw new RefusedException(HttpStatus.BAD_REQUEST,
					"'scope' and 'for' belong to the verdicts 'approve' and 'edit'.");
		}
		try {
			return WrittenScope.read(scope, time);
		}
		catch (IllegalArgumentException ex) {
			throw new RefusedException(HttpStatus.BAD_REQUEST, Objects.requireNonNull(ex.getMessage()));
		}
	}

	private static Map<String, @Nullable Object> members(byte[] body) {
		try {
			return json.readObject(body);
		}
		catch (InvalidJsonException ex) {
			throw new RefusedException(HttpStatus.BAD_REQUEST, "The body %s.".formatted(ex.getMessage()));
		}
	}

	/** With numbers as they are written. They were read once, so none is too long. */
	private static String arguments(@Nullable Object arguments, byte[] body) {
		if (!(arguments instanceof Map)) {
			throw new RefusedException(HttpStatus.BAD_REQUEST, "'arguments' is an object.");
		}
		return CanonicalJson.writeExact(json.readExactly(body).get("arguments"));
	}

	/**
	 * One who approves says which one; to deny or to revoke is safe whatever it has
	 * become.
	 */
	private static int revision(List<String> seen, Verdict verdict) {
		if (seen.isEmpty() || seen.equals(List.of(ANY))) {
			if (verdict == Verdict.DENY || verdict == Verdict.REVOKE) {
				return 0;
			}
			throw new RefusedException(HttpStatus.PRECONDITION_REQUIRED,
					"'If-Match' is missing: send the revision that you saw in double quotes, such as \"1\".");
		}
		Matcher tag = TAG.matcher(seen.get(0).strip());
		if (seen.size() > 1 || !tag.matches()) {
			throw new RefusedException(HttpStatus.BAD_REQUEST,
					"'If-Match' is one ETag, which is the revision in double quotes, such as \"1\".");
		}
		String revision = tag.group(1);
		if (!REVISION.matcher(revision).matches()) {
			throw new RefusedException(HttpStatus.PRECONDITION_FAILED, "No question has this ETag.");
		}
		return Integer.parseInt(revision);
	}

	private static final class RefusedException extends RuntimeException {

		private final HttpStatus status;

		RefusedException(HttpStatus status, String detail) {
			super(detail);
			this.status = status;
		}

	}

}
