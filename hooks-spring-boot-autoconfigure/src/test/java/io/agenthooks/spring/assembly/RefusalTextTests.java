package io.agenthooks.spring.assembly;

import java.util.List;
import java.util.Locale;

import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.MessageSource;
import org.springframework.context.support.StaticMessageSource;

import io.agenthooks.RefusalText;
import io.agenthooks.llmcall.LlmHookChain;
import io.agenthooks.spring.HookTypes;
import io.agenthooks.toolcall.ToolHookChain;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the text that persons read of a refusal.
 */
class RefusalTextTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(HookTypes.with(ToolCallHooksAutoConfiguration.class, LlmCallHooksAutoConfiguration.class));

	@Test
	void allChainsHaveTheDefault() {
		this.runner.run((context) -> {
			assertThat(context.getBean(ToolHookChain.class).getRefusalText().in(Locale.FRENCH))
				.isEqualTo(RefusalText.DEFAULT);
			assertThat(context.getBean(LlmHookChain.class).getRefusalText().in(Locale.FRENCH))
				.isEqualTo(RefusalText.DEFAULT);
		});
	}

	@Test
	void textIsConfigured() {
		this.runner.withPropertyValues("hooks.refusal.text=No.")
			.run((context) -> assertThat(context.getBean(ToolHookChain.class).getRefusalText().in(Locale.FRENCH))
				.isEqualTo("No."));
	}

	@Test
	void messageOfTheLanguageWins() {
		StaticMessageSource messages = new StaticMessageSource();
		messages.addMessage("hooks.refusal.text", Locale.GERMAN, "Nein.");
		this.runner.withPropertyValues("hooks.refusal.text=No.")
			.withBean("messageSource", MessageSource.class, () -> messages)
			.run((context) -> {
				RefusalText text = context.getBean(LlmHookChain.class).getRefusalText();
				assertThat(text.in(Locale.GERMAN)).isEqualTo("Nein.");
				assertThat(text.in(Locale.FRENCH)).isEqualTo("No.");
			});
	}

	@Test
	void messageThatCannotBeReadIsTheConfiguredText() {
		StaticMessageSource messages = new StaticMessageSource();
		messages.addMessage("hooks.refusal.text", Locale.GERMAN, "Nein {");
		messages.setAlwaysUseMessageFormat(true);
		this.runner.withBean("messageSource", MessageSource.class, () -> messages)
			.run((context) -> assertThat(context.getBean(RefusalText.class).in(Locale.GERMAN))
				.isEqualTo(RefusalText.DEFAULT));
	}

	@Test
	void beanOfTheApplicationAndItsChainsWin() {
		this.runner.withBean(RefusalText.class, () -> RefusalText.of("Ours"))
			.withBean(ToolHookChain.class, () -> new ToolHookChain(List.of(), List.of()))
			.run((context) -> assertThat(context.getBean(ToolHookChain.class).getRefusalText().in(Locale.FRENCH))
				.isEqualTo("Ours"));
	}

	@Test
	void blankTextAndUnknownKeysStopTheStart() {
		this.runner.withPropertyValues("hooks.refusal.text= ")
			.run((context) -> assertThat(context).getFailure().rootCause().hasMessageContaining("hooks.refusal.text"));
		this.runner.withPropertyValues("hooks.refusal.txt=No.")
			.run((context) -> assertThat(context).getFailure().rootCause().hasMessageContaining("hooks.refusal.txt"));
	}

}
