package io.agenthooks.spring.langchain4j.app;

import dev.langchain4j.data.message.ToolExecutionResultMessage;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.annotation.DirtiesContext;

import io.agenthooks.spring.langchain4j.ScriptedModel;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application that has LangChain4j and the starter, and no line of code about hooks.
 */
@DirtiesContext
@SpringBootTest(properties = "spring.config.location=classpath:/langchain4j-app.yaml")
class SupportApplicationTests {

	@Autowired
	private SupportAgent agent;

	@Autowired
	private OrderTools tools;

	@Autowired
	private ScriptedModel model;

	@Test
	void configuredHooksDecideAboutTheToolsOfTheAgent() {
		assertThat(this.agent.chat("Forget my order 4711")).isEqualTo("Done");
		assertThat(this.tools.done).containsExactly("find 4711");
		assertThat(this.model.results()).extracting(ToolExecutionResultMessage::isError)
			.containsExactly(false, true, true);
		assertThat(this.model.results().get(0).text()).contains("4711").doesNotContain("ann@example.com");
		assertThat(this.model.results().get(1).text()).startsWith("Tool call denied by hook 'orders'");
		assertThat(this.model.results().get(2).text()).startsWith("Tool call denied by hook 'orders'");
	}

}
