package io.agenthooks.spring.binding;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.DefaultValue;

import io.agenthooks.spring.ToolHookFactory;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolDecision;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the classes that a factory may take its {@code config} as.
 */
class ConfigTypesTests {

	private final List<Object> made = new ArrayList<>();

	@Test
	void classWithOneConstructorTakesItsParametersAsOptions() {
		read(DataClass.class, "max_amount: 500", "currencies: [EUR, USD]", "window: {length: 5s}", "limit: '7'");
		assertThat(this.made).singleElement().asString().isEqualTo("500 [EUR, USD] PT5S 7 {} default");
		read(DataClass.class, "window: {length: 5s}", "limits: {a: 1}", "text: x");
		assertThat(this.made).last().asString().isEqualTo("0 null PT5S null {a=1} x");
	}

	@Test
	void classWithSettersTakesThemAsOptions() {
		read(Bean.class, "max-amount: 500");
		assertThat(this.made).singleElement().asString().isEqualTo("500");
	}

	@Test
	void mistakesInOptionsOfAClassWithAConstructorAreNamed() {
		assertThat(problemsOf(DataClass.class, "max_amount: many", "curencies: [EUR]", "window: {lenght: 5s}"))
			.contains("config.max_amount' is not a whole number", "config.curencies' is not an option here",
					"Did you mean 'currencies'?", "config.window.lenght' is not an option here",
					"Did you mean 'length'?");
	}

	@Test
	void classThatTakesNoOptionsIsRefusedWithTheReason() {
		assertThat(problemsOf(TwoConstructors.class, "a: 1")).contains("config.a' is not an option here",
				"The type " + TwoConstructors.class.getName() + " takes none: it is not a record, has no setters, and");
		assertThat(problemsOf(Empty.class, "a: 1")).contains("There are no options here").doesNotContain("takes none");
	}

	private void read(Class<?> type, String... options) {
		HooksYaml.of("hooks.tool_call.pre_call:\n  - type: t\n    config:\n      " + String.join("\n      ", options))
			.read(List.of(ToolHookFactory.of("t", type, (name, config) -> {
				this.made.add(config);
				PreToolHook hook = (call) -> ToolDecision.approve();
				return hook;
			})));
	}

	private String problemsOf(Class<?> type, String... options) {
		try {
			read(type, options);
		}
		catch (InvalidHooksConfigurationException ex) {
			return new InvalidHooksConfigurationFailureAnalyzer().analyze(ex, ex).getDescription();
		}
		throw new AssertionError("No mistake was found");
	}

	/**
	 * What a data class of Kotlin is for Java.
	 */
	static final class DataClass {

		private final String text;

		DataClass(int maxAmount, @Nullable List<String> currencies, Window window, @Nullable Limit limit,
				@DefaultValue Map<String, Integer> limits, @DefaultValue("default") String text) {
			this.text = "%d %s %s %s %s %s".formatted(maxAmount, currencies, window.length, limit, limits, text);
		}

		@Override
		public String toString() {
			return this.text;
		}

	}

	static final class Window {

		private final Duration length;

		Window(Duration length) {
			this.length = length;
		}

	}

	/**
	 * A value that a text is converted to.
	 */
	public static final class Limit {

		private final String value;

		private Limit(String value) {
			this.value = value;
		}

		public static Limit valueOf(String value) {
			return new Limit(value);
		}

		@Override
		public String toString() {
			return this.value;
		}

	}

	public static class Bean {

		private int maxAmount;

		public void setMaxAmount(int maxAmount) {
			this.maxAmount = maxAmount;
		}

		@Override
		public String toString() {
			return String.valueOf(this.maxAmount);
		}

	}

	static class TwoConstructors {

		TwoConstructors(int a) {
		}

		TwoConstructors(String a) {
		}

	}

	static class Empty {

	}

}
