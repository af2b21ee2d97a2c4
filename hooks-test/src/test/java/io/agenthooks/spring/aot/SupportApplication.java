package io.agenthooks.spring.aot;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.chat.client.autoconfigure.ChatClientAutoConfiguration;
import org.springframework.ai.model.tool.autoconfigure.ToolCallingAutoConfiguration;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

import io.agenthooks.spring.ai.SpringAiModelCallsAutoConfiguration;
import io.agenthooks.spring.ai.SpringAiToolCallsAutoConfiguration;
import io.agenthooks.spring.annotation.BeforeToolCall;
import io.agenthooks.spring.annotation.ToolPolicy;
import io.agenthooks.spring.approval.ApprovalAutoConfiguration;
import io.agenthooks.spring.approval.ApprovalChangedEvent;
import io.agenthooks.spring.approval.ApprovalHooksAutoConfiguration;
import io.agenthooks.spring.assembly.LlmCallHooksAutoConfiguration;
import io.agenthooks.spring.assembly.RunHooksAutoConfiguration;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;
import io.agenthooks.spring.cel.CelConditionsAutoConfiguration;
import io.agenthooks.spring.policy.PolicyHooksAutoConfiguration;
import io.agenthooks.spring.suspend.ApprovalAnswer;
import io.agenthooks.spring.suspend.ApprovalRequest;
import io.agenthooks.spring.suspend.ApprovalState;
import io.agenthooks.spring.suspend.Person;
import io.agenthooks.spring.suspend.ToolApprovals;
import io.agenthooks.test.ai.ScriptedChatModel;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;

/**
 * An agent whose tools say their own rules, with hooks that need other beans, and a
 * person who denies what she is asked.
 */
@Configuration(proxyBeanMethods = false)
@Import({ SupportApplication.Shop.class, SupportApplication.Guard.class, SupportApplication.Checks.class })
@ImportAutoConfiguration({ ToolCallingAutoConfiguration.class, ChatClientAutoConfiguration.class,
		ToolCallHooksAutoConfiguration.class, LlmCallHooksAutoConfiguration.class, RunHooksAutoConfiguration.class,
		PolicyHooksAutoConfiguration.class, CelConditionsAutoConfiguration.class, ApprovalAutoConfiguration.class,
		ApprovalHooksAutoConfiguration.class, SpringAiToolCallsAutoConfiguration.class,
		SpringAiModelCallsAutoConfiguration.class })
public class SupportApplication {

	/**
	 * Start it, and let the agent make a call that each of the rules is about.
	 */
	public static void main(String[] args) {
		try (ConfigurableApplicationContext context = SpringApplication.run(SupportApplication.class, args)) {
			ScriptedChatModel model = context.getBean(ScriptedChatModel.class);
			model.calls("delete_order", Map.of("order", "o-1"))
				.calls("read_order", Map.of("order", "o-2"))
				.calls("refund", Map.of("order", "o-1", "amount", 2000))
				.calls("refund", Map.of("order", "o-1", "amount", 700))
				.says("Done");
			String unused = context.getBean(ChatClient.Builder.class)
				.build()
				.prompt("Do it")
				.tools(context.getBean(Shop.class))
				.call()
				.content();
			List<Prompt> prompts = model.prompts();
			System.out.println(AotTests.ANSWER + prompts.get(prompts.size() - 1).getInstructions());
		}
		System.exit(0);
	}

	@Bean
	ScriptedChatModel model() {
		return new ScriptedChatModel();
	}

	@Bean
	Orders orders() {
		return new Orders(Set.of("o-1"));
	}

	@Bean
	Desk desk(ToolApprovals approvals) {
		return new Desk(approvals);
	}

	record Orders(Set<String> known) {
	}

	@Component
	static class Shop {

		@Tool(name = "delete_order", description = "Deletes an order")
		String delete(String order) {
			return AotTests.RAN;
		}

		@Tool(name = "read_order", description = "Reads an order")
		String read(String order) {
			return AotTests.RAN;
		}

		@Tool(description = "Refunds an order")
		@ToolPolicy(deny = "args.amount > 1000", ask = "args.amount > 500", preview = "previewRefund")
		String refund(String order, BigDecimal amount) {
			return AotTests.RAN;
		}

		String previewRefund(String order, BigDecimal amount) {
			return "%s gets %s back".formatted(order, amount);
		}

	}

	@Component
	static class Guard implements PreToolHook {

		private final Orders orders;

		Guard(Orders orders) {
			this.orders = orders;
		}

		@Override
		public ToolDecision preCall(ToolCall call) {
			return (call.tool().startsWith("delete_")) ? ToolDecision.deny("One of %s".formatted(this.orders.known()))
					: ToolDecision.approve();
		}

	}

	@Component
	static class Checks {

		private final Orders orders;

		Checks(Orders orders) {
			this.orders = orders;
		}

		@BeforeToolCall(tools = "read_*")
		ToolDecision isKnown(ToolCall call) {
			return (this.orders.known().contains(String.valueOf(call.arguments().get("order"))))
					? ToolDecision.approve() : ToolDecision.deny("No such order");
		}

	}

	static class Desk {

		private final ToolApprovals approvals;

		Desk(ToolApprovals approvals) {
			this.approvals = approvals;
		}

		@EventListener
		void asked(ApprovalChangedEvent event) {
			ApprovalRequest question = event.request();
			if (question.state() == ApprovalState.PENDING) {
				CompletableFuture<Void> unused = CompletableFuture.runAsync(() -> this.approvals.answer(question.id(),
						0, new ApprovalAnswer(new Person("alice", Set.of("ROLE_APPROVER")), ApprovalAnswer.Verdict.DENY,
								null, "I read: " + Objects.requireNonNull(question.effect().preview()).text())));
			}
		}

	}

}
