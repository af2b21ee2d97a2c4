package io.agenthooks.toolcall;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class MaxArgumentsSizeTests {

	private final List<ToolCall> asked = new ArrayList<>();

	private final List<ToolOutcome> outcomes = new ArrayList<>();

	private ToolHookChain chain(PreToolHook... hooks) {
		List<PreToolHook> all = new ArrayList<>(List.of((PreToolHook) (call) -> {
			this.asked.add(call);
			return ToolDecision.approve();
		}));
		all.addAll(List.of(hooks));
		return limited(new ToolHookChain(all, List.of((PostToolHook) this.outcomes::add)));
	}

	private static ToolHookChain limited(ToolHookChain chain) {
		chain.setMaxArgumentsSize(1024 * 1024);
		return chain;
	}

	private static ToolResult run(ToolHookChain chain, Map<String, ?> arguments) {
		return chain.execute(ToolCall.of("t", arguments), (call) -> ToolResult.success("ran"));
	}

	/** With names, for some of them would take long to be written out. */
	static List<Named<Object>> large() {
		return List.of(Named.of("text", "x".repeat(2_000_000)), Named.of("ones", Collections.nCopies(600_000, 1)),
				Named.of("empty texts", Collections.nCopies(400_000, "")),
				Named.of("empty lists", Collections.nCopies(400_000, List.of())),
				Named.of("name", Map.of("n".repeat(2_000_000), 1)),
				Named.of("large number", new BigDecimal("1e999999999")),
				Named.of("small number", new BigDecimal("1e-999999999")),
				Named.of("long number", BigInteger.ONE.shiftLeft(40_000_000)),
				Named.of("large numbers", Collections.nCopies(10_000, new BigDecimal("1e1001"))));
	}

	@ParameterizedTest
	@MethodSource("large")
	void argumentsThatAreTooLargeReachNoHookAndNoTool(Object value) {
		ToolResult result = run(chain(), Map.of("a", value));

		assertThat(result.succeeded()).isFalse();
		assertThat(result.content()).contains("too large");
		assertThat(this.asked).isEmpty();
		assertThat(this.outcomes).singleElement().satisfies((outcome) -> {
			assertThat(outcome.requested().arguments()).isEmpty();
			assertThat(outcome.status()).isEqualTo(ToolCallStatus.DENIED);
		});
	}

	@ParameterizedTest
	@MethodSource("large")
	void emptyChainDeniesThemAsWell(Object value) {
		ToolHookChain chain = limited(new ToolHookChain(List.of(), List.of()));

		assertThat(run(chain, Map.of("a", value)).succeeded()).isFalse();
	}

	@Test
	void argumentsOfUsualSizePass() {
		assertThat(run(chain(), Map.of("a", "x".repeat(1_000_000))).succeeded()).isTrue();
		assertThat(run(chain(), Map.of("a", Collections.nCopies(500_000, 1))).succeeded()).isTrue();
		assertThat(run(chain(), Map.of("a", Collections.nCopies(40_000, new BigDecimal("1e-300")))).succeeded())
			.isTrue();
	}

	@Test
	void sizeCanBeSet() {
		ToolHookChain chain = chain();
		chain.setMaxArgumentsSize(100);

		assertThat(run(chain, Map.of("a", "x".repeat(200))).succeeded()).isFalse();
		assertThat(run(chain, Map.of("a", "x".repeat(50))).succeeded()).isTrue();
		assertThat(chain.getMaxArgumentsSize()).isEqualTo(100);
		assertThatIllegalArgumentException().isThrownBy(() -> chain.setMaxArgumentsSize(1));
	}

	@Test
	void hookCannotMakeArgumentsTooLarge() {
		ToolHookChain chain = chain((call) -> ToolDecision.modify(Map.of("a", "x".repeat(2_000_000))));

		assertThat(run(chain, Map.of("a", "x")).content()).contains("too large");
	}

}
