package io.agenthooks.spring.binding;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import io.agenthooks.spring.ToolHookFactory;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolDecision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for the visibility of the records that the {@code config} of a hook is bound to:
 * nobody else need see them.
 */
class ConfigRecordsTests {

	static Stream<Class<?>> records() {
		return Stream.of(Shared.class, OfPackage.class, Hidden.class, Several.class);
	}

	@ParameterizedTest
	@MethodSource("records")
	<C> void configIsBoundToARecordOfAnyVisibility(Class<C> record) {
		List<Object> bound = new ArrayList<>();
		ToolHookFactory<C> factory = ToolHookFactory.of("mine", record, (config) -> {
			bound.add(config);
			return (PreToolHook) (call) -> ToolDecision.approve();
		});
		HooksYaml.of("""
				hooks:
				  tool_call:
				    pre_call:
				      - type: mine
				        config: {texts: [a, b], command: [run, it], inner: {size: 3}}
				""").read(List.of(factory));
		assertThat(bound).singleElement()
			.isInstanceOf(record)
			.hasFieldOrPropertyWithValue("texts", List.of("a", "b"))
			.hasFieldOrPropertyWithValue("command", Line.of(List.of("run", "it")))
			.hasFieldOrPropertyWithValue("inner", new Inner(3));
	}

	@Test
	void typeThatRefusesItsTextStopsTheStartWithoutTheText() {
		ToolHookFactory<Picky> factory = ToolHookFactory.of("mine", Picky.class,
				(config) -> (PreToolHook) (call) -> ToolDecision.approve());
		HooksYaml yaml = HooksYaml.of("hooks: {tool_call: {pre_call: [{type: mine, config: {words: s3cret}}]}}");
		assertThatExceptionOfType(InvalidHooksConfigurationException.class)
			.isThrownBy(() -> yaml.read(List.of(factory)))
			.withMessageContaining("config.words' is refused")
			.withMessageNotContaining("s3cret");
	}

	record Picky(Words words) {
	}

	record Words(List<String> words) {

		static Words of(String text) {
			if (!text.isEmpty()) {
				throw new IllegalArgumentException(text);
			}
			return of(List.of());
		}

		static Words of(List<String> words) {
			return new Words(words);
		}

	}

	public record Line(List<String> words) {

		static Line of(String text) {
			return new Line(List.of(text));
		}

		static Line of(List<String> words) {
			return new Line(words);
		}

	}

	public record Shared(List<String> texts, Line command, Inner inner) {
	}

	record OfPackage(List<String> texts, Line command, Inner inner) {
	}

	private record Hidden(List<String> texts, Line command, Inner inner) {
	}

	private record Several(List<String> texts, Line command, @Nullable Inner inner) {

		@SuppressWarnings("unused") // of the binder, if it took the wrong one
		Several(List<String> texts) {
			this(texts, new Line(List.of()), null);
		}

	}

	private record Inner(int size) {
	}

}
