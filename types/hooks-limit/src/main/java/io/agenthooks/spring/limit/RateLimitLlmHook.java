package io.agenthooks.spring.limit;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.WarningThrottle;
import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmDecision;
import io.agenthooks.llmcall.PreLlmHook;
import io.agenthooks.spring.HookHealth;

/**
 * A call counts when the hook lets it pass, whatever becomes of it. Whatever keeps the
 * hook from counting denies the call.
 */
final class RateLimitLlmHook implements PreLlmHook, CountingHook, HookHealth {

	private static final Logger logger = LoggerFactory.getLogger(RateLimitLlmHook.class);

	private final String name;

	private final LimitKeys keys;

	private final LlmBudgetConfig.Then then;

	private final int maxKeys;

	private final LimitStore store;

	private final CallsLeft left;

	private final WarningThrottle warnings = new WarningThrottle(logger);

	RateLimitLlmHook(String name, LlmRateLimitConfig config, LimitStores stores) {
		List<Problem> problems = new ArrayList<>();
		ModelKey.check("limit", config.limit(), problems);
		ModelKey.check("key", config.key(), problems);
		if (!problems.isEmpty()) {
			throw new InvalidHookConfigException(problems);
		}
		RateLimitSettings settings = RateLimitSettings.of(new RateLimitConfig(config.limit(), config.key(), null,
				config.missing(), null, null, config.maxKeys(), config.forgetAfter()), ModelKey.NO_EXPRESSIONS);
		this.name = name;
		this.keys = new LimitKeys(settings.groups(), settings.missing());
		this.then = Objects.requireNonNullElse(config.then(), LlmBudgetConfig.Then.DENY);
		this.maxKeys = settings.maxKeys();
		this.store = stores.make("model calls\n" + name, settings.groups(), settings.forgetAfter(), settings.maxKeys());
		this.left = new CallsLeft(stores.kind());
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public LlmDecision preCall(LlmCall call) {
		LimitKeys.Found found = this.keys.of(ModelKey.callIn(call.context()));
		List<String> keys = found.keys();
		if (keys == null) {
			return (found.problem() != null) ? LlmDecision.deny(found.problem()) : LlmDecision.approve();
		}
		LimitStore.Answer answer = this.store.take(keys, null);
		this.left.add(answer);
		if (answer instanceof LimitStore.Enough) {
			return LlmDecision.approve();
		}
		if (answer instanceof LimitStore.UsedUp usedUp) {
			String reason = this.keys.reason(usedUp);
			return switch (this.then) {
				case DENY -> LlmDecision.deny(reason);
				case ABORT -> LlmDecision.abortTurn(reason);
			};
		}
		this.warnings.warn(LimitKeys.fullWarning(this.name, this.maxKeys));
		return LlmDecision.deny(LimitKeys.FULL);
	}

	@Override
	public CallsLeft left() {
		return this.left;
	}

	@Override
	public Report health() {
		return this.store.health();
	}

}
