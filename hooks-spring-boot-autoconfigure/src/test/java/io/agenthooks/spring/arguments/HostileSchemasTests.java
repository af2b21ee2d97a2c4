package io.agenthooks.spring.arguments;

import java.util.Map;
import java.util.Objects;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

class HostileSchemasTests {

	private static final Map<String, HostileSchemas.Case> CASES = HostileSchemas.all();

	static Set<String> names() {
		return CASES.keySet();
	}

	/** A quarter of a second for each, with room for a cold and busy machine. */
	@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
	@ParameterizedTest
	@MethodSource("names")
	void checkEndsWhateverSchemaAndArgumentsAre(String name) {
		HostileSchemas.Case hostile = Objects.requireNonNull(CASES.get(name));
		Map<String, @Nullable Object> arguments = ToolArguments.parse(hostile.arguments());

		String objection = ToolSchema.of(hostile.schema()).objection(arguments);

		if (hostile.expected().isEmpty()) {
			assertThat(objection).isNull();
		}
		else {
			assertThat(objection).contains(hostile.expected());
		}
	}

}
