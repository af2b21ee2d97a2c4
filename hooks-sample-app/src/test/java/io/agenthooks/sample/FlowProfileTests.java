package io.agenthooks.sample;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.test.util.TestSocketUtils;

import io.agenthooks.spring.approval.ApprovalChangedEvent;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the sample with a rule on where the values of a transfer come from.
 */
class FlowProfileTests {

	private static final String EVE = "US133000000121212121212";

	private static final String ADA = "GB29NWBK60161331926819";

	private static final String ORIGIN = "'recipient' is first seen in the result of read_mail, call 1";

	private final int port = TestSocketUtils.findAvailableTcpPort();

	@TempDir
	private Path directory;

	private final List<ApprovalChangedEvent> asked = new CopyOnWriteArrayList<>();

	private @Nullable ConfigurableApplicationContext sample;

	@AfterEach
	void stop() {
		sample().close();
	}

	@Test
	void mailDoesNotSayWhereMoneyGoes() {
		start("flow");
		List<ToolCallReport> calls = ask("Read my mails");
		assertThat(calls).extracting(ToolCallReport::status).containsExactly("succeeded", "denied");
		assertThat(calls.get(1)).extracting(ToolCallReport::decidedBy).isEqualTo("no-injected-payments");
		assertThat(calls.get(1).rule()).contains(ORIGIN);
		assertThat(calls.get(1).content()).doesNotContain(EVE, "read_mail");
	}

	@Test
	void userSaysWhereMoneyGoesBeforeAndAfterTheMail() {
		start("flow");
		assertThat(ask("Pay 50 EUR to " + ADA)).extracting(ToolCallReport::status).containsExactly("succeeded");
		ask("Read my mails");
		assertThat(ask("Pay 20 EUR to " + ADA)).extracting(ToolCallReport::status).containsExactly("succeeded");
		assertThat(ask("Read my mails")).extracting(ToolCallReport::status).containsExactly("succeeded", "denied");
	}

	@Test
	void personReadsWhereTheValueComesFrom() {
		start("secured,people,flow");
		assertThat(ask("Read my mails")).extracting(ToolCallReport::status).containsExactly("succeeded", "pending");
		assertThat(this.asked).singleElement().satisfies((question) -> {
			assertThat(question.request().reason()).contains(ORIGIN).doesNotContain(EVE);
			assertThat(question.request().rule()).contains(ORIGIN);
		});
	}

	@Test
	void moneyGoesWhereTheMailSaysWithoutTheProfile() {
		start("");
		assertThat(ask("Read my mails")).extracting(ToolCallReport::status).containsExactly("succeeded", "succeeded");
	}

	@Test
	void commandsOfThePagesDoWhatTheyPrint() throws Exception {
		start("flow");
		assertThat(ShownCommands.check(Path.of("../docs/decide/flow.md"), "Try it", this.port)).isEqualTo(3);
		assertThat(ShownCommands.check(Path.of("README.md"), "With a mail that gives orders", this.port)).isEqualTo(1);
	}

	private void start(String profiles) {
		SpringApplication application = new SpringApplication(SampleApplication.class);
		application.addListeners((PayloadApplicationEvent<?> event) -> {
			if (event.getPayload() instanceof ApprovalChangedEvent changed) {
				this.asked.add(changed);
			}
		});
		this.sample = application.run("--spring.profiles.active=" + profiles, "--sample.script=false",
				"--server.port=" + this.port, "--sample.workspace=" + this.directory.resolve("work"),
				"--sample.home=" + this.directory.resolve("home"));
	}

	private ConfigurableApplicationContext sample() {
		return Objects.requireNonNull(this.sample);
	}

	private List<ToolCallReport> ask(String message) {
		return sample().getBean(ChatAgent.class).ask(new ChatQuestion(message, "s1", "ann", null)).toolCalls();
	}

}
