package io.agenthooks.spring.approval;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.agenthooks.SafeText;
import io.agenthooks.Sha256;
import io.agenthooks.WarningThrottle;
import io.agenthooks.spring.annotation.CallMethod;
import io.agenthooks.spring.annotation.StatedCalls;
import io.agenthooks.spring.approval.PreviewValues.UnshowableException;
import io.agenthooks.spring.approval.TimedAnswers.NoAnswerException;
import io.agenthooks.spring.suspend.ApprovalRequest;
import io.agenthooks.spring.suspend.CallEffect;
import io.agenthooks.spring.suspend.CallPreview;
import io.agenthooks.toolcall.ApprovalScope;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolIdentity;

/**
 * Asks tools what calls would do, and about which version of what. Without a preview
 * people are asked all the same, but a version that is not known denies the call.
 */
final class CallEffects implements AutoCloseable {

	/** The reason for a call whose approval was for another preview. */
	static final String CHANGED = "What this call would do is not what a person approved any more: its preview changed "
			+ "meanwhile, or cannot be made";

	private static final Logger logger = LoggerFactory.getLogger(CallEffects.class);

	/** The longest version that people see; of a longer one there is a digest. */
	private static final int MAX_VERSION = 100;

	private final WarningThrottle warnings = new WarningThrottle(logger);

	private final Statements statements;

	private final DryRuns dryRuns;

	private final TimedAnswers answers;

	CallEffects(Statements statements, DryRuns dryRuns, TimedAnswers answers) {
		this.statements = statements;
		this.dryRuns = dryRuns;
		this.answers = answers;
	}

	/** For one question and its claim; zero if no tool says anything. */
	Duration longest() {
		return (this.statements.areNone()) ? Duration.ZERO : this.answers.time().multipliedBy(4);
	}

	boolean hasPreview(ToolIdentity tool) {
		return this.statements.previewOf(tool) != null || this.statements.dryRunOf(tool) != null;
	}

	boolean mustMatch(ToolIdentity tool) {
		return hasPreview(tool) && this.statements.mustMatch(tool);
	}

	/** One preview is of one call, and a version is not of calls about other things. */
	ApprovalScope maxScope(ToolIdentity tool) {
		if (mustMatch(tool)) {
			return ApprovalScope.ONCE;
		}
		return (this.statements.versionOf(tool) != null) ? ApprovalScope.CALL : ApprovalScope.TOOL;
	}

	/** People have time from then on. */
	ApprovalRequest complete(ApprovalRequest asked, ToolCall call, InstantSource clock, Duration timeout) {
		CallPreview preview = preview(call);
		boolean mustMatch = mustMatch(call.identity());
		if (mustMatch && preview.missing() != null) {
			throw new UnstatedException("People have to see what this call would do before they approve it, and its "
					+ "tool did not say it");
		}
		Instant now = clock.instant();
		return asked.withEffect(new CallEffect(preview, mustMatch, asked.effect().version()), now, now.plus(timeout));
	}

	CallPreview preview(ToolCall call) {
		CallMethod method = this.statements.previewOf(call.identity());
		String argument = this.statements.dryRunOf(call.identity());
		try {
			CallPreview preview = this.answers.ask(() -> PreviewValues
				.of((method != null) ? method.invoke(call) : this.dryRuns.run(call, Objects.requireNonNull(argument))));
			return (preview != null) ? preview : PreviewValues.of(null);
		}
		catch (NoAnswerException ex) {
			String why = "and it " + ((ex.getCause() instanceof UnshowableException unshowable)
					? unshowable.getMessage() : ex.getMessage());
			warn(call, "what a call would do", why, ex);
			return CallPreview.missing("The tool was asked what this call would do, %s.".formatted(why));
		}
	}

	/** {@code null} if the approval still holds. */
	@Nullable String objection(ToolCall call, ApprovalRequest request) {
		CallPreview approved = request.effect().preview();
		if (!request.effect().mustMatch()) {
			return null;
		}
		return (approved != null && hasPreview(call.identity()) && approved.isSame(preview(call))) ? null : CHANGED;
	}

	/** {@code null} if the tool gives none. */
	@Nullable String versionOf(ToolCall call) {
		CallMethod method = this.statements.versionOf(call.identity());
		if (method == null) {
			return null;
		}
		try {
			String version = this.answers.ask(() -> textOf(method.invoke(call)));
			return (version == null || version.isEmpty() || version.length() <= MAX_VERSION) ? version
					: Sha256.hex(version);
		}
		catch (NoAnswerException ex) {
			warn(call, "the version of what a call is about", "and it " + ex.getMessage(), ex);
			throw new UnstatedException("The version of what this call is about could not be found out");
		}
	}

	private static String textOf(@Nullable Object version) {
		Object value = (version instanceof Optional<?> optional) ? optional.orElse(null) : version;
		return (value != null) ? value.toString() : "none";
	}

	/** Without the message of the application, which may quote arguments. */
	private void warn(ToolCall call, String about, String why, NoAnswerException ex) {
		Throwable cause = ex.getCause();
		this.warnings.warn("The tool '%s' was asked %s, %s%s".formatted(SafeText.name(call.tool()), about, why,
				(cause != null) ? ": " + cause.getClass().getName() : ""));
	}

	@Override
	public void close() {
		this.answers.close();
	}

	/**
	 * Statements of annotations, which come first, and those of the configuration by
	 * globs of tools.
	 */
	record Statements(List<StatedCalls> annotated, Map<String, CallMethod> previews, Map<String, String> dryRuns,
			Map<String, CallMethod> versions, boolean mustMatch) {

		static final Statements NONE = new Statements(List.of(), Map.of(), Map.of(), Map.of(), false);

		boolean areNone() {
			return this.annotated.isEmpty() && this.previews.isEmpty() && this.dryRuns.isEmpty()
					&& this.versions.isEmpty();
		}

		private Stream<StatedCalls> of(ToolIdentity tool) {
			return this.annotated.stream().filter((each) -> each.areOf(tool));
		}

		@Nullable CallMethod previewOf(ToolIdentity tool) {
			CallMethod own = of(tool).map(StatedCalls::preview).flatMap(Stream::ofNullable).findFirst().orElse(null);
			return (own != null) ? own : ByTool.find(this.previews, tool);
		}

		@Nullable String dryRunOf(ToolIdentity tool) {
			return ByTool.find(this.dryRuns, tool);
		}

		@Nullable CallMethod versionOf(ToolIdentity tool) {
			CallMethod own = of(tool).map(StatedCalls::version).flatMap(Stream::ofNullable).findFirst().orElse(null);
			return (own != null) ? own : ByTool.find(this.versions, tool);
		}

		boolean mustMatch(ToolIdentity tool) {
			return this.mustMatch || of(tool).anyMatch(StatedCalls::mustMatch);
		}

	}

	static final class UnstatedException extends RuntimeException {

		private static final long serialVersionUID = 1L;

		UnstatedException(String message) {
			super(message, null, false, false);
		}

	}

}
