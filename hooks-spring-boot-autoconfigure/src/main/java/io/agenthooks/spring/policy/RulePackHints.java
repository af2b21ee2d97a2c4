package io.agenthooks.spring.policy;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

final class RulePackHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		RulePacks.NAMES.forEach((name) -> hints.resources().registerPattern(RulePacks.fileOf(name)));
	}

}
