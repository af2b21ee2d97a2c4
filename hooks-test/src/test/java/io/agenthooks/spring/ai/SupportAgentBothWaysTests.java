package io.agenthooks.spring.ai;

import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.ai.chat.client.ChatClient.ChatClientRequestSpec;
import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.boot.test.context.ConfigDataApplicationContextInitializer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.agenthooks.spring.annotation.ToolPolicy;
import io.agenthooks.toolcall.ToolApprover;
import io.agenthooks.toolcall.ToolDecision;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the support agent of {@code docs/decide/tool-policy.md}: its rules beside the
 * methods of its tools, and the same in YAML. Both decide the same about each call.
 */
class SupportAgentBothWaysTests {

	/**
	 * What YAML says of the page.
	 */
	private static final String YAML = """
			hooks:
			  tool_call:
			    pre_call:
			      - type: policy
			        config:
			          rules:
			            - tools: ["refund"]
			              when: "args.amount > 500"
			              then: ask
			              reason: "A person approves refunds above 500 EUR"
			            - tools: ["sendMail"]
			              unless: "mails(args.to).all(m, m.domain == 'example.com')"
			              then: deny
			              reason: "Mail stays inside"
			      - type: rate_limit
			        match: ["refund"]
			        config:
			          limit: "3 per session"
			""";

	/**
	 * Session, tool, arguments and what becomes of the call. {@code asked} is approved by
	 * a person and runs, {@code refused} is not: the person refuses {@code o-no}. What
	 * breaks the schema of the tool is no call that a person is asked about, and counts.
	 */
	private static final String CALLS = """
			s1 | refund   | {"order": "o-1", "amount": 500}             | runs
			s1 | refund   | {"order": "o-1", "amount": 500.01}          | asked: A person approves refunds above 500 EUR
			s1 | refund   | {"order": "o-no", "amount": 501}            | refused: A person approves refunds above 500 EUR
			s1 | refund   | {"order": "o-1", "amount": 1}               | denied: 3 per session
			s1 | refund   | {"order": "o-1", "amount": 501}             | denied: 3 per session
			s1 | sendMail | {"to": "a@example.com", "text": "x"}        | runs
			s2 | refund   | {"order": "o-2", "amount": 500.000}         | runs
			s2 | refund   | {"order": "o-2", "amount": 5e2}             | runs
			s2 | refund   | {"order": "o-2", "amount": 0.5e4}           | asked: A person approves refunds above 500 EUR
			s2 | refund   | {"order": "o-2", "amount": 5E+2}            | denied: 3 per session
			s3 | refund   | {"order": "o-3", "amount": 500.0000000000000000000001} | asked: A person approves refunds above 500 EUR
			s3 | refund   | {"order": "o-3", "amount": -501}            | runs
			s3 | refund   | {"order": "o-3", "amount": 499.9999999999999999999999} | runs
			s4 | refund   | {"order": "o-4", "amount": "500"}           | denied: /amount: string found
			s4 | refund   | {"order": "o-4", "amount": "1.000,00"}      | denied: /amount: string found
			s4 | refund   | {"order": "o-4", "amount": 1, "amount": 501} | denied: a name stands there twice
			s4 | refund   | {"order": "o-4"}                            | denied: 'amount' not found
			s4 | refund   | {"order": "o-4", "amount": 1}               | denied: 3 per session
			s6 | refund   | {"order": "o-6", "amount": null}            | denied: /amount: null found
			s6 | refund   | {"order": "o-6", "amount": [1]}             | denied: /amount: array found
			s7 | refund   | {"order": "o-7", "Amount": 1}               | denied: 'amount' not found
			s5 | refund   | {"order": "o-5", "amount": 100000000000000000000000000000000000001} | asked: A person approves refunds above 500 EUR
			-- | refund   | {"order": "o-6", "amount": 1}               | denied: session
			-- | sendMail | {"to": "a@example.com", "text": "x"}        | runs
			s5 | sendMail | {"to": "Ann <A@EXAMPLE.com.>", "text": "x"} | runs
			s5 | sendMail | {"to": "a@example.com; Bob <b@example.com>", "text": "x"} | runs
			s5 | sendMail | {"to": "team: a@example.com, b@example.com;", "text": "x"} | runs
			s5 | sendMail | {"to": "mailto:a%40example.com", "text": "x"} | runs
			s5 | sendMail | {"to": "eve@evil.example, a@example.com", "text": "x"} | denied: Mail stays inside
			s5 | sendMail | {"to": "eve@evil.example;a@example.com", "text": "x"} | denied: Mail stays inside
			s5 | sendMail | {"to": "a@example.com\\r\\nBcc: eve@evil.example", "text": "x"} | denied: Mail stays inside
			s5 | sendMail | {"to": "\\"a@example.com\\" <eve@evil.example>", "text": "x"} | denied: Mail stays inside
			s5 | sendMail | {"to": "eve@example.com.evil.example", "text": "x"} | denied: Mail stays inside
			s5 | sendMail | {"to": "eve@notexample.com", "text": "x"}   | denied: Mail stays inside
			s5 | sendMail | {"to": "eve@mail.example.com", "text": "x"} | denied: Mail stays inside
			s5 | sendMail | {"to": "eve@\\u0435xample.com", "text": "x"} | denied: Mail stays inside
			s5 | sendMail | {"to": "everybody", "text": "x"}            | denied: Mail stays inside
			s5 | sendMail | {"to": "mailto:a@example.com?bcc=eve@evil.example", "text": "x"} | denied: Mail stays inside
			s5 | sendMail | {"to": "eve@evil.example#@example.com", "text": "x"} | denied: Mail stays inside
			s5 | sendMail | {"text": "x"}                               | denied: Mail stays inside
			""";

