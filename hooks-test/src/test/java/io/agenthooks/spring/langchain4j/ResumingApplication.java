package io.agenthooks.spring.langchain4j;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

import javax.sql.DataSource;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.memory.ChatMemory;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.store.memory.chat.ChatMemoryStore;
import dev.langchain4j.store.memory.chat.InMemoryChatMemoryStore;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.h2.jdbcx.JdbcDataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.approval.ApprovalAutoConfiguration;
import io.agenthooks.spring.approval.ApprovalHooksAutoConfiguration;
import io.agenthooks.spring.approval.JdbcApprovalAutoConfiguration;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;
import io.agenthooks.spring.suspend.ApprovalAnswer;
import io.agenthooks.spring.suspend.ApprovalAnswer.Verdict;
import io.agenthooks.spring.suspend.ApprovalPendingException;
import io.agenthooks.spring.suspend.ApprovalRequest;
import io.agenthooks.spring.suspend.Person;
import io.agenthooks.spring.suspend.ToolApprovals;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * An application with an agent that writes mails. It may be ended and started again: the
 * database is a file, and the conversations are stored.
 */
final class ResumingApplication {

	private static final Person ALICE = new Person("alice", Set.of("ROLE_APPROVER"));

	final List<String> sent = new CopyOnWriteArrayList<>();

	private final ChatMemoryStore store = new InMemoryChatMemoryStore();

	private final Path folder;

	private final Way way;

	ResumingApplication(Path folder, Way way) {
		this.folder = folder;
		this.way = way;
	}

	/**
	 * An application without the agent.
	 */
	ApplicationContextRunner withoutAgent() {
		return new ApplicationContextRunner()
			.withConfiguration(HookTypes.with(ToolCallHooksAutoConfiguration.class, ApprovalAutoConfiguration.class,
					ApprovalHooksAutoConfiguration.class, JdbcApprovalAutoConfiguration.class,
					LangChain4jHooksAutoConfiguration.class))
			.withBean(DataSource.class, this::database)
			.withPropertyValues("spring.application.name=shop", "hooks.approval.enabled=true",
					"hooks.approval.approvers=ROLE_APPROVER", "hooks.approval.jdbc.initialize_schema=always",
					"hooks.tool_call.pre_call[0].type=approval", "hooks.tool_call.pre_call[0].match[0]=send");
	}

	/**
	 * An application with the agent.
	 */
	ApplicationContextRunner with(ScriptedModel model) {
		return withoutAgent().withBean(Way.Assistant.class, () -> service(model).tools(new Mails(this.sent)).build());
	}

	AiServices<Way.Assistant> service(ScriptedModel model) {
		return this.way.service(model).chatMemoryProvider(this::memory);
	}

	private DataSource database() {
		JdbcDataSource database = new JdbcDataSource();
		database.setURL("jdbc:h2:file:" + this.folder.resolve("approvals") + ";DB_CLOSE_DELAY=2");
		return database;
	}

	ChatMemory memory(Object id) {
		return MessageWindowChatMemory.builder().id(id).maxMessages(100).chatMemoryStore(this.store).build();
	}

	String ask(ApplicationContext context) {
		return this.way.ask(context.getBean(Way.Assistant.class), "s");
	}

	/**
	 * Ask, and end with calls that wait.
	 * @return the ids of the questions
	 */
	List<String> askInVain(ApplicationContext context) {
		return pending(() -> ask(context));
	}

	/**
	 * Ask the application, which ends then.
	 * @return the id of the only question
	 */
	String askInVain(ScriptedModel model) {
		String[] id = new String[1];
		with(model).run((context) -> {
			List<String> ids = askInVain(context);
			assertThat(ids).hasSize(1);
			id[0] = ids.get(0);
		});
		return id[0];
	}

	static List<Boolean> failures(List<ChatMessage> messages) {
		return messages.stream()
			.filter(ToolExecutionResultMessage.class::isInstance)
			.map((message) -> Boolean.TRUE.equals(((ToolExecutionResultMessage) message).isError()))
			.toList();
	}

	static List<String> pending(ThrowingCallable asking) {
		ApprovalPendingException pending = catchThrowableOfType(ApprovalPendingException.class, asking);
		assertThat(pending).isNotNull();
		return pending.approvalIds();
	}

	static void approve(ApplicationContext context, String id) {
		answer(context, id, Verdict.APPROVE, null, null);
	}

	static void deny(ApplicationContext context, String id, String reason) {
		answer(context, id, Verdict.DENY, null, reason);
	}

	static void edit(ApplicationContext context, String id, String arguments) {
		answer(context, id, Verdict.EDIT, arguments, null);
	}

	private static void answer(ApplicationContext context, String id, Verdict verdict, @Nullable String arguments,
			@Nullable String reason) {
		ToolApprovals approvals = context.getBean(ToolApprovals.class);
		ApprovalRequest question = approvals.find(id).orElseThrow();
		ApprovalRequest answered = approvals.answer(id, question.revision(),
				new ApprovalAnswer(ALICE, verdict, arguments, reason));
		assertThat(answered.revision()).isGreaterThan(question.revision());
	}

	static ResumedMessages resume(ApplicationContext context, String id) {
		return context.getBean(LangChain4jApprovals.class).resume(id);
	}

	static ToolExecutionRequest send(String to) {
		return ScriptedModel.call("send", Map.of("to", to));
	}

	static ToolExecutionRequest read(String path) {
		return ScriptedModel.call("read", Map.of("path", path));
	}

	record Mails(List<String> sent) {

		@Tool("Sends a mail")
		String send(String to) {
			this.sent.add(to);
			if (to.equals("broken")) {
				throw new IllegalStateException("No such mailbox");
			}
			return "Sent to " + to;
		}

		@Tool("Reads a file")
		String read(String path) {
			return "Content of " + path;
		}

	}

}
