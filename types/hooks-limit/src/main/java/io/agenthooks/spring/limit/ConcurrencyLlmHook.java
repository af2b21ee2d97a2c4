package io.agenthooks.spring.limit;

import java.util.ArrayList;
import java.util.List;

import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmDecision;
import io.agenthooks.llmcall.LlmOutcome;
import io.agenthooks.llmcall.PostLlmHook;
import io.agenthooks.llmcall.PreLlmHook;

/** A streamed call leaves its place after its last part. */
final class ConcurrencyLlmHook extends ConcurrencyHook implements PreLlmHook, PostLlmHook {

	private final String name;

	ConcurrencyLlmHook(String name, LlmConcurrencyConfig config, LimitStores stores) {
		this(name, settings(config), stores);
	}

	private ConcurrencyLlmHook(String name, ConcurrencySettings settings, LimitStores stores) {
		super(settings, stores.slots("model calls\n" + name, settings), stores.kind());
		this.name = name;
	}

	private static ConcurrencySettings settings(LlmConcurrencyConfig config) {
		List<Problem> problems = new ArrayList<>();
		ModelKey.check("key", config.key(), problems);
		if (!problems.isEmpty()) {
			throw new InvalidHookConfigException(problems);
		}
		return ConcurrencySettings.of(new ConcurrencyConfig(config.maxConcurrent(),
				(config.key() != null) ? config.key() : List.of("all"), null, config.missing(), config.timeout()),
				ModelKey.NO_EXPRESSIONS);
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public LlmDecision preCall(LlmCall call) {
		LimitKey.Found found = settings().key().of(ModelKey.callIn(call.context()));
		String problem = (found.key() != null) ? enter(found.key()) : uncounted(found);
		return (problem != null) ? LlmDecision.deny(problem) : LlmDecision.approve();
	}

	@Override
	public void postCall(LlmOutcome outcome) {
		leave();
	}

}
