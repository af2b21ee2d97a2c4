package io.agenthooks.spring.policy;

import java.time.Clock;
import java.util.List;
import java.util.function.Supplier;

import org.springframework.beans.factory.ObjectProvider;

import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.policy.PolicyRule;
import io.agenthooks.policy.ToolRules;
import io.agenthooks.spring.expression.CallExpression;
import io.agenthooks.spring.expression.CallExpressions;
import io.agenthooks.spring.expression.OutcomeCondition;
import io.agenthooks.spring.expression.OutcomeConditions;

/** Reads rules. It is there if the library of their language is. */
final class RuleLanguage implements CallExpressions, OutcomeConditions {

	private final Clock clock;

	RuleLanguage(Clock clock) {
		this.clock = clock;
	}

	/** The language, which is asked for only if there are rules. */
	static RuleLanguage of(ObjectProvider<RuleLanguage> languages) {
		RuleLanguage language = languages.getIfAvailable();
		if (language == null) {
			throw new InvalidHookConfigException(List.of(new Problem(List.of("rules"),
					"The conditions of rules are in CEL, and the library that reads it is not on the class path.",
					"Add the dependency 'dev.cel:cel', in a version from 0.14.0 on.")));
		}
		return language;
	}

	Clock clock() {
		return this.clock;
	}

	@Override
	public CallExpression read(String option, String text) {
		return read(option, () -> CelCallExpression.read(option, text, this.clock));
	}

	@Override
	public OutcomeCondition readOutcomeCondition(String option, String text) {
		return read(option, () -> CelOutcomeCondition.read(option, text, this.clock));
	}

	ToolRules readToolRules(List<PolicyRule> rules) {
		return read(() -> RuleReader.readToolRules(rules, this.clock));
	}

	Rule[] readLlmRules(List<CallRule> rules) {
		return read(() -> RuleReader.readLlmRules(rules));
	}

	Rule[] readRunRules(List<CallRule> rules) {
		return read(() -> RuleReader.readRunRules(rules));
	}

	/**
	 * Read rules, and say what is wrong if the library cannot work: it refuses an older
	 * version of Protocol Buffers than its own, and Spring Boot manages one.
	 */
	static <T> T read(Supplier<T> rules) {
		return read("rules", rules);
	}

	private static <T> T read(String option, Supplier<T> written) {
		try {
			return written.get();
		}
		catch (LinkageError ex) {
			throw new InvalidHookConfigException(List.of(new Problem(List.of(option),
					"The library that reads CEL, 'dev.cel:cel', cannot work with the other libraries on the class path (%s)."
						.formatted(rootOf(ex).getClass().getName()),
					"Use the version of 'com.google.protobuf:protobuf-java' that it is made for, 4.35.1 for 'dev.cel:cel' "
							+ "0.14.0: set the property 'protobuf-java.version' of Spring Boot.")));
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
