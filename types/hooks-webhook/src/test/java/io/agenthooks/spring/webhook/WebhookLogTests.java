package io.agenthooks.spring.webhook;

import java.util.List;
import java.util.Map;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.read.ListAppender;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what a webhook logs.
 */
@Timeout(60)
class WebhookLogTests {

	private final ListAppender<ILoggingEvent> events = new ListAppender<>();

	private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);

	private final Level rootLevel = this.root.getLevel();

	private final Logger ours = (Logger) LoggerFactory.getLogger("io.agenthooks");

	private final Level ourLevel = this.ours.getLevel();

	@BeforeEach
	void listen() {
		this.ours.setLevel(Level.DEBUG);
		this.root.setLevel(Level.INFO);
		this.events.start();
		this.root.addAppender(this.events);
	}

	@AfterEach
	void stopListening() {
		this.root.detachAppender(this.events);
		this.root.setLevel(this.rootLevel);
		this.ours.setLevel(this.ourLevel);
	}

	@Test
	void failuresAreWarnedOfOnceAWhile() {
		try (FaultyServer server = new FaultyServer(FaultyServer.status(503, ""));
				WebhookToolHook hook = Webhooks.hook(server.url())) {
			for (int i = 0; i < 50; i++) {
				hook.preCall(Webhooks.CALL);
			}
			assertThat(warnings()).singleElement()
				.asString()
				.isEqualTo("Hook 'guard': The webhook answered with status 503. The call '" + Webhooks.CALL.id()
						+ "' of the tool 'run_command' passes, because of fail_open");
		}
	}

	@Test
	void nothingSecretIsLogged() {
		List<FaultyServer.Behaviour> behaviours = List.of(FaultyServer.APPROVE,
				FaultyServer.json("{\"verdict\":\"modify\",\"modified_arguments\":{\"a\":\"s3cret\"}}"),
				FaultyServer.json("{\"verdict\":\"s3cret\"}"), FaultyServer.json("s3cret"),
				FaultyServer.json("{\"verdict\":\"approve\",\"s3cret\":1,\"s3cret\":2}"),
				FaultyServer.status(500, "s3cret"), FaultyServer.status(400, "s3cret"),
				FaultyServer.contentType("text/s3cret", "s3cret"), FaultyServer.writeAndClose(""),
				FaultyServer.writeAndReset("HTTP/1.1 200 s3cret\r\n"), FaultyServer.writeAndHang("HTTP/1.1 s3cret"));
		for (FaultyServer.Behaviour behaviour : behaviours) {
			try (FaultyServer server = new FaultyServer(behaviour);
					WebhookToolHook hook = Webhooks.hook(server.url() + "?token=s3cret", "auth_header=Bearer s3cret",
							"timeout=300ms")) {
				ToolHookChain chain = new ToolHookChain(List.of(hook), List.of((PostToolHook) hook));
				chain.execute(ToolCall.of("t", Map.of("a", "s3cret")), (call) -> ToolResult.success("s3cret"));
			}
		}
		assertThat(this.events.list).isNotEmpty().allSatisfy((event) -> {
			assertThat(event.getFormattedMessage()).doesNotContain("s3cret");
			if (event.getThrowableProxy() != null) {
				assertThat(ThrowableProxyUtil.asString(event.getThrowableProxy())).doesNotContain("s3cret");
			}
		});
	}

	@Test
	void namesChosenByTheModelCannotForgeLogEntries() {
		try (FaultyServer server = new FaultyServer(FaultyServer.status(503, ""));
				WebhookToolHook hook = Webhooks.hook(server.url())) {
			hook.preCall(ToolCall.of("t\n2026-01-01 INFO all is well", Map.of()));
			assertThat(warnings()).singleElement().asString().doesNotContain("\n");
		}
	}

	/**
	 * Those of the hook: other tests may leave behind what warns as well.
	 */
	private List<String> warnings() {
		return this.events.list.stream()
			.filter((event) -> event.getLevel() == Level.WARN && event.getLoggerName().startsWith("io.agenthooks."))
			.map(ILoggingEvent::getFormattedMessage)
			.filter((message) -> message.startsWith("Hook 'guard'"))
			.toList();
	}

}
