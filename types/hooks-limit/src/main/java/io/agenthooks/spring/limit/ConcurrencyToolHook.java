package io.agenthooks.spring.limit;

import java.util.List;

import org.jspecify.annotations.Nullable;

import io.agenthooks.chain.CallNotes;
import io.agenthooks.spring.scope.HasConditions;
import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.RehearsedHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolOutcome;

/**
 * A call leaves its place also if another hook denied it, if it waits for a person, or if
 * its tool never ran.
 * <p>
 * If the key depends on arguments it is a policy: asked again when a later hook changed
 * them, it takes a place of the final key instead.
 */
final class ConcurrencyToolHook extends ConcurrencyHook implements RehearsedHook, PostToolHook, HasConditions {

	private final String name;

	ConcurrencyToolHook(String name, ConcurrencyConfig config, KeyReader.Expressions expressions, LimitStores stores) {
		this(name, ConcurrencySettings.of(config, expressions), stores);
	}

	private ConcurrencyToolHook(String name, ConcurrencySettings settings, LimitStores stores) {
		super(settings, stores.slots(name, settings), stores.kind());
		this.name = name;
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public List<?> conditions() {
		return settings().key().expressions();
	}

	@Override
	public boolean isRepeatable() {
		return settings().key().readsArguments();
	}

	@Override
	public boolean isExplainable() {
		return true;
	}

	@Override
	public boolean mayAsk() {
		return false;
	}

	@Override
	public ToolDecision preCall(ToolCall call) {
		LimitKey.Found found = settings().key().of(call);
		String before = (isRepeatable()) ? running() : null;
		if (before != null && before.equals(found.key())) {
			return ToolDecision.approve();
		}
		if (before != null) {
			leave();
		}
		return decision((found.key() != null) ? enter(found.key()) : uncounted(found));
	}

	private static ToolDecision decision(@Nullable String problem) {
		return (problem != null) ? ToolDecision.deny(problem) : ToolDecision.approve();
	}

	/** A call that waits for a person is asked about again, and has been counted. */
	@Override
	public ToolDecision rehearse(ToolCall call) {
		if (CallNotes.ofThisThread().isResumed()) {
			return ToolDecision.approve();
		}
		LimitKey.Found found = settings().key().of(call);
		if (found.key() == null) {
			return decision(uncounted(found));
		}
		return decision((slots().hasRoom(found.key())) ? null : settings().tooMany(slots()));
	}

	@Override
	public void postCall(ToolOutcome outcome) {
		leave();
	}

}
