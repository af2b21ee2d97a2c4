package io.agenthooks.spring.prompt;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link PromptConfig}; how it is read is a test of hooks-test.
 */
class PromptConfigTests {

	@Test
	void textOfAConfigurationDoesNotTellThePrompt() {
		PromptConfig config = new PromptConfig("sEcReT", "m", Duration.ofSeconds(1), null, null, null,
				new PromptConfig.Cache(null, 5));
		assertThat(config).hasToString("PromptConfig[model=m, timeout=PT1S, failOpen=null, outputSchema=null, "
				+ "maxConcurrent=null, cache=Cache[ttl=null, maxEntries=5]]");
	}

}
