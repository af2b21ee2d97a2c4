package io.agenthooks.spring.audit;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

import io.agenthooks.spring.web.Replies;

/**
 * Verifies the audit, and exports a period of it.
 *
 * @since 0.1.0
 */
@Endpoint(id = "toolaudit", defaultAccess = Access.READ_ONLY)
public final class ToolAuditEndpoint {

	/** More is for the command line, which writes to a file. */
	static final int MAX_RECORDS = 10_000;

	private final AuditReports reports;

	private final SingleTask task;

	ToolAuditEndpoint(AuditReports reports, Duration limit) {
		this.reports = reports;
		this.task = new SingleTask("hooks-audit-report", limit);
	}

	/**
	 * Verify the audit, and export the records of a period if one is given.
	 * @param from the first moment, such as {@code 2026-11-22T00:00:00Z}, or {@code null}
	 * @param until the first moment that is later, or {@code null}
	 * @param limit how many records at most; 10,000 unless set, which is the most
	 * @return what was found, and the records
	 */
	@ReadOperation
	public WebEndpointResponse<Map<String, @Nullable Object>> verify(@Nullable OffsetDateTime from,
			@Nullable OffsetDateTime until, @Nullable Integer limit) {
		if (limit != null && (limit < 1 || limit > MAX_RECORDS)) {
			return Replies.badRequest("'limit' has to be from 1 to " + MAX_RECORDS);
		}
		String unreadable = this.reports.unreadableReason();
		if (unreadable != null) {
			return Replies.error(unreadable, Replies.CONFLICT);
		}
		Instant first = (from != null) ? from.toInstant() : null;
		Instant end = (until != null) ? until.toInstant() : null;
		return this.task.run((cancelled) -> {
			Map<String, @Nullable Object> members = write(this.reports.verify(cancelled));
			if (first != null || end != null) {
				AuditReports.Export export = this.reports.export(first, end, (limit != null) ? limit : MAX_RECORDS,
						cancelled);
				members.put("records", export.lines());
				members.put("truncated", export.truncated());
			}
			return members;
		});
	}

	private static Map<String, @Nullable Object> write(AuditVerification verification) {
		Map<String, @Nullable Object> members = new LinkedHashMap<>();
		members.put("unbroken", verification.isUnbroken() && verification.isComplete());
		members.put("result", resultOf(verification));
		members.put("complete", verification.isComplete());
		members.put("keyed", verification.nodes().stream().allMatch(AuditVerification.Node::keyed));
		List<Map<String, @Nullable Object>> nodes = verification.nodes()
			.stream()
			.map(ToolAuditEndpoint::write)
			.toList();
		members.put("nodes", nodes);
		return members;
	}

	private static String resultOf(AuditVerification verification) {
		if (verification.isBroken()) {
			return "broken";
		}
		if (!verification.isUnbroken()) {
			return "unproved";
		}
		return (verification.isComplete()) ? "unbroken" : "incomplete";
	}

	private static Map<String, @Nullable Object> write(AuditVerification.Node node) {
		Map<String, @Nullable Object> members = new LinkedHashMap<>();
		members.put("node", node.node());
		members.put("records", node.records());
		members.put("last", node.last());
		members.put("dropped", node.dropped());
		members.put("keyed", node.keyed());
		members.put("anchors", node.anchors());
		members.put("unfinished", node.unfinished());
		AuditVerification.Problem problem = node.problem();
		if (problem != null) {
			Map<String, @Nullable Object> wrong = new LinkedHashMap<>();
			wrong.put("kind", problem.kind().name().toLowerCase(Locale.ROOT));
			wrong.put("number", problem.number());
			wrong.put("place", problem.place());
			wrong.put("message", problem.message());
			members.put("problem", wrong);
		}
		members.put("text", node.toString());
		return members;
	}

}
