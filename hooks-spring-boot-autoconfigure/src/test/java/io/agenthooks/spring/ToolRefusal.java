package io.agenthooks.spring;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.io.ByteArrayResource;

import io.agenthooks.HookRule;
import io.agenthooks.Withheld;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolApprover;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolOutcome;
import io.agenthooks.toolcall.ToolResultHook;

/**
 * The ways in which a call of a tool is refused, with what each reader gets to read: the
 * same for all frameworks. The tool gets an argument with the text {@code Paris}.
 */
@SuppressWarnings("ImmutableEnumChecker") // nothing changes what a constant has
public enum ToolRefusal {

	/** A pattern of a policy, which no model reads. */
	PATTERN("with this argument", "matches the pattern '" + ToolRefusal.PATTERN_TEXT + "'",
			entry("{type: policy, name: hook, config: {deny_any_argument_patterns: ['" + ToolRefusal.PATTERN_TEXT
					+ "']}}")),

	/** A pattern that the model may read. */
	SHOWN_PATTERN("matches the pattern '" + ToolRefusal.PATTERN_TEXT + "'",
			"matches the pattern '" + ToolRefusal.PATTERN_TEXT + "'",
			entry("{type: policy, name: hook, config: {show_pattern: true, deny_any_argument_patterns: ['"
					+ ToolRefusal.PATTERN_TEXT + "']}}")),

	/** A reason of the house. */
	REASON("Ask for another city.", "matches the pattern '" + ToolRefusal.PATTERN_TEXT + "'",
			entry("{type: policy, name: hook, reason: Ask for another city., config: {deny_any_argument_patterns: ['"
					+ ToolRefusal.PATTERN_TEXT + "']}}")),

	/** A reason of the house for a bean. */
	REASON_OF_A_BEAN("Ask for another city.", "list B",
			entry("{type: bean, reason: Ask for another city., config: {bean: hook}}")
				.andThen((runner) -> withHook(runner, (call) -> ToolDecision.deny("list B")))::apply),

	/** A bean. */
	DENIAL("list B", "list B", (runner) -> withHook(runner, (call) -> ToolDecision.deny("list B"))),

	/** A limit. */
	LIMIT("used up", "used up", (runner) -> withHook(runner, (call) -> ToolDecision.budgetExceeded("used up"))),

	/** A hook that throws. */
	FAILURE("The hook failed", "The hook failed", (runner) -> withHook(runner, (call) -> {
		throw new IllegalStateException("list B");
	})),

	/** A hook that is too slow. */
	TIMEOUT("The hook failed", "The hook failed",
			entry("{type: bean, timeout: 20ms, config: {bean: hook}}")
				.andThen((runner) -> withHook(runner, (call) -> never()))::apply),

	/** A person who says no. */
	PERSON("She is under investigation", "She is under investigation",
			(runner) -> withHook(runner, (call) -> ToolDecision.ask("May it?")).withBean(ToolApprover.class,
					() -> (call, question) -> ToolDecision.deny("A person denied this call: She is under investigation")
						.answeredBy("ann"))),

	/** A result that is withheld. */
	WITHHELD("list B", "list B", (runner) -> withResultHook(runner, (call, result) -> ToolDecision.deny("list B"))),

	/** A result hook that throws. */
	FAILURE_AFTERWARDS("The hook failed", "The hook failed", (runner) -> withResultHook(runner, (call, result) -> {
		throw new IllegalStateException("list B");
	}));

	/** What must not be found. */
	static final String PATTERN_TEXT = "Par[i]s";

	private final String forModel;

	private final String forOperators;

	private final UnaryOperator<ApplicationContextRunner> configuration;

	ToolRefusal(String forModel, String forOperators, UnaryOperator<ApplicationContextRunner> configuration) {
		this.forModel = forModel;
		this.forOperators = forOperators;
		this.configuration = configuration;
	}

	private static UnaryOperator<ApplicationContextRunner> entry(String entry) {
		return (runner) -> withYaml(runner, "hooks:\n  tool_call:\n    pre_call:\n      - " + entry + "\n");
	}

	/**
	 * An application with these properties.
	 */
	public static ApplicationContextRunner withYaml(ApplicationContextRunner runner, String yaml) {
		return runner.withInitializer((context) -> {
			try {
				new YamlPropertySourceLoader()
					.load("application.yaml", new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8)))
					.forEach((source) -> context.getEnvironment().getPropertySources().addFirst(source));
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		});
	}

	private static ApplicationContextRunner withHook(ApplicationContextRunner runner, PreToolHook hook) {
		return runner.withBean("hook", PreToolHook.class, () -> hook);
	}

	private static ApplicationContextRunner withResultHook(ApplicationContextRunner runner, ToolResultHook hook) {
		return runner.withBean("hook", ToolResultHook.class, () -> hook);
	}

	private static ToolDecision never() {
		try {
			new CountDownLatch(1).await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		return ToolDecision.approve();
	}

	/**
	 * An application that refuses calls like this.
	 */
	public ApplicationContextRunner in(ApplicationContextRunner runner) {
		return this.configuration.apply(runner);
	}

	/**
	 * Whether a text is one that the model may read: with its own words, and without the
	 * pattern unless that is to be shown.
	 */
	public boolean isForModel(String text) {
		String start = (isAfterwards()) ? "Tool result withheld by hook 'hook': " : "Tool call denied by hook 'hook': ";
		return text.startsWith(start) && text.contains(this.forModel)
				&& (this == SHOWN_PATTERN || !text.contains(PATTERN_TEXT));
	}

	/**
	 * Whether the record of a call has everything for operators.
	 */
	public boolean isOnRecord(ToolOutcome outcome) {
		List<Withheld> withheld = outcome.withheld();
		if (isAfterwards()) {
			return withheld.size() == 1 && withheld.get(0).hook().equals("hook")
					&& withheld.get(0).reason().contains(this.forOperators);
		}
		return withheld.isEmpty() && "hook".equals(outcome.decidedBy())
				&& (String.valueOf(outcome.decision().reason()) + " " + detailOf(outcome.rule()))
					.contains(this.forOperators);
	}

	private boolean isAfterwards() {
		return this == WITHHELD || this == FAILURE_AFTERWARDS;
	}

	private static String detailOf(@Nullable HookRule rule) {
		return (rule != null) ? Objects.requireNonNullElse(rule.detail(), "") : "";
	}

}