	@TempDir
	private Path folder;

	@ParameterizedTest
	@EnumSource
	void callsAreDecidedAsThePageSays(Written written) throws Exception {
		List<String> calls = CALLS.lines().toList();
		assertThat(calls).hasSize(40);
		List<String> asked = new ArrayList<>();
		Application.run(runner(written, asked), (application) -> {
			List<String> decided = new ArrayList<>();
			for (String call : calls) {
				decided.add(decide(application, call, asked));
			}
			assertThat(decided).containsExactlyElementsOf(calls);
		});
	}

	@Test
	void denialsAreReadTheSameByTheModel() throws Exception {
		List<List<String>> replies = new ArrayList<>();
		for (Written written : Written.values()) {
			Application.run(runner(written, new ArrayList<>()), (application) -> {
				List<String> ofThis = new ArrayList<>();
				for (String call : CALLS.lines().toList()) {
					ofThis.add(
							reply(application, call).replaceAll("hook '[^']*'", "hook").replaceAll("rule '[^']*'", ""));
				}
				replies.add(ofThis);
			});
		}
		assertThat(replies.get(0)).isEqualTo(replies.get(1));
	}

	private ApplicationContextRunner runner(Written written, List<String> asked) throws Exception {
		ApplicationContextRunner runner = Application.runner()
			.withBean("tools", written.tools)
			.withBean(ToolApprover.class, () -> (call, question) -> {
				asked.add(question.question());
				return ("o-no".equals(call.arguments().get("order"))) ? ToolDecision.deny("Not this one")
						: ToolDecision.approve();
			});
		if (written == Written.ANNOTATIONS) {
			return runner;
		}
		Path file = this.folder.resolve("application.yaml");
		Files.writeString(file, YAML);
		return runner.withPropertyValues("spring.config.location=" + file.toUri())
			.withInitializer(new ConfigDataApplicationContextInitializer());
	}

	/**
	 * The call as it stands in the table, with what became of it.
	 */
	private static String decide(Application application, String call, List<String> asked) {
		List<String> ran = application.context().getBean(SupportTools.class).ran;
		ran.clear();
		asked.clear();
		String reply = reply(application, call);
		String outcome = (!ran.isEmpty()) ? "runs" : "denied: " + reply;
		if (!asked.isEmpty()) {
			outcome = ((ran.isEmpty()) ? "refused: " : "asked: ") + String.join(" / ", asked);
		}
		int column = call.lastIndexOf("| ") + 2;
		String expected = call.substring(column);
		boolean isExpected = (expected.startsWith("denied: ") && outcome.startsWith("denied: "))
				? outcome.contains(expected.substring("denied: ".length())) : outcome.equals(expected);
		return (isExpected) ? call : call.substring(0, column) + outcome;
	}

	private static String reply(Application application, String call) {
		String[] cells = call.split(" *\\| *", 4);
		application.model().forget();
		application.model().calls(cells[1], cells[2]).says("done");
		ChatClientRequestSpec question = application.client()
			.prompt("Go")
			.tools(application.context().getBean("tools"));
		Way.CALL.ask((cells[0].equals("--")) ? question
				: question.advisors((advisors) -> advisors.param(ChatMemory.CONVERSATION_ID, cells[0])));
		return application.model().replies().get(0);
	}

	/**
	 * Where the rules are written.
	 */
	enum Written {

		ANNOTATIONS(Annotated.class), YAML(Plain.class);

		private final Class<? extends SupportTools> tools;

		Written(Class<? extends SupportTools> tools) {
			this.tools = tools;
		}

	}

	abstract static class SupportTools {

		final List<String> ran = new ArrayList<>();

		String run(String call) {
			this.ran.add(call);
			return "ran";
		}

	}

	static class Annotated extends SupportTools {

		@Tool(description = "Refunds an order")
		@ToolPolicy(ask = "args.amount > 500", reason = "A person approves refunds above 500 EUR",
				limit = "3 per session")
		String refund(String order, BigDecimal amount) {
			return run("refund");
		}

		@Tool(description = "Sends a mail")
		@ToolPolicy(deny = "true", unless = "mails(args.to).all(m, m.domain == 'example.com')",
				reason = "Mail stays inside")
		String sendMail(String to, String text) {
			return run("sendMail");
		}

	}

	static class Plain extends SupportTools {

		@Tool(description = "Refunds an order")
		String refund(String order, BigDecimal amount) {
			return run("refund");
		}

		@Tool(description = "Sends a mail")
		String sendMail(String to, String text) {
			return run("sendMail");
		}

	}

}
