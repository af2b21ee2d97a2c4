package io.agenthooks.spring.approval;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.Name;

import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.spring.binding.Former;
import io.agenthooks.spring.suspend.ApprovalRequest.Approvers;
import io.agenthooks.toolcall.ApprovalScope;
import io.agenthooks.toolcall.AskTerms;
import io.agenthooks.toolcall.ToolIdentity;

/**
 * The options of {@code hooks.approval}. The annotation is for the metadata of IDEs; it
 * is read by {@link io.agenthooks.spring.binding.HooksReader}.
 *
 * @param enabled Whether people are asked about calls.
 * @param mode Whether a call waits on its thread until people have decided, or its turn
 * ends; the latter if questions are kept in a database, unless set.
 * @param resume Who goes on when people have decided: the application, or a bean.
 * @param timeout Time that people have to decide about a call; at most an hour if calls
 * wait on their threads, otherwise 30 days.
 * @param approvers Authorities that people need to see and to decide calls; one of them
 * is enough.
 * @param fourEyes Number of different people who have to approve a call.
 * @param preventSelfApproval Whether the user for whom the agent makes a call is kept
 * from deciding about it.
 * @param decisions What people may decide: 'approve', 'deny', and 'edit' unless it is
 * left out.
 * @param maxScope Widest scope of an approval that people can choose: the call alone
 * ('once'), the same call again in its session ('call'), or the tool whatever its
 * arguments ('tool'), the last two for at most 'remember_for'.
 * @param questions Sentences that say what calls would do, by globs of tools: 'Refund
 * {amount} EUR' holds an argument in braces.
 * @param previews Methods that say what calls would do, by globs of tools:
 * 'orders.preview' is a method of the bean 'orders'.
 * @param dryRuns Arguments that make tools change nothing and say what they would do, by
 * globs of tools; people see the answer as a preview.
 * @param previewMustMatch Whether an approval is void if the preview has changed when the
 * call is to run.
 * @param versions Methods that return the version of what calls are about, by globs of
 * tools; an approval is void if it has changed when the call is to run.
 * @param remember Whether an approval spares the question about the very same call of the
 * same session.
 * @param rememberFor Time that a decision of people is remembered; that which people had
 * to decide unless set, and never more than the retention.
 * @param rememberDenials Whether a denial denies the very same call of the same session
 * without asking people again.
 * @param store Where questions are kept; in a database if there is one DataSource bean,
 * or a primary one, unless set.
 * @param maxPending Number of questions that may wait for people.
 * @param maxPendingPerSession Number of questions of one session that may wait for
 * people.
 * @param retention Time that settled questions are kept.
 * @param jdbc Table that questions are kept in.
 * @param path Path of the HTTP interface below the root of the application.
 * @param insecure Whether everybody may decide, although Spring Security does not protect
 * the HTTP interface.
 * @param links Links for mail and chat by which one person decides without a login.
 * @param notifications Endpoints that are told about questions.
 */
