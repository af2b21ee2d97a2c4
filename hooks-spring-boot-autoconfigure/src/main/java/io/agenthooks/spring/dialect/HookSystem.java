package io.agenthooks.spring.dialect;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import io.agenthooks.InvalidHookConfigException.Problem;

/**
 * A system whose words a hook speaks, if it is written for one only: where the words of
 * several contradict each other, one message cannot serve them all.
 *
 * @since 0.1.0
 */
public enum HookSystem {

	/** AgentPool. */
	AGENTPOOL,

	/** Antigravity, whose empty object is no consent. */
	ANTIGRAVITY,

	/** Claude Code. */
	CLAUDE_CODE,

	/** Cline's command line. */
	CLINE,

	/** Cline in VS Code, whose hooks are others than those of its command line. */
	CLINE_VSCODE,

	/** Codex. */
	CODEX,

	/**
	 * Copilot in the form of {@code preToolUse}, in which every exit code but 0 denies.
	 * That of {@code PreToolUse} is Claude Code's.
	 */
	COPILOT,

	/**
	 * Cursor, with the event that is for the tool: {@code beforeMCPExecution},
	 * {@code beforeShellExecution} or {@code preToolUse}.
	 */
	CURSOR,

	/** Cursor, with the event {@code preToolUse} for every tool. */
	CURSOR_PRE_TOOL_USE,

	/** Gemini CLI, in which every exit code from 2 on denies, if there is a text. */
	GEMINI_CLI,

	/** Hermes. */
	HERMES,

	/** Kiro, which decides by the exit code; the output is a text. */
	KIRO,

	/** Qwen Code. */
	QWEN_CODE,

	/** VS Code. */
	VSCODE,

	/** Windsurf, which decides by the exit code; the output is a text. */
	WINDSURF;

	/**
	 * Check that a system has messages about what a hook is for.
	 * @param system what is written as {@code for}, or {@code null}
	 * @param subject what the hook is for
	 * @param problems gets what is wrong
	 */
	public static void check(@Nullable HookSystem system, Subject subject, List<Problem> problems) {
		if (system != null && !system.knows(subject)) {
			problems.add(new Problem(List.of("for"),
					"The system '%s' has no messages about %s, or none that are known.".formatted(system.word(),
							subject.noun),
					"Remove it, or write one that has: %s.".formatted(Arrays.stream(values())
						.filter((other) -> other.knows(subject))
						.map(HookSystem::word)
						.collect(Collectors.joining(", ")))));
		}
	}

	private boolean knows(Subject subject) {
		return switch (subject) {
			case TOOL_CALL -> true;
			case LLM_CALL -> this == ANTIGRAVITY || this == GEMINI_CLI;
			case RUN -> this != ANTIGRAVITY && this != CLINE && this != HERMES;
			case END_OF_RUN -> this != CLINE && this != CLINE_VSCODE && this != HERMES;
		};
	}

	private String word() {
		return name().toLowerCase(Locale.ROOT);
	}

	/**
	 * Whether an exit code denies that is a failure elsewhere.
	 * @param exitCode the exit code of a command
	 * @param saysSomething whether the command wrote anything
	 * @param json whether that is JSON
	 * @return whether it does
	 */
	public boolean deniesBy(int exitCode, boolean saysSomething, boolean json) {
		return (this == COPILOT && exitCode != 0) || (this == GEMINI_CLI && exitCode > 2 && saysSomething && !json);
	}

	/**
	 * Whether an output that is no JSON is for people only.
	 * @return whether it is
	 */
	public boolean writesTexts() {
		return this == KIRO || this == WINDSURF;
	}

	/**
	 * Whether an empty object decides nothing, but must.
	 * @return whether that is a failure
	 */
	public boolean deniesByEmptyObject() {
		return this == ANTIGRAVITY;
	}

	/**
	 * The subject of a hook.
	 *
	 * @since 0.1.0
	 */
	public enum Subject {

		/** Calls of tools, or their results. */
		TOOL_CALL("calls of tools"),

		/** Calls of models, or their responses. */
		LLM_CALL("calls of models"),

		/** Runs that are to begin. */
		RUN("runs that begin"),

		/** Runs that have ended. */
		END_OF_RUN("the end of runs");

		private final String noun;

		Subject(String noun) {
			this.noun = noun;
		}

	}

}
