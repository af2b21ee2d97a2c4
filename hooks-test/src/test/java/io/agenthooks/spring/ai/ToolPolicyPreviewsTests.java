package io.agenthooks.spring.ai;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;

import javax.sql.DataSource;

import org.h2.jdbcx.JdbcDataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.ai.tool.ToolCallbackProvider;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.ai.tool.method.MethodToolCallbackProvider;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.agenthooks.spring.annotation.ToolPolicy;
import io.agenthooks.spring.approval.ApprovalAutoConfiguration;
import io.agenthooks.spring.approval.ApprovalHooksAutoConfiguration;
import io.agenthooks.spring.approval.JdbcApprovalAutoConfiguration;
import io.agenthooks.spring.suspend.ApprovalAnswer;
import io.agenthooks.spring.suspend.ApprovalAnswer.Verdict;
import io.agenthooks.spring.suspend.ApprovalPendingException;
import io.agenthooks.spring.suspend.ApprovalRequest;
import io.agenthooks.spring.suspend.CallPreview;
import io.agenthooks.spring.suspend.Person;
import io.agenthooks.spring.suspend.ToolApprovals;
import io.agenthooks.toolcall.ToolCallStatus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Tests for tools that say what their calls would do, and are resumed when people have
 * decided.
 */
class ToolPolicyPreviewsTests {

	private static final String CALL = "{\"order\": \"o-1\", \"amount\": 501}";

	private static final String MONEY = "{\"amount\": 5, \"to\": \"eve\"}";

	@TempDir
	private Path folder;

	private final Bank bank = new Bank();

	private ApplicationContextRunner runner() {
		JdbcDataSource dataSource = new JdbcDataSource();
		dataSource.setURL("jdbc:h2:file:" + this.folder.resolve("approvals") + ";DB_CLOSE_DELAY=2");
		return Application.runner()
			.withConfiguration(AutoConfigurations.of(ApprovalAutoConfiguration.class,
					ApprovalHooksAutoConfiguration.class, JdbcApprovalAutoConfiguration.class))
			.withBean("dataSource", DataSource.class, () -> dataSource)
			.withBean("bank", Bank.class, () -> this.bank)
			.withBean("callbacks", ToolCallbackProvider.class,
					() -> MethodToolCallbackProvider.builder().toolObjects(this.bank).build())
			.withPropertyValues("spring.application.name=shop", "hooks.approval.enabled=true",
					"hooks.approval.approvers=ROLE_APPROVER", "hooks.approval.mode=suspend",
					"hooks.approval.jdbc.initialize_schema=always");
	}

	/**
	 * Let the agent make a call that waits for people. The return value is the question.
	 */
	private static ApprovalRequest ask(Application application, String tool, String arguments) {
		application.model().calls(tool, arguments);
		ApprovalPendingException pending = catchThrowableOfType(ApprovalPendingException.class, () -> Way.CALL
			.ask(application.client()
				.prompt("Go")
				.advisors(
						(advisors) -> advisors.param(ChatMemory.CONVERSATION_ID, "s1").param(AgentHooks.USER, "carol"))
				.tools(application.context().getBean(ToolCallbackProvider.class))));
		assertThat(pending).isNotNull();
		return approvals(application).find(pending.approvalIds().get(0)).orElseThrow();
	}

	private static ToolApprovals approvals(Application application) {
		return application.context().getBean(ToolApprovals.class);
	}

	private static void approve(Application application, ApprovalRequest question) {
		approvals(application).answer(question.id(), question.revision(),
				new ApprovalAnswer(new Person("alice", Set.of("ROLE_APPROVER")), Verdict.APPROVE, null, null));
	}

	private static @Nullable String resume(Application application, ApprovalRequest question) {
		return approvals(application).resume(question.id()).turn().replies().get(0).text();
	}

	private static CallPreview previewOf(ApprovalRequest question) {
		return Objects.requireNonNull(question.effect().preview());
	}

	@Test
	void previewAndVersionAreKeptAndTheSameLetTheCallRun() {
		AtomicReference<@Nullable ApprovalRequest> asked = new AtomicReference<>();
		Application.run(runner(), (application) -> asked.set(ask(application, "refund", CALL)));
		Application.run(runner(), (application) -> {
			ApprovalRequest question = approvals(application).find(Objects.requireNonNull(asked.get()).id())
				.orElseThrow();
			assertThat(question.effect()).isEqualTo(Objects.requireNonNull(asked.get()).effect());
			assertThat(previewOf(question).columns()).containsExactly("order", "left");
			assertThat(previewOf(question).rows()).containsExactly(List.of("o-1", "239"));
			assertThat(question.effect().version()).isEqualTo("1");
			assertThat(question.effect().mustMatch()).isTrue();
			approve(application, question);
			assertThat(resume(application, question)).contains("refunded");
			assertThat(this.bank.ran).containsExactly("refund");
		});
	}

	@ParameterizedTest
	@CsvSource({ "true, preview changed", "false, what it is about" })
	void changeAfterTheApprovalMakesItVoid(boolean preview, String why) {
		Application.run(runner(), (application) -> {
			ApprovalRequest question = ask(application, "refund", CALL);
			approve(application, question);
			if (preview) {
				this.bank.worth = new BigDecimal("510");
			}
			else {
				this.bank.version = 2;
			}
			assertThat(resume(application, question)).contains(why);
			assertThat(this.bank.ran).isEmpty();
		});
	}

