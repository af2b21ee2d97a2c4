package io.agenthooks.spring.actuator;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

import io.agenthooks.Verdict;
import io.agenthooks.spring.web.Replies;
import io.agenthooks.toolcall.ToolCallStatus;

/**
 * Shows the last calls of tools.
 *
 * @since 0.1.0
 */
@Endpoint(id = "toolcalls", defaultAccess = Access.READ_ONLY)
public final class ToolCallsEndpoint {

	private static final int DEFAULT_LIMIT = 100;

	private static final int MAX_LIMIT = 1_000;

	private static final Set<String> OUTCOMES = Stream
		.concat(Stream.of(ToolCallStatus.values()).map(ToolCallStatus::value),
				Stream.of(Verdict.values()).map(Verdict::value))
		.collect(Collectors.toCollection(TreeSet::new));

	private final CallJournal journal;

	private final CallWriter writer;

	ToolCallsEndpoint(CallJournal journal, CallWriter writer) {
		this.journal = journal;
		this.writer = writer;
	}

	/**
	 * The last calls, the newest first, without their arguments.
	 * @param tool one of the names of the tool, or {@code null} for all
	 * @param outcome how the call ended, such as {@code denied}, or what was decided,
	 * such as {@code deny}; {@code null} for all
	 * @param session the session, or {@code null} for all
	 * @param hook a hook that was asked or decided, or {@code null} for all
	 * @param limit how many calls at most, up to 1,000; 100 unless set
	 * @param after the id of a call, to get only calls that ended after it, or
	 * {@code null}; if that call is not among the last ones any more, it counts for
	 * nothing
	 * @return the calls
	 */
	@ReadOperation
	public WebEndpointResponse<Map<String, @Nullable Object>> calls(@Nullable String tool, @Nullable String outcome,
			@Nullable String session, @Nullable String hook, @Nullable Integer limit, @Nullable String after) {
		int most = Objects.requireNonNullElse(limit, DEFAULT_LIMIT);
		if (most < 1 || most > MAX_LIMIT) {
			return Replies.badRequest("'limit' has to be from 1 to " + MAX_LIMIT);
		}
		if (outcome != null && !OUTCOMES.contains(outcome.toLowerCase(Locale.ROOT))) {
			return Replies.badRequest("'outcome' has to be one of " + String.join(", ", OUTCOMES));
		}
		Predicate<JournalEntry> wanted = (call) -> (tool == null || call.tool().isNamed(tool))
				&& (outcome == null || outcome.equalsIgnoreCase(call.ended().status())
						|| outcome.equalsIgnoreCase(call.ended().verdict()))
				&& (session == null || session.equals(call.session())) && (hook == null || hasHook(call, hook));
		Map<String, String> filter = new LinkedHashMap<>();
		put("tool", tool, filter);
		put("outcome", outcome, filter);
		put("session", session, filter);
		put("hook", hook, filter);
		return Replies.of("The calls could not be listed", () -> list(filter, wanted, most, after));
	}

	private static void put(String name, @Nullable String value, Map<String, String> filter) {
		if (value != null) {
			filter.put(name, value);
		}
	}

	private WebEndpointResponse<Map<String, @Nullable Object>> list(Map<String, String> filter,
			Predicate<JournalEntry> wanted, int most, @Nullable String after) {
		List<JournalEntry> entries = this.journal.entries();
		JournalEntry known = (after != null)
				? entries.stream().filter((call) -> call.id().equals(after)).findFirst().orElse(null) : null;
		CallWriter.Written written = this.writer.begin();
		Map<String, @Nullable Object> members = new LinkedHashMap<>();
		members.put("calls",
				entries.stream()
					.takeWhile((call) -> known == null || call.number() > known.number())
					.filter(wanted)
					.limit(most)
					.map(written::writeInList)
					.toList());
		members.put("filter", filter);
		members.put("after", (known != null) ? known.id() : null);
		members.put("dropped", this.journal.dropped(entries));
		members.put("kept", entries.size());
		return Replies.ok(members);
	}

	private static boolean hasHook(JournalEntry call, String hook) {
		JournalEntry.Answer answer = call.answer();
		return hook.equals(call.ended().decidedBy()) || (answer != null && hook.equals(answer.askedBy()))
				|| call.asked().stream().anyMatch((asked) -> asked.name().equals(hook));
	}

	/**
	 * One call.
	 * @param callId its id
	 * @return the call
	 */
	@ReadOperation
	public WebEndpointResponse<Map<String, @Nullable Object>> call(@Selector String callId) {
		return Replies.of("The call could not be shown",
				() -> this.journal.entries()
					.stream()
					.filter((call) -> call.id().equals(callId))
					.findFirst()
					.map((call) -> Replies.ok(this.writer.begin().write(call)))
					.orElseGet(() -> Replies.notFound("The call is not among the last ones")));
	}

}
