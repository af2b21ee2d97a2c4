package io.agenthooks.spring.command;

import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.agenthooks.HookDecision;
import io.agenthooks.SafeText;
import io.agenthooks.Verdict;
import io.agenthooks.spring.dialect.DialectReply;
import io.agenthooks.spring.dialect.HookSystem;
import io.agenthooks.spring.external.NoVerdictException;
import io.agenthooks.spring.json.InvalidJsonException;

/** Its exit code, its output, and as much of its errors as is kept. */
final class EndedCommand {

	private static final int BLOCKED = 2;

	/** Written by some shells before JSON. */
	private static final String BYTE_ORDER_MARK = "\uFEFF";

	private static final Logger logger = LoggerFactory.getLogger(EndedCommand.class);

	private final int exitCode;

	/** The reply: as in Gemini CLI the errors, if there is no output. */
	private final byte[] output;

	private final byte[] errors;

	EndedCommand(int exitCode, byte[] output, byte[] errors) {
		this.exitCode = exitCode;
		byte[] own = ProgressLines.without(output);
		this.output = (isBlank(own) && mayReply(errors)) ? errors : own;
		this.errors = errors;
	}

	static boolean isEmpty(byte[] output, byte[] errors) {
		return isBlank(ProgressLines.without(output)) && !mayReply(errors);
	}

	private static boolean mayReply(byte[] errors) {
		return DialectReply.isReply(errors) || DialectReply.isObjection(new String(errors, StandardCharsets.UTF_8));
	}

	private static boolean isBlank(byte[] output) {
		return new String(output, StandardCharsets.UTF_8).isBlank();
	}

	int exitCode() {
		return this.exitCode;
	}

	boolean isBlocked() {
		return this.exitCode == BLOCKED;
	}

	/** In the system that the command is written for. */
	boolean isBlockedAs(@Nullable HookSystem system) {
		return isBlocked() || (system != null
				&& system.deniesBy(this.exitCode, !text().isEmpty() || !errors().isBlank(), isJson()));
	}

	boolean isSilent() {
		return this.exitCode == 0 && text().isEmpty();
	}

	byte[] output() {
		return this.output;
	}

	String text() {
		return new String(this.output, StandardCharsets.UTF_8).strip();
	}

	String errors() {
		return new String(this.errors, StandardCharsets.UTF_8);
	}

	/** Or something that should be. */
	boolean isJson() {
		String text = text();
		return text.startsWith("{") || text.startsWith(BYTE_ORDER_MARK);
	}

	/** Or nothing. Where an objection stands in a text, that was to be JSON. */
	boolean isPlainText() {
		return this.exitCode == 0 && !isJson() && !DialectReply.isObjection(text());
	}

	/** The errors, or else a reason in the output. */
	String reason() {
		String text = errors();
		String reason = DialectReply.reasonOf((text.isBlank()) ? this.output : this.errors);
		if (reason != null) {
			return reason;
		}
		return (text.isBlank()) ? DialectReply.NO_REASON : text;
	}

	<D extends HookDecision> D read(String hook, Supplier<D> reply) throws NoVerdictException {
		try {
			D decision = reply.get();
			Verdict verdict = decision.verdict();
			if (this.exitCode == 0 || verdict == Verdict.DENY || verdict == Verdict.ABORT) {
				return decision;
			}
			if (verdict != Verdict.APPROVE) {
				// It wanted something else than what would pass.
				throw NoVerdictException.refusal("The command ended with exit code " + this.exitCode);
			}
		}
		catch (InvalidJsonException ex) {
			logErrors(hook);
			if (!text().isEmpty()) {
				// It may be a denial, and what breaks it may be what the agent wrote.
				throw NoVerdictException.refusal((this.exitCode == 0) ? "The output of the command " + ex.getMessage()
						: "The command ended with exit code " + this.exitCode, ex.word());
			}
			if (this.exitCode == 0) {
				throw NoVerdictException.failure("The command wrote nothing, but must decide");
			}
		}
		catch (IllegalArgumentException ex) {
			throw NoVerdictException.refusal("The output of the command has changed arguments that no call can have");
		}
		logErrors(hook);
		throw NoVerdictException.failure("The command ended with exit code " + this.exitCode);
	}

	/** At debug level only: what a command writes there is unknown. */
	private void logErrors(String hook) {
		if (logger.isDebugEnabled()) {
			logger.debug("Hook '{}': the command wrote to standard error: {}", hook, SafeText.reason(errors()));
		}
	}

}
