package io.agenthooks.test.langchain4j;

import java.util.Map;

import dev.langchain4j.service.AiServices;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.agenthooks.test.ToolHooksTester;

import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for AI services as beans of a {@link ToolHooksTester}, whose calls would pass no
 * hooks.
 */
class ServicesInTestersTests {

	@Test
	void serviceIsNoBeanOfATester() {
		ToolHooksTester hooks = ToolHooksTester.ofYaml("").withBean("assistant", Assistants.make());
		assertThatIllegalStateException().isThrownBy(() -> hooks.call("read", Map.of()))
			.withMessageContaining("'assistant' is an AI service of LangChain4j")
			.withMessageContaining("@SpringBootTest");
	}

	@Test
	void serviceIsNoBeanOfAConfigurationOfATester() {
		ToolHooksTester hooks = ToolHooksTester.ofYaml("").withConfiguration(Assistants.class);
		assertThatIllegalStateException().isThrownBy(() -> hooks.call("read", Map.of()))
			.withMessageContaining("'helper' is an AI service of LangChain4j");
	}

	@Configuration(proxyBeanMethods = false)
	static class Assistants {

		@Bean
		Assistant helper() {
			return make();
		}

		static Assistant make() {
			return AiServices.create(Assistant.class, new ScriptedChatModel());
		}

	}

	interface Assistant {

		String chat(String text);

	}

}
