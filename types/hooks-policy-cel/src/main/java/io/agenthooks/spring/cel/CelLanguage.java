package io.agenthooks.spring.cel;

import java.time.Clock;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.llmcall.LlmHook;
import io.agenthooks.policy.PolicyLlmHook;
import io.agenthooks.policy.PolicyRule;
import io.agenthooks.policy.ToolRules;
import io.agenthooks.run.RunHook;
import io.agenthooks.spring.expression.CallExpression;
import io.agenthooks.spring.expression.CallExpressions;
import io.agenthooks.spring.expression.OutcomeCondition;
import io.agenthooks.spring.expression.OutcomeConditions;
import io.agenthooks.spring.policy.CallRule;
import io.agenthooks.spring.policy.RuleLanguage;

record CelLanguage(Clock clock) implements RuleLanguage, CallExpressions, OutcomeConditions {

	@Override
	public CallExpression read(String option, String text) {
		return read(option, () -> CelCallExpression.read(option, text, this.clock));
	}

	@Override
	public OutcomeCondition readOutcomeCondition(String option, String text) {
		return read(option, () -> CelOutcomeCondition.read(option, text, this.clock));
	}

	@Override
	public ToolRules readToolRules(List<PolicyRule> rules) {
		return read(() -> RuleReader.readToolRules(rules, this.clock));
	}

	@Override
	public LlmHook readLlmRules(List<CallRule> rules, @Nullable String reason, @Nullable PolicyLlmHook lists) {
		return new CelLlmHook(lists, read(() -> RuleReader.readLlmRules(rules, reason)), this.clock);
	}

	RunHook readRunRules(RunRulesConfig config) {
		List<CallRule> rules = Objects.requireNonNullElse(config.rules(), List.of());
		return new CelRunHook(read(() -> RuleReader.readRunRules(rules, config.reason())), this.clock);
	}

	/** The library refuses an older version of Protocol Buffers than its own. */
	static <T> T read(Supplier<T> rules) {
		return read("rules", rules);
	}

	private static <T> T read(String option, Supplier<T> written) {
		try {
			return written.get();
		}
		catch (LinkageError ex) {
			throw new InvalidHookConfigException(List.of(new Problem(List.of(option),
					"The library that reads CEL, 'dev.cel:compiler', cannot work with the other libraries on the class path (%s)."
						.formatted(rootOf(ex).getClass().getName()),
					"Use its version that io.agenthooks:hooks-policy-cel brings, and 'com.google.protobuf:protobuf-java' "
							+ "as Spring Boot manages it, from 4.33.5 on.")));
		}
	}

	private static Throwable rootOf(Throwable ex) {
		Throwable root = ex;
		while (root.getCause() != null) {
			root = root.getCause();
		}
		return root;
	}

}
