package io.agenthooks.spring.ai;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.ai.support.ToolCallbacks;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.ai.tool.definition.ToolDefinition;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.agenthooks.CallContext;
import io.agenthooks.spring.ToolHooks;
import io.agenthooks.spring.WrapsTool;
import io.agenthooks.spring.annotation.ToolPolicy;
import io.agenthooks.toolcall.ToolApprover;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolCallStatus;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolOutcome;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for rules beside the methods of tools.
 */
class ToolPolicyTests {

	private static final String[] YAML = { "hooks.tool_call.pre_call[0].type=policy",
			"hooks.tool_call.pre_call[0].config.rules[0].tools[0]=refund",
			"hooks.tool_call.pre_call[0].config.rules[0].when=args.amount > 500",
			"hooks.tool_call.pre_call[0].config.rules[0].then=ask",
			"hooks.tool_call.pre_call[0].config.rules[1].tools[0]=mail",
			"hooks.tool_call.pre_call[0].config.rules[1].unless=mails(args.to).all(m, m.domain == 'example.com')",
			"hooks.tool_call.pre_call[0].config.rules[1].then=deny", "hooks.tool_call.pre_call[1].type=rate_limit",
			"hooks.tool_call.pre_call[1].match[0]=refund", "hooks.tool_call.pre_call[1].config.limit=3 per session" };

	@ParameterizedTest
	@EnumSource
	void ruleOfABeanCounts(Way way) {
		Application.run(runner().withBean(Support.class), (application) -> {
			application.model().calls("mail", "{\"to\": \"eve@evil.example, a@example.com\"}").says("done");
			Support support = application.context().getBean(Support.class);
			way.ask(application.client().prompt().user("Go").tools(support));
			assertThat(support.ran).isEmpty();
			assertThat(application.outcome().status()).isEqualTo(ToolCallStatus.DENIED);
			assertThat(application.outcome().decidedBy()).isEqualTo("ToolPolicyTests.Support.mail");
			assertThat(application.model().replies()).singleElement().asString().contains("Mail stays inside");
		});
	}

	@Test
	void ruleIsListedWithItsMethod() {
		runner().withBean(Support.class)
			.run((context) -> assertThat(context.getBean(ToolHooks.class).list())
				.filteredOn((hook) -> hook.origin().startsWith("ToolPolicyTests."))
				.extracting((hook) -> hook.type() + " " + hook.name() + " " + hook.origin())
				.contains("policy ToolPolicyTests.Support.mail ToolPolicyTests.Support.mail",
						"policy ToolPolicyTests.Support.refund ToolPolicyTests.Support.refund",
						"rate_limit ToolPolicyTests.Support.refund.limit ToolPolicyTests.Support.refund"));
	}

