package io.agenthooks.spring.command;

import org.jspecify.annotations.Nullable;

import io.agenthooks.ExternalHook;
import io.agenthooks.spring.dialect.HookSystem;
import io.agenthooks.spring.external.SentUser;

/**
 * The common part of hooks that run a command.
 */
abstract class CommandHook implements ExternalHook, AutoCloseable {

	private final String name;

	private final CommandSettings settings;

	private final CommandRunner runner;

	CommandHook(String name, CommandSettings settings) {
		this.name = name;
		this.settings = settings;
		this.runner = new CommandRunner(name, settings);
	}

	@Override
	public String name() {
		return this.name;
	}

	CommandSettings settings() {
		return this.settings;
	}

	CommandRunner runner() {
		return this.runner;
	}

	SentUser sent() {
		return this.settings.sent();
	}

	/** The system whose words the command speaks, or {@code null} for those of all. */
	@Nullable HookSystem system() {
		return this.settings.system();
	}

	/**
	 * Where the command runs.
	 */
	String dir() {
		return this.settings.program().dir().toString();
	}

	@Override
	public void close() {
		this.runner.close();
	}

}