@ConfigurationProperties("hooks.approval")
@Former(value = "redis", instead = ApprovalConfig.NO_REDIS)
record ApprovalConfig(@Nullable Boolean enabled, @Nullable Mode mode, @Nullable ApprovalResume resume,
		@Nullable Duration timeout, @Nullable List<String> approvers, @Nullable Integer fourEyes,
		@Nullable Boolean preventSelfApproval, @Nullable List<AskTerms.Answer> decisions,
		@Nullable ApprovalScope maxScope, @Nullable Map<String, String> questions,
		@Nullable Map<String, String> previews, @Nullable Map<String, String> dryRuns,
		@Nullable Boolean previewMustMatch, @Nullable Map<String, String> versions, @Nullable Remember remember,
		@Nullable Duration rememberFor, @Nullable Boolean rememberDenials, @Nullable Store store,
		@Nullable Integer maxPending, @Nullable Integer maxPendingPerSession, @Nullable Duration retention,
		@Nullable Jdbc jdbc, @Nullable String path, @Nullable Boolean insecure,
		@NestedConfigurationProperty @Nullable ApprovalLinksConfig links,
		@Name("notify") @Nullable List<ApprovalNotifyConfig> notifications) {

	/** The replacement for Redis, which forgets more easily than a database. */
	static final String NO_REDIS = "Questions and approvals are kept in a database: write 'hooks.approval.store: jdbc' and add a "
			+ "DataSource, or 'memory'. Redis stays for 'hooks.limit.store'.";

	static final Duration DEFAULT_TIMEOUT = Duration.ofMinutes(2);

	static final Duration MAX_TIMEOUT = Duration.ofHours(1);

	static final Duration DEFAULT_SUSPENDED = Duration.ofHours(24);

	static final Duration MAX_SUSPENDED = Duration.ofDays(30);

	static final int MAX_FOUR_EYES = 10;

	static final int DEFAULT_MAX_PENDING = 1000;

	static final int DEFAULT_MAX_PENDING_PER_SESSION = 20;

	static final Duration DEFAULT_RETENTION = Duration.ofDays(30);

	static final String DEFAULT_PATH = "/hooks/approvals";

	private static final int MAX_NOTIFICATIONS = 20;

	private static final int MOST_PENDING = 100_000;

	private static final Duration MAX_RETENTION = Duration.ofDays(3650);

	private static final Pattern PATH = Pattern.compile("(/[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}){1,8}");

	ApprovalConfig {
		List<Problem> problems = new ArrayList<>();
		checkTimeout(timeout, (mode == Mode.BLOCK) ? MAX_TIMEOUT : MAX_SUSPENDED, problems);
		if (mode == Mode.SUSPEND && store == Store.MEMORY) {
			problems.add(new Problem(List.of("mode"), "needs questions that outlive the application",
					"Write 'store: jdbc', or 'mode: block'."));
		}
		if (resume == ApprovalResume.AUTO && (mode == Mode.BLOCK || store == Store.MEMORY)) {
			problems.add(new Problem(List.of("resume"), "is 'auto', but no turn ends: calls wait on their threads",
					"Write 'mode: suspend', which needs 'store: jdbc', or remove 'resume'."));
		}
		approvers = (approvers != null) ? List.copyOf(approvers) : null;
		decisions = (decisions != null) ? List.copyOf(decisions) : null;
		problems.addAll(AskTerms.problems((approvers != null && !approvers.isEmpty()) ? approvers : null, decisions));
		if ((approvers == null || approvers.isEmpty()) && !Boolean.TRUE.equals(insecure)) {
			problems.add(new Problem(List.of("approvers"), "is missing, so nobody could approve a call",
					"Write the authorities of people who may, such as ['ROLE_APPROVER']."));
		}
		if (fourEyes != null && (fourEyes < 1 || fourEyes > MAX_FOUR_EYES)) {
			problems.add(new Problem(List.of("four_eyes"), "is out of range",
					"Write how many people have to approve a call, from 1 to %d.".formatted(MAX_FOUR_EYES)));
		}
		if (fourEyes != null && fourEyes > 1 && Boolean.TRUE.equals(insecure)) {
			problems.add(new Problem(List.of("four_eyes"), "has no effect with 'insecure', which identifies no person",
					"Remove one of the two."));
		}
		check(maxPending, "max_pending", problems);
		check(maxPendingPerSession, "max_pending_per_session", problems);
		if (retention != null && (retention.compareTo(MAX_TIMEOUT) < 0 || retention.compareTo(MAX_RETENTION) > 0)) {
			problems.add(new Problem(List.of("retention"), "is out of range",
					"Write a time from 1h to 3650d, such as 30d."));
		}
		questions = (questions != null) ? Collections.unmodifiableMap(new LinkedHashMap<>(questions)) : null;
		ByTool.checkQuestions(Objects.requireNonNullElse(questions, Map.of()), problems);
		previews = ByTool.checked("previews", previews, problems);
		dryRuns = ByTool.checked("dry_runs", dryRuns, problems);
		versions = ByTool.checked("versions", versions, problems);
		if (remember == Remember.SESSION && maxScope == ApprovalScope.ONCE) {
			problems.add(new Problem(List.of("max_scope"), "is 'once', and 'remember' is 'session'",
					"Write 'max_scope: call', or remove 'remember'."));
		}
		checkRemembering(remember == Remember.SESSION || (maxScope != null && maxScope != ApprovalScope.ONCE),
				rememberFor, rememberDenials, Objects.requireNonNullElse(retention, DEFAULT_RETENTION), problems);
		if (path != null && !PATH.matcher(path).matches()) {
			problems.add(new Problem(List.of("path"), "is not a valid path of the HTTP interface",
					"Write segments of letters, digits, dots, dashes and underscores with a slash before each and none "
							+ "at the end, such as '/hooks/approvals'."));
		}
		if (links != null) {
			links.check(problems);
		}
		notifications = (notifications != null) ? List.copyOf(notifications) : List.of();
		for (int i = 0; i < notifications.size(); i++) {
			notifications.get(i)
				.check(i, links != null, Set.copyOf(Objects.requireNonNullElse(approvers, List.of())), problems);
		}
		if (notifications.size() > MAX_NOTIFICATIONS) {
			problems.add(new Problem(List.of("notify"), "has too many entries",
					"Write at most %d.".formatted(MAX_NOTIFICATIONS)));
		}
		if (!problems.isEmpty()) {
			throw new InvalidHookConfigException(problems);
		}
	}

	/** Find what is wrong with the time that people have. */
	static void checkTimeout(@Nullable Duration timeout, Duration max, List<Problem> problems) {
		if (timeout != null && (timeout.compareTo(Duration.ofMillis(1)) < 0 || timeout.compareTo(max) > 0)) {
			problems.add(new Problem(List.of("timeout"), "is out of range",
					"Write a time of more than zero and at most %s, such as 2m."
						.formatted((max.equals(MAX_TIMEOUT)) ? "1h" : "30d")));
		}
	}

	private static void checkRemembering(boolean approvals, @Nullable Duration time, @Nullable Boolean denials,
			Duration retention, List<Problem> problems) {
		if (time != null && (time.compareTo(Duration.ofSeconds(1)) < 0 || time.compareTo(retention) > 0)) {
			problems.add(new Problem(List.of("remember_for"), "is out of range",
					"Write a time from 1s to 'retention', such as 1h."));
		}
		else if (time != null && !approvals && !Boolean.TRUE.equals(denials)) {
			problems.add(new Problem(List.of("remember_for"), "has no effect, because no decision is remembered",
					"Remove it, or write 'remember: session', 'max_scope: call' or 'remember_denials: true'."));
		}
	}

	private static void check(@Nullable Integer number, String option, List<Problem> problems) {
		if (number != null && (number < 1 || number > MOST_PENDING)) {
			problems.add(new Problem(List.of(option), "is out of range",
					"Write a number from 1 to %d.".formatted(MOST_PENDING)));
		}
	}

	/** The authorities of which a person needs one; empty if everybody may decide. */
	Set<String> authorities() {
		return (this.approvers != null) ? Set.copyOf(this.approvers) : Set.of();
	}

	/** The people who may decide, as far as this node is asked. */
	Approvers whoMayDecide() {
		return new Approvers(authorities(), !isSelfApprovalPrevented());
	}

	/**
	 * The people who may decide about a question: those who may about any, as far as its
	 * terms let them.
	 */
	Approvers whoMayDecide(AskTerms terms) {
		List<Set<String>> both = new ArrayList<>(whoMayDecide().authorities());
		both.addAll(terms.approvers());
		return new Approvers(both, !isSelfApprovalPrevented());
	}

	/** The template of the sentence about calls of a tool, or {@code null}. */
	@Nullable String templateFor(ToolIdentity tool) {
		return (this.questions != null) ? ByTool.find(this.questions, tool) : null;
	}

	int approvals() {
		return Objects.requireNonNullElse(this.fourEyes, 1);
	}

	boolean isSelfApprovalPrevented() {
		return !Boolean.FALSE.equals(this.preventSelfApproval);
	}

	/** Whether denials are remembered. */
	boolean areDenialsRemembered() {
		return Boolean.TRUE.equals(this.rememberDenials);
	}

	/** The scope of an approval by people who choose none. */
	ApprovalScope scope() {
		return (this.remember == Remember.SESSION) ? ApprovalScope.CALL : ApprovalScope.ONCE;
	}

	/** The widest scope that people can choose. */
	ApprovalScope maxScopeOrDefault() {
		return Objects.requireNonNullElse(this.maxScope, scope());
	}

	/** Whether people can change arguments. */
	boolean isEditAllowed() {
		return this.decisions == null || this.decisions.contains(AskTerms.Answer.EDIT);
	}

	/**
	 * For how long the decision about a question is remembered at most.
	 * @param timeout the time that people have for it
	 * @return {@code null} if none is
	 */
	@Nullable Duration rememberFor(Duration timeout) {
		if (maxScopeOrDefault() == ApprovalScope.ONCE && !areDenialsRemembered()) {
			return null;
		}
		Duration time = Objects.requireNonNullElse(this.rememberFor, timeout);
		return (time.compareTo(retentionOrDefault()) <= 0) ? time : retentionOrDefault();
	}

	int maxPendingOrDefault() {
		return Objects.requireNonNullElse(this.maxPending, DEFAULT_MAX_PENDING);
	}

	int maxPendingPerSessionOrDefault() {
		return Objects.requireNonNullElse(this.maxPendingPerSession, DEFAULT_MAX_PENDING_PER_SESSION);
	}

	Duration retentionOrDefault() {
		return Objects.requireNonNullElse(this.retention, DEFAULT_RETENTION);
	}

	Schema schema() {
		return (this.jdbc != null && this.jdbc.initializeSchema() != null) ? this.jdbc.initializeSchema()
				: Schema.EMBEDDED;
	}

	String pathOrDefault() {
		return Objects.requireNonNullElse(this.path, DEFAULT_PATH);
	}

	List<ApprovalNotifyConfig> notificationsOrNone() {
		return (this.notifications != null) ? this.notifications : List.of();
	}

	/** Whether agents go on by themselves. */
	boolean isResumedByItself() {
		return this.resume == ApprovalResume.AUTO;
	}

	Map<String, String> previewsOrNone() {
		return Objects.requireNonNullElse(this.previews, Map.of());
	}

	Map<String, String> dryRunsOrNone() {
		return Objects.requireNonNullElse(this.dryRuns, Map.of());
	}

	boolean isPreviewBinding() {
		return Boolean.TRUE.equals(this.previewMustMatch);
	}

	Map<String, String> versionsOrNone() {
		return Objects.requireNonNullElse(this.versions, Map.of());
	}

	boolean isInsecure() {
		return Boolean.TRUE.equals(this.insecure);
	}

	/** The state of a call while people decide. */
	enum Mode {

		/** It waits on its thread. */
		BLOCK,

		/** Its turn ends, and it is resumed later. */
		SUSPEND

	}

	/** The time for which an approval spares the question. */
	enum Remember {

		/** Each call is asked about. */
		NEVER,

		/** A call of the same session with the same tool and arguments is not. */
		SESSION

	}

	/** The store of questions. */
	@Former(value = "redis", instead = NO_REDIS)
	enum Store {

		/** In the memory of the application. */
		MEMORY,

		/** In a table of a database. */
		JDBC

	}

	/** The condition under which the table is made. */
	enum Schema {

		/** In any database. */
		ALWAYS,

		/** In a database that runs within the application. */
		EMBEDDED,

		/** Never: it is there. */
		NEVER

	}

	/**
	 * The table that questions are kept in.
	 *
	 * @param initializeSchema When the table is made at the start.
	 */
	@Former(value = "listen", instead = "Remove it: a node looks every 250 ms what the others decided.")
	record Jdbc(@Nullable Schema initializeSchema) {
	}

}