	@ParameterizedTest
	@EnumSource
	void ruleOfAnObjectThatIsNoBeanDeniesEachCall(Way way) {
		Application.run(runner(), (application) -> {
			Support support = new Support();
			application.model().calls("mail", "{\"to\": \"a@example.com\"}").says("done");
			way.ask(application.client().prompt().user("Go").tools(support));
			assertThat(support.ran).isEmpty();
			assertThat(application.outcome().status()).isEqualTo(ToolCallStatus.DENIED);
			assertThat(application.model().replies()).singleElement().asString().contains("not among the hooks");
		});
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void ruleOfAToolUnderAnotherNameDeniesEachCall(boolean said) {
		Application.run(runner().withBean(Support.class), (application) -> {
			Support support = application.context().getBean(Support.class);
			List<ToolCallback> tool = List.of(ToolCallbacks.from(support))
				.stream()
				.filter((each) -> each.getToolDefinition().name().equals("mail"))
				.<ToolCallback>map((each) -> (said) ? new Said(each) : new Renamed(each))
				.toList();
			application.model().calls("post", "{\"to\": \"a@example.com\"}").says("done");
			Way.CALL.ask(application.client().prompt().user("Go").tools(tool.toArray()));
			assertThat(support.ran).isEmpty();
			assertThat(application.model().replies()).singleElement().asString().contains("not among the hooks");
		});
	}

	@Test
	void ruleOfAProxyAndOfAnInterfaceCounts() {
		Application.run(runner().withBean("notes", Notes.class, () -> {
			ProxyFactory factory = new ProxyFactory(new Notes());
			factory.setProxyTargetClass(true);
			return (Notes) factory.getProxy();
		}), (application) -> {
			application.model().calls("write", "{\"text\": \"a\"}").says("done");
			Way.CALL.ask(application.client().prompt().user("Go").tools(application.context().getBean(Notes.class)));
			assertThat(application.outcome().status()).isEqualTo(ToolCallStatus.DENIED);
			assertThat(application.outcome().decidedBy()).isEqualTo("ToolPolicyTests.Notes.write");
		});
	}

	@Test
	void ruleOfAClassCountsForAllItsTools() {
		Application.run(runner().withBean(Closed.class), (application) -> {
			application.model().calls("open", "{}").says("done");
			Way.CALL.ask(application.client().prompt().user("Go").tools(application.context().getBean(Closed.class)));
			assertThat(application.outcome().status()).isEqualTo(ToolCallStatus.DENIED);
			assertThat(application.model().replies()).singleElement().asString().contains("Closed today");
		});
	}

	@ParameterizedTest
	@EnumSource
	void ruleOfAClassCountsForToolsThatItInherits(Way way) {
		Application.run(runner(), (application) -> {
			application.model().calls("sign", "{}").says("done");
			way.ask(application.client().prompt().user("Go").tools(new Signed()));
			assertThat(application.outcome().status()).isEqualTo(ToolCallStatus.DENIED);
		});
	}

	@Test
	void ruleOfAnotherSubclassIsNotTakenForThatOfTheOneThatIsCalled() {
		Application.run(runner().withBean(SignedByOthers.class), (application) -> {
			application.model().calls("sign", "{}").says("done").calls("sign", "{}").says("done");
			SignedByOthers bean = application.context().getBean(SignedByOthers.class);
			Way.CALL.ask(application.client().prompt().user("Go").tools(bean));
			Way.CALL.ask(application.client().prompt().user("Go").tools(new Signed()));
			assertThat(application.outcomes()).extracting(ToolOutcome::status)
				.containsExactly(ToolCallStatus.SUCCEEDED, ToolCallStatus.DENIED);
		});
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void ruleOfAToolThatIsNoMethodDeniesEachCall(boolean said) {
		Application.run(runner(), (application) -> {
			application.model().calls("own", "{}").says("done");
			Way.CALL.ask(application.client().prompt().user("Go").tools((said) ? new OwnSaid() : new Own()));
			assertThat(application.outcome().status()).isEqualTo(ToolCallStatus.DENIED);
			assertThat(application.model().replies()).singleElement().asString().contains("not among the hooks");
		});
	}

	@Test
	void mistakesStopTheStartAndNameMethodAndAttribute() {
		runner().withBean(Mistaken.class)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("@ToolPolicy(ask)")
				.hasMessageContaining("@ToolPolicy(limit)")
				.hasMessageContaining("@ToolPolicy(reason)")
				.hasMessageContaining("ToolPolicyTests.Mistaken.refund")
				.hasMessageContaining("ToolPolicyTests.Mistaken.noTool"));
	}

	@Test
	void argumentsThatTheToolDoesNotHaveStopTheStart() {
		runner().withBean(Misspelled.class)
			.run((context) -> assertThat(context).getFailure()
				.hasMessageContaining("amuont")
				.hasMessageContaining("ToolPolicyTests.Misspelled.refund"));
	}

	@Test
	void annotationsAndYamlDecideTheSameAndNeitherOpensWhatTheOtherDenies() {
		List<ToolCall> calls = calls();
		List<String> annotated = decisions(runner().withBean(Support.class), calls);
		List<String> yaml = decisions(runner().withPropertyValues(YAML), calls);
		assertThat(annotated).isEqualTo(yaml).contains("runs", "denied", "asked");
		for (boolean denied : new boolean[] { true, false }) {
			// The one of both that lets everything pass must not open the other.
			ApplicationContextRunner both = (denied) ? runner().withBean(Open.class).withPropertyValues(YAML)
					: runner().withBean(Support.class)
						.withPropertyValues("hooks.tool_call.pre_call[0].type=policy",
								"hooks.tool_call.pre_call[0].config.allow_tools[0]=*");
			assertThat(decisions(both, calls)).isEqualTo(yaml);
		}
	}

	private static List<ToolCall> calls() {
		Random random = new Random(32);
		List<ToolCall> calls = new ArrayList<>();
		for (int i = 0; i < 40; i++) {
			CallContext context = CallContext.ofSession("s" + random.nextInt(4));
			calls
				.add(random.nextBoolean()
						? ToolCall.of("c" + i, "refund", Map.of("amount",
								BigDecimal.valueOf(random.nextInt(4) * 250L + random.nextInt(2))), context)
						: ToolCall.of("c" + i, "mail",
								Map.of("to", List.of("a@example.com", "eve@evil.example",
										"eve@evil.example, a@example.com", "everybody")
									.get(random.nextInt(4))),
								context));
		}
		return calls;
	}

	private static List<String> decisions(ApplicationContextRunner runner, List<ToolCall> calls) {
		List<String> decisions = new ArrayList<>();
		List<ToolCall> asked = new ArrayList<>();
		runner.withBean(ToolApprover.class, () -> (call, question) -> {
			asked.add(call);
			return ToolDecision.deny("No");
		}).run((context) -> {
			ToolHookChain chain = context.getBean(ToolHookChain.class);
			for (ToolCall call : calls) {
				asked.clear();
				boolean ran = chain.execute(call, (same) -> ToolResult.success("done")).succeeded();
				decisions.add((ran) ? "runs" : (asked.isEmpty()) ? "denied" : "asked");
			}
		});
		return decisions;
	}

	private static ApplicationContextRunner runner() {
		return Application.runner();
	}

	static class Support {

		final List<String> ran = new ArrayList<>();

		@Tool(description = "Refunds")
		@ToolPolicy(ask = "args.amount > 500", reason = "A person approves large refunds", limit = "3 per session")
		String refund(BigDecimal amount) {
			this.ran.add("refund");
			return "done";
		}

		@Tool(description = "Mails")
		@ToolPolicy(deny = "true", unless = "mails(args.to).all(m, m.domain == 'example.com')",
				reason = "Mail stays inside")
		String mail(String to) {
			this.ran.add("mail");
			return "done";
		}

	}

	static class Open {

		@Tool(description = "Refunds")
		@ToolPolicy(deny = "args.amount > 1000000")
		String refund(BigDecimal amount) {
			return "done";
		}

	}

	interface Writing {

		@ToolPolicy(deny = "true")
		String write(String text);

	}

	public static class Notes implements Writing {

		@Override
		@Tool(description = "Writes")
		public String write(String text) {
			return "done";
		}

	}

	interface Signing {

		@Tool(description = "Signs")
		default String sign() {
			return "done";
		}

	}

	@ToolPolicy(deny = "true")
	static class Signed implements Signing {

	}

	@ToolPolicy(deny = "has(user.name) && user.name == 'eve'")
	static class SignedByOthers implements Signing {

	}

	@ToolPolicy(deny = "true")
	static class Own implements ToolCallback {

		@Override
		public ToolDefinition getToolDefinition() {
			return ToolDefinition.builder().name("own").description("Own").inputSchema("{}").build();
		}

		@Override
		public String call(String input) {
			return "done";
		}

	}

	@ToolPolicy(deny = "true")
	static final class OwnSaid extends Own implements WrapsTool {

		@Override
		public Collection<?> wrappedTools() {
			return List.of();
		}

	}

	@ToolPolicy(deny = "true", reason = "Closed today")
	static class Closed {

		@Tool(description = "Opens")
		String open() {
			return "done";
		}

	}

	static class Mistaken {

		@Tool(description = "Refunds")
		@ToolPolicy(ask = "args.amount >", limit = "three per session")
		String refund(BigDecimal amount) {
			return "done";
		}

		@Tool(description = "Mails")
		@ToolPolicy(reason = "Why", limit = "1 per session")
		String mail(String to) {
			return "done";
		}

		@ToolPolicy(deny = "true")
		String noTool() {
			return "done";
		}

	}

	static class Misspelled {

		@Tool(description = "Refunds")
		@ToolPolicy(deny = "args.amuont > 5")
		String refund(BigDecimal amount) {
			return "done";
		}

	}

	private static class Renamed implements ToolCallback {

		final ToolCallback tool;

		Renamed(ToolCallback tool) {
			this.tool = tool;
		}

		@Override
		public ToolDefinition getToolDefinition() {
			return ToolDefinition.builder()
				.name("post")
				.description("Posts")
				.inputSchema(this.tool.getToolDefinition().inputSchema())
				.build();
		}

		@Override
		public String call(String input) {
			return this.tool.call(input);
		}

	}

	private static final class Said extends Renamed implements WrapsTool {

		Said(ToolCallback tool) {
			super(tool);
		}

		@Override
		public Collection<?> wrappedTools() {
			return List.of(this.tool);
		}

	}

}
