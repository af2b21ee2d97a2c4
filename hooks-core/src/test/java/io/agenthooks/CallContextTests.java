package io.agenthooks;

import java.util.HashMap;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

/**
 * Tests for {@link CallContext}, and of the names that all kinds of hooks share.
 */
class CallContextTests {

	@Test
	void emptyHasDefaults() {
		CallContext context = CallContext.empty();
		assertThat(context.sessionId()).isNull();
		assertThat(context.agent()).isNull();
		assertThat(context.role()).isEqualTo("agent");
		assertThat(context.workspace()).isEqualTo("main");
		assertThat(context.attempt()).isEqualTo(1);
		assertThat(context.attributes()).isEmpty();
	}

	@Test
	void withersChangeOnePartEach() {
		CallContext context = CallContext.ofSession("s")
			.withAgent("a")
			.withRole("r")
			.withWorkspace("w")
			.withAttempt(2)
			.withAttribute("one", 1)
			.withAttribute("two", 2);
		assertThat(context).isEqualTo(new CallContext("s", null, null, "a", "r", "w", 2, Map.of("one", 1, "two", 2)));
		assertThat(context.withSessionId(null).withAgent(null))
			.isEqualTo(new CallContext(null, null, null, null, "r", "w", 2, Map.of("one", 1, "two", 2)));
		assertThat(context.withAttribute("one", 11).attributes()).isEqualTo(Map.of("one", 11, "two", 2));
		assertThat(CallContext.empty()).isEqualTo(CallContext.ofSession(null));
	}

	@Test
	void attributesAreCopiedInOrderAndCannotBeChanged() {
		Map<String, Object> attributes = new HashMap<>(Map.of("a", 1));
		CallContext context = new CallContext(null, null, null, null, "r", "w", 1, attributes);
		attributes.put("b", 2);
		assertThat(context.attributes()).isEqualTo(Map.of("a", 1));
		assertThatExceptionOfType(UnsupportedOperationException.class)
			.isThrownBy(() -> context.attributes().put("c", 3));
		assertThat(CallContext.empty().withAttribute("z", 1).withAttribute("a", 2).attributes().keySet())
			.containsExactly("z", "a");
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, -1, Integer.MIN_VALUE })
	void attemptStartsAtOne(int attempt) {
		assertThatIllegalArgumentException().isThrownBy(() -> CallContext.empty().withAttempt(attempt))
			.withMessage("'attempt' must be 1 or more");
	}

	@Test
	@SuppressWarnings("NullAway")
	void createWithoutAPartNamesIt() {
		assertThatNullPointerException().isThrownBy(() -> CallContext.empty().withRole(null))
			.withMessage("'role' must not be null");
		assertThatNullPointerException().isThrownBy(() -> CallContext.empty().withWorkspace(null))
			.withMessage("'workspace' must not be null");
		assertThatNullPointerException().isThrownBy(() -> CallContext.empty().withAttribute("a", null))
			.withMessage("'value' must not be null");
		assertThatNullPointerException().isThrownBy(() -> new CallContext(null, null, null, null, "r", "w", 1, null))
			.withMessage("'attributes' must not be null");
	}

	@Test
	void toStringShowsNoValuesOfAttributesAndIsOneLine() {
		String text = new CallContext("s\nWARN fake", null, null, "a\rb", "r\u202e", "w\u001b", 1,
				Map.of("token\n", "hunter2"))
			.toString();
		assertThat(text).contains("token", "WARN fake").doesNotContain("hunter2", "\n", "\r", "\u202e", "\u001b");
		assertThat(CallContext.empty().toString()).contains("sessionId=null", "role=agent");
	}

	@Test
	void verdictsHaveOneNameEverywhere() {
		assertThat(Verdict.values()).extracting(Verdict::value)
			.containsExactly("approve", "modify", "deny", "respond", "ask", "abort");
	}

}
