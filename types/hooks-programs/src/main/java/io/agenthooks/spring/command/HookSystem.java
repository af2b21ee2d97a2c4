package io.agenthooks.spring.command;

/**
 * A system whose words a command speaks, if it is written for one only: where the words
 * of several contradict each other, one message cannot serve them all.
 */
enum HookSystem {

	AGENTPOOL,

	/**
	 * Its empty object is no consent.
	 */
	ANTIGRAVITY,

	CLAUDE_CODE,

	CLINE,

	/**
	 * Cline in VS Code, whose hooks are others than those of its command line.
	 */
	CLINE_VSCODE,

	CODEX,

	/**
	 * The form of {@code preToolUse}, in which every exit code but 0 denies. That of
	 * {@code PreToolUse} is Claude Code's.
	 */
	COPILOT,

	/**
	 * The event that is for the tool: {@code beforeMCPExecution},
	 * {@code beforeShellExecution} or {@code preToolUse}.
	 */
	CURSOR,

	/**
	 * The event {@code preToolUse} for every tool.
	 */
	CURSOR_PRE_TOOL_USE,

	/**
	 * Every exit code from 2 on denies, if there is a text.
	 */
	GEMINI_CLI,

	HERMES,

	/**
	 * Decides by its exit code; its output is a text.
	 */
	KIRO,

	QWEN_CODE,

	VSCODE,

	/**
	 * Decides by its exit code; its output is a text.
	 */
	WINDSURF;

	/**
	 * Whether an exit code denies that is a failure elsewhere.
	 * @param end how the command ended
	 */
	boolean deniesBy(EndedCommand end) {
		boolean said = !end.text().isEmpty() || !end.errors().isBlank();
		return (this == COPILOT && end.exitCode() != 0)
				|| (this == GEMINI_CLI && end.exitCode() > 2 && said && !end.isJson());
	}

	/**
	 * Whether an output that is no JSON is for people only.
	 */
	boolean writesTexts() {
		return this == KIRO || this == WINDSURF;
	}

	/**
	 * Whether an empty object decides nothing, but must.
	 */
	boolean deniesByEmptyObject() {
		return this == ANTIGRAVITY;
	}

}
