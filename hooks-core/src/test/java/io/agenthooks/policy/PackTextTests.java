package io.agenthooks.policy;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.agenthooks.pattern.Budget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link PackText}.
 */
class PackTextTests {

	@ParameterizedTest
	@CsvSource(delimiter = ';', quoteCharacter = '~', ignoreLeadingAndTrailingWhitespace = false, nullValues = "-",
			value = { "a/*!50000b*/c;a b c", "a/*M!100100 b*/;a  b ", "/*!b;~ b~",
					"x/* y *//*!b*/;~x  b \n;\nx  y */ b ~", "/*!a/*b*/c*/d;~ a c d\n;\n a b c*/d~",
					"/*!0000001*/;~ 1 ~", "/*!/*;~  ~", "/* a */;-", "a */;-", "%41;-", "file:///%41;file:///A",
					"FILE:/%2541;FILE:/A", "file%3A/%41;file:/A", "file: 5 %;-", "file:%2a/*!b*/;file:* b " })
	void textIsReadAsThoseDoWhoActOnIt(String text, @Nullable String read) {
		assertThat(PackText.read(text, new Budget())).isEqualTo(read);
	}

	@Test
	void longTextHasABudget() {
		String text = "file:" + "%2525".repeat(7_000_000);
		assertThatExceptionOfType(Budget.ExhaustedException.class).isThrownBy(() -> PackText.read(text, new Budget()));
	}

}
