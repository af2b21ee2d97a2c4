package io.agenthooks.spring.approval;

import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import io.agenthooks.spring.origin.OfferedSchemas;
import io.agenthooks.spring.suspend.ApprovalRefusedException;
import io.agenthooks.spring.suspend.ResumableTools;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolIdentity;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link CalledTools}. Calls whose turns were kept by frameworks are tested in
 * whole applications.
 */
class CalledToolsTests {

	private static final ToolCall CALL = ToolCall.of("send", Map.of("to", "ada"));

	private static final ToolExecutor ACCEPTING = new Tool(null);

	private static final ToolExecutor REFUSING = new Tool("/to: no address");

	private static final String NUMBER = "{\"properties\":{\"to\":{\"type\":\"integer\"}}}";

	private final OfferedSchemas offered = new OfferedSchemas();

	private CalledTools tools(ResumableTools... tools) {
		return new CalledTools(() -> Stream.of(tools), Stream::empty, this.offered);
	}

	private CalledTools executors(ToolExecutor... executors) {
		return new CalledTools(Stream::empty, () -> Stream.of(executors), this.offered);
	}

	@Test
	void toolThatIsKnownSaysWhatItDoesNotAccept() {
		assertThat(tools((call) -> REFUSING).objection(CALL, "")).isEqualTo("/to: no address");
		assertThat(tools((call) -> ACCEPTING).objection(CALL, "")).isNull();
		assertThat(executors(REFUSING).objection(CALL, "")).isEqualTo("/to: no address");
	}

	@Test
	void ofSeveralToolsAllHaveToRefuse() {
		assertThat(tools((call) -> REFUSING, (call) -> null, (call) -> REFUSING).objection(CALL, ""))
			.isEqualTo("/to: no address");
		assertThat(tools((call) -> REFUSING, (call) -> ACCEPTING).objection(CALL, "")).isNull();
		assertThat(executors(REFUSING, ACCEPTING).objection(CALL, "")).isNull();
		assertThatExceptionOfType(ApprovalRefusedException.class)
			.isThrownBy(() -> tools((call) -> REFUSING, (call) -> ACCEPTING).find(CALL, (call) -> null, ""));
	}

	@Test
	void callOfAToolThatIsNotKnownIsAccepted() {
		assertThat(tools((call) -> null).objection(CALL, "")).isNull();
		assertThat(executors().objection(CALL, "")).isNull();
		assertThat(executors(REFUSING).objection(ToolCall.of("other", Map.of()), "")).isNull();
		ToolCall ofServer = ToolCall.of("1", ToolIdentity.onServer("mail", "send", "send"), CALL.arguments(),
				CALL.context());
		assertThat(executors(REFUSING).objection(ofServer, "")).isNull();
	}

	@Test
	void toolThatWasOfferedInASingleRequestMayAcceptWhatABeanOfItsNameDoesNot() {
		this.offered.add("send", NUMBER);
		assertThat(tools((call) -> REFUSING).objection(CALL, "")).isEqualTo("/to: no address");
		this.offered.add("send", "{}");
		assertThat(tools((call) -> REFUSING).objection(CALL, "")).isNull();
		this.offered.add("send", "true");
		assertThat(tools((call) -> REFUSING).objection(CALL, "")).isNull();
	}

	/**
	 * A tool that nobody runs.
	 *
	 * @param refusal what it says to each call
	 */
	private record Tool(@Nullable String refusal) implements ToolExecutor {

		@Override
		public ToolResult execute(ToolCall call) {
			throw new IllegalStateException("Nobody runs it");
		}

		@Override
		public @Nullable String objection(ToolCall call) {
			return this.refusal;
		}

		@Override
		public Set<String> toolNames() {
			return Set.of("send");
		}

	}

}