	@ParameterizedTest
	@CsvSource({ "true", "false" })
	void callThatIsMadeAgainIsAskedAboutAgainIfItChanged(boolean preview) {
		Application.run(runner(), (application) -> {
			ApprovalRequest first = ask(application, "refund", CALL);
			approve(application, first);
			if (preview) {
				this.bank.worth = new BigDecimal("510");
			}
			else {
				this.bank.version = 2;
			}
			ApprovalRequest second = ask(application, "refund", CALL);
			assertThat(second.id()).isNotEqualTo(first.id());
			assertThat(this.bank.ran).isEmpty();
			approve(application, second);
			assertThat(resume(application, second)).contains("refunded");
			assertThat(this.bank.ran).hasSize(1);
		});
	}

	@Test
	void dryRunIsThePreviewAndCountsForNothing() {
		Application.run(runner().withPropertyValues("hooks.approval.dry_runs.transfer=dryRun",
				"hooks.approval.preview_must_match=true"), (application) -> {
					ApprovalRequest question = ask(application, "transfer", MONEY);
					assertThat(previewOf(question).columns()).containsExactly("from", "to");
					assertThat(previewOf(question).rows()).containsExactly(List.of("100 -> 95", "eve"));
					assertThat(question.arguments()).doesNotContain("dryRun");
					assertThat(this.bank.ran).isEmpty();
					approve(application, question);
					assertThat(resume(application, question)).contains("transferred");
					assertThat(this.bank.ran).containsExactly("transfer");
				});
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			wipe     | dryRun | has no argument 'dryRun'
			transfer | to     | has no argument 'to' that is true or false
			transfer | dryRun | a hook does not let it
			""")
	void toolThatMayChangeSomethingIsNotCalledForAPreview(String tool, String argument, String why) {
		Application.run(runner().withPropertyValues("hooks.approval.dry_runs." + tool + "=" + argument,
				"hooks.tool_call.pre_call[0].type=policy",
				"hooks.tool_call.pre_call[0].config.rules[0].when="
						+ ((why.startsWith("a hook")) ? "has(args.dryRun) && args.dryRun" : "args.amount == 4711"),
				"hooks.tool_call.pre_call[0].config.rules[0].tools[0]=transfer",
				"hooks.tool_call.pre_call[0].config.rules[0].then=deny"), (application) -> {
					ApprovalRequest question = ask(application, tool,
							(tool.equals("wipe")) ? "{\"folder\": \"a\"}" : MONEY);
					assertThat(previewOf(question).missing()).contains(why);
					assertThat(this.bank.ran).isEmpty();
				});
	}

	@Test
	void mistakesStopTheStartAndNameTheMethodOfTheTool() {
		Application.runner()
			.withBean(Mistaken.class)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("Mistaken.pay: '@ToolPolicy(preview)' names the method 'preveiw'")
				.hasMessageContaining(
						"Mistaken.wipe: '@ToolPolicy(preview)' names ToolPolicyPreviewsTests.Mistaken.pay, "
								+ "which is a tool itself")
				.hasMessageContaining("Mistaken.mail: '@ToolPolicy(version)' names "
						+ "ToolPolicyPreviewsTests.Mistaken.versionOf, which takes 'order', and the tool has no such")
				.hasMessageContaining("Mistaken.read: '@ToolPolicy(previewMustMatch)' has no meaning"));
	}

	@Test
	void toolThatIsNoBeanIsDenied() {
		Application.run(Application.runner(), (application) -> {
			Bank other = new Bank();
			application.model().calls("wipe", "{\"folder\": \"a\"}").says("done");
			Way.CALL.ask(application.client().prompt().user("Go").tools(other));
			assertThat(other.ran).isEmpty();
			assertThat(application.outcome().status()).isEqualTo(ToolCallStatus.DENIED);
		});
	}

	static class Bank {

		final List<String> ran = new CopyOnWriteArrayList<>();

		volatile BigDecimal worth = new BigDecimal("740");

		volatile int version = 1;

		@Tool(description = "Refunds")
		@ToolPolicy(ask = "args.amount > 500", preview = "previewRefund", previewMustMatch = true,
				version = "versionOf")
		String refund(String order, BigDecimal amount) {
			this.ran.add("refund");
			return "refunded";
		}

		Object previewRefund(String order, BigDecimal amount) {
			return new Left(order, this.worth.subtract(amount));
		}

		int versionOf(String order) {
			return this.version;
		}

		@Tool(description = "Transfers")
		@ToolPolicy(ask = "true", limit = "1 per session")
		Map<String, Object> transfer(BigDecimal amount, String to, @Nullable Boolean dryRun) {
			if (Boolean.TRUE.equals(dryRun)) {
				return new TreeMap<>(Map.of("from", "100 -> " + new BigDecimal(100).subtract(amount), "to", to));
			}
			this.ran.add("transfer");
			return Map.of("transferred", amount);
		}

		@Tool(description = "Wipes a folder")
		@ToolPolicy(ask = "true", version = "versionOfFolder")
		String wipe(String folder) {
			this.ran.add("wipe");
			return "wiped";
		}

		String versionOfFolder(String folder) {
			return folder;
		}

		private record Left(String order, BigDecimal left) {
		}

	}

	static class Mistaken {

		@Tool(description = "Pays")
		@ToolPolicy(ask = "true", preview = "preveiw")
		String pay(BigDecimal amount) {
			return "paid";
		}

		@Tool(description = "Wipes")
		@ToolPolicy(ask = "true", preview = "pay")
		String wipe(BigDecimal amount) {
			return "wiped";
		}

		@Tool(description = "Mails")
		@ToolPolicy(version = "versionOf")
		String mail(String to) {
			return "sent";
		}

		@Tool(description = "Reads")
		@ToolPolicy(ask = "true", previewMustMatch = true)
		String read() {
			return "read";
		}

		String preview() {
			return "";
		}

		String versionOf(String order) {
			return order;
		}

	}

}
