package io.agenthooks.spring.approval;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Test;

import io.agenthooks.spring.origin.KnownTools;
import io.agenthooks.spring.origin.OfferedSchemas;
import io.agenthooks.spring.suspend.ApprovalRequest.Brief;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolIdentity;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ToolWords}.
 */
class ToolWordsTests {

	private static final String SCHEMA = """
			{"type": "object", "properties": {"to": {}, "subject": {"type": "string"}, "body": {}}}""";

	private static final ToolDecision.Ask QUESTION = new ToolDecision.Ask("May I?").about(List.of("to"));

	private final KnownTools known = new KnownTools();

	private final OfferedSchemas offered = new OfferedSchemas();

	private Brief brief(ToolIdentity tool) {
		ApprovalConfig config = new ApprovalConfig(true, null, null, Duration.ofSeconds(60), List.of("ROLE_APPROVER"),
				null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null,
				null, null, null, null);
		return new ToolWords(config, () -> this.known, this.offered).briefOf(tool, QUESTION);
	}

	@Test
	void toolThatIsKnownIsDescribed() {
		this.known.add("send", () -> SCHEMA);
		this.known.describe("send", () -> "Sends\n  a\u202E mail");
		assertThat(brief(ToolIdentity.ofApplication("send")))
			.isEqualTo(new Brief(null, "Sends a mail", List.of("to", "subject", "body"), List.of("to")));
		assertThat(brief(ToolIdentity.ofApplication("other")))
			.isEqualTo(new Brief(null, null, List.of(), List.of("to")));
	}

	@Test
	void toolOfAServerHasNotTheWordsOfOneOfTheApplication() {
		this.known.add("send", () -> SCHEMA);
		this.known.describe("send", () -> "Sends a mail");
		ToolIdentity remote = ToolIdentity.onServer("mails", "send", "send");
		assertThat(brief(remote)).isEqualTo(new Brief(null, null, List.of(), List.of("to")));
		this.offered.tell("send", "Sends elsewhere", SCHEMA);
		assertThat(brief(remote).description()).isEqualTo("Sends elsewhere");
	}

	@Test
	void ofTwoToolsOfANameNothingIsSaid() {
		this.known.describe("send", () -> "Sends a mail");
		this.known.describe("send", () -> "Deletes a mail");
		assertThat(brief(ToolIdentity.ofApplication("send")).description()).isNull();
		this.offered.tell("send", "Sends a mail", SCHEMA);
		this.offered.tell("send", "Sends a mail", SCHEMA);
		assertThat(brief(ToolIdentity.ofApplication("send")).description()).isEqualTo("Sends a mail");
		this.offered.tell("send", "Deletes a mail", SCHEMA);
		assertThat(brief(ToolIdentity.ofApplication("send")).description()).isNull();
		assertThat(this.offered.toldOf("send")).isNull();
	}

	@Test
	void wordsHaveABound() {
		StringBuilder properties = new StringBuilder();
		for (int i = 0; i < 1000; i++) {
			properties.append((i > 0) ? "," : "").append("\"a").append(i).append("\":{}");
		}
		this.offered.tell("send", "x".repeat(100_000), "{\"properties\":{" + properties + "}}");
		Brief brief = brief(ToolIdentity.ofApplication("send"));
		assertThat(brief.description()).hasSizeLessThanOrEqualTo(1024).endsWith("...");
		assertThat(brief.order()).hasSize(100).startsWith("a0", "a1");
		this.offered.tell("broken", "", "{");
		assertThat(brief(ToolIdentity.ofApplication("broken")))
			.isEqualTo(new Brief(null, null, List.of(), List.of("to")));
	}

}
