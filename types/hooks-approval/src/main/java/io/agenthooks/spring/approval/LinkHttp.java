package io.agenthooks.spring.approval;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;

import io.agenthooks.WarningThrottle;
import io.agenthooks.spring.approval.SignedLinks.Opened;
import io.agenthooks.spring.suspend.ApprovalAnswer;
import io.agenthooks.spring.suspend.ApprovalAnswer.Verdict;
import io.agenthooks.spring.suspend.ApprovalRefusedException;
import io.agenthooks.spring.suspend.ApprovalRefusedException.Reason;
import io.agenthooks.spring.suspend.ApprovalRequest;
import io.agenthooks.spring.suspend.Person;
import io.agenthooks.spring.suspend.ToolApprovals;

/** To look decides nothing: mail servers open every link that they deliver. */
final class LinkHttp {

	private static final MediaType HTML = new MediaType(MediaType.TEXT_HTML, StandardCharsets.UTF_8);

	/** Headers of all answers: the address is a secret, and so is what is asked. */
	private static final Map<String, String> HEADERS = headers();

	private static final int MAX_REASON = 1_000;

	private static final Logger logger = LoggerFactory.getLogger(LinkHttp.class);

	/** The most changes of the question by others while a person decides. */
	private static final int MAX_RACES = 100;

	private static final Map<String, Verdict> VERDICTS = Map.of("approve", Verdict.APPROVE, "deny", Verdict.DENY);

	private static final List<String> NOTHING = List.of("");

	private final WarningThrottle warnings = new WarningThrottle(logger);

	private final SignedLinks links;

	private final ToolApprovals approvals;

	LinkHttp(SignedLinks links, ToolApprovals approvals) {
		this.links = links;
		this.approvals = approvals;
	}

	private static Map<String, String> headers() {
		Map<String, String> headers = new LinkedHashMap<>();
		headers.put(HttpHeaders.CACHE_CONTROL, "no-store");
		headers.put("Content-Security-Policy", LinkPages.POLICY);
		headers.put("Referrer-Policy", "no-referrer");
		headers.put("X-Content-Type-Options", "nosniff");
		headers.put("X-Robots-Tag", "noindex, nofollow");
		return headers;
	}

	ResponseEntity<byte[]> show(String token) {
		return reply(() -> {
			Opened opened = this.links.open(token);
			return (opened != null)
					? page(HttpStatus.OK, LinkPages.question(opened.request(), opened.person(), MAX_REASON))
					: refused();
		});
	}

	/** The form is {@code null} if it is too long. */
	ResponseEntity<byte[]> decide(String token, @Nullable Map<String, List<String>> form) {
		return reply(() -> {
			for (int i = 0; i < MAX_RACES; i++) {
				Opened opened = this.links.open(token);
				if (opened == null) {
					return refused();
				}
				ApprovalAnswer answer = answer(opened.person(), form);
				if (answer == null) {
					return page(HttpStatus.BAD_REQUEST, LinkPages.misunderstood(MAX_REASON));
				}
				try {
					ApprovalRequest request = opened.request();
					return page(HttpStatus.OK, LinkPages
						.done(this.approvals.answer(request.id(), request.revision(), answer), answer.verdict()));
				}
				catch (ApprovalRefusedException ex) {
					if (ex.reason() != Reason.CHANGED) {
						return refused();
					}
				}
				catch (RuntimeException ex) {
					return failed(ex, LinkPages.unknown());
				}
			}
			return refused();
		});
	}

	private static @Nullable ApprovalAnswer answer(Person person, @Nullable Map<String, List<String>> form) {
		if (form == null) {
			return null;
		}
		List<String> verdicts = form.getOrDefault("verdict", List.of());
		List<String> reasons = form.getOrDefault("reason", NOTHING);
		Verdict verdict = (verdicts.size() == 1) ? VERDICTS.get(verdicts.get(0)) : null;
		if (verdict == null || reasons.size() != 1 || reasons.get(0).length() > MAX_REASON) {
			return null;
		}
		WrittenScope scope = (verdict == Verdict.APPROVE) ? scope(form) : new WrittenScope(null, null);
		return (scope != null) ? new ApprovalAnswer(person, verdict, null,
				(reasons.get(0).isBlank()) ? null : reasons.get(0), scope.scope(), scope.time()) : null;
	}

	/** {@code null} if it cannot be read. */
	private static @Nullable WrittenScope scope(Map<String, List<String>> form) {
		List<String> scopes = form.getOrDefault("scope", List.of());
		List<String> times = form.getOrDefault("for", List.of());
		if (scopes.size() > 1 || times.size() > 1) {
			return null;
		}
		String scope = (scopes.isEmpty()) ? null : scopes.get(0);
		// The page has one field for the time of whatever is chosen.
		String time = (scope == null || "once".equals(scope) || times.isEmpty()) ? null : times.get(0);
		try {
			return WrittenScope.read(scope, time);
		}
		catch (IllegalArgumentException ex) {
			return null;
		}
	}

	/** The one answer to every link that does not work. */
	private static ResponseEntity<byte[]> refused() {
		return page(HttpStatus.NOT_FOUND, LinkPages.refused());
	}

	private ResponseEntity<byte[]> reply(Supplier<ResponseEntity<byte[]>> work) {
		try {
			return work.get();
		}
		catch (RuntimeException ex) {
			return failed(ex, LinkPages.unavailable());
		}
	}

	private ResponseEntity<byte[]> failed(RuntimeException failure, byte[] page) {
		// Its message, and those of its causes, may hold arguments.
		this.warnings.warn("A request to a link failed with " + failure.getClass().getName());
		return page(HttpStatus.SERVICE_UNAVAILABLE, page);
	}

	private static ResponseEntity<byte[]> page(HttpStatus status, byte[] page) {
		ResponseEntity.BodyBuilder builder = ResponseEntity.status(status).contentType(HTML);
		HEADERS.forEach(builder::header);
		return builder.body(page);
	}

}
