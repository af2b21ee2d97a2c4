package io.agenthooks.spring.command;

import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.agenthooks.ExternalHook;
import io.agenthooks.Hook;
import io.agenthooks.HookDecision;
import io.agenthooks.LocatableHook;
import io.agenthooks.llmcall.PreLlmHook;
import io.agenthooks.run.PreRunHook;
import io.agenthooks.spring.HookCounts;
import io.agenthooks.spring.dialect.HookSystem;
import io.agenthooks.spring.external.NoVerdictException;
import io.agenthooks.spring.external.NoVerdictMode;
import io.agenthooks.spring.external.SentUser;
import io.agenthooks.toolcall.PreToolHook;

/** Runs a command. */
abstract class CommandHook<C, D extends HookDecision>
		implements ExternalHook, LocatableHook, HookCounts, AutoCloseable {

	private final String name;

	private final CommandSettings settings;

	private final CommandRunner runner;

	private final NoVerdictMode<C, D> failMode;

	CommandHook(String name, CommandSettings settings, NoVerdictMode<C, D> failMode) {
		this.name = name;
		this.settings = settings;
		this.runner = new CommandRunner(name, settings);
		this.failMode = failMode;
	}

	@Override
	public final String name() {
		return this.name;
	}

	@Override
	public final Hook writtenAt(Function<List<String>, @Nullable String> places) {
		this.failMode.writtenAt(places.apply(List.of()));
		return this;
	}

	/** One that is asked about results, or learns of them, is not expected to object. */
	@Override
	public final long callsWithoutObjection() {
		return (this instanceof PreToolHook || this instanceof PreLlmHook || this instanceof PreRunHook)
				? this.failMode.callsWithoutObjection() : -1;
	}

	final D decide(C call, NoVerdictMode.Writing<C, byte[]> message, Reading<C, D> reading) {
		return this.failMode.decide(call, message, (asked, question) -> reading.read(asked, this.runner.run(question)));
	}

	/** A text that is no JSON says nothing. */
	final D read(EndedCommand end, Function<String, D> denying, Supplier<D> approving, Supplier<D> reply)
			throws NoVerdictException {
		if (end.isBlockedAs(system())) {
			return denying.apply(end.reason());
		}
		return (end.isSilent() && !requiresDecision()) ? approving.get() : end.read(this.name, reply);
	}

	final EndedCommand run(byte[] message) throws NoVerdictException {
		return this.runner.run(message);
	}

	final boolean requiresDecision() {
		return this.settings.requireDecision();
	}

	final boolean merges() {
		return this.settings.merge();
	}

	final SentUser sent() {
		return this.settings.sent();
	}

	/** {@code null} for the words of all. */
	final @Nullable HookSystem system() {
		return this.settings.system();
	}

	final String dir() {
		return this.settings.program().dir().toString();
	}

	@Override
	public final void close() {
		this.runner.close();
	}

	@FunctionalInterface
	interface Reading<C, D> {

		D read(C call, EndedCommand end) throws NoVerdictException;

	}

}
