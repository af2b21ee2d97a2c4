package io.agenthooks.spring.approval;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import javax.sql.DataSource;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.MemoryId;
import dev.langchain4j.service.UserMessage;
import org.h2.jdbcx.JdbcDataSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;
import io.agenthooks.spring.langchain4j.LangChain4jHooksAutoConfiguration;
import io.agenthooks.spring.suspend.ApprovalAnswer;
import io.agenthooks.spring.suspend.ApprovalAnswer.Verdict;
import io.agenthooks.spring.suspend.ApprovalPendingException;
import io.agenthooks.spring.suspend.ContinuedTurn;
import io.agenthooks.spring.suspend.ContinuedTurns;
import io.agenthooks.spring.suspend.Person;
import io.agenthooks.spring.suspend.ToolApprovals;

/**
 * An application of its own JVM, whose agent sends, looks, and answers. It stops at a
 * place to be killed there, says so, and writes what it did into a file.
 */
public final class ContinuationNode {

	private static final Person ALICE = new Person("alice", Set.of("ROLE_APPROVER"));

	private final Path folder;

	private final String place;

	private ContinuationNode(Path folder, String place) {
		this.folder = folder;
		this.place = place;
	}

	public static void main(String[] arguments) {
		new ContinuationNode(Path.of(arguments[0]), arguments[1]).run();
		System.exit(0);
	}

	private void run() {
		JdbcDataSource dataSource = new JdbcDataSource();
		dataSource.setURL("jdbc:h2:file:" + this.folder.resolve("approvals"));
		new ApplicationContextRunner()
			.withConfiguration(HookTypes.with(ToolCallHooksAutoConfiguration.class, ApprovalAutoConfiguration.class,
					ApprovalHooksAutoConfiguration.class, JdbcApprovalAutoConfiguration.class,
					LangChain4jHooksAutoConfiguration.class))
			.withBean(DataSource.class, () -> dataSource)
			.withBean(TurnContinuations.Times.class,
					() -> new TurnContinuations.Times(Duration.ofSeconds(2), Duration.ofMillis(200),
							Duration.ofMillis(20)))
			.withBean(Agent.class,
					() -> AiServices.builder(Agent.class)
						.chatModel(new Model(this))
						.chatMemoryProvider((id) -> MessageWindowChatMemory.withMaxMessages(100))
						.tools(new Tools(this))
						.build())
			.withPropertyValues("spring.application.name=shop", "hooks.approval.enabled=true",
					"hooks.approval.approvers=ROLE_APPROVER", "hooks.approval.resume=auto",
					"hooks.approval.jdbc.initialize_schema=always", "hooks.tool_call.pre_call[0].type=approval",
					"hooks.tool_call.pre_call[0].match[0]=send")
			.run(this::work);
	}

	private void work(ApplicationContext context) {
		say("at start");
		Path question = this.folder.resolve("question");
		if (!Files.exists(question)) {
			String id = ask(context.getBean(Agent.class));
			write("question", id);
			if (this.place.equals("decided")) {
				context.getBean(TurnContinuations.class).stop();
			}
			context.getBean(ToolApprovals.class).answer(id, 0, new ApprovalAnswer(ALICE, Verdict.APPROVE, null, null));
			stopAt("decided");
		}
		end(context, read("question"));
	}

	private static String ask(Agent agent) {
		try {
			throw new IllegalStateException("Nobody was asked: " + agent.chat("s", "Go"));
		}
		catch (ApprovalPendingException ex) {
			return ex.approvalIds().get(0);
		}
	}

	private void end(ApplicationContext context, String id) {
		ContinuedTurns turns = context.getBean(ContinuedTurns.class);
		long until = System.nanoTime() + Duration.ofMinutes(5).toNanos();
		ContinuedTurn turn = turns.find(id).orElseThrow();
		while (!turn.status().isEnd() && System.nanoTime() - until < 0) {
			pause(Duration.ofMillis(20));
			turn = turns.find(id).orElseThrow();
		}
		say("end " + turn.status() + " " + turn.answer());
	}

	private static void pause(Duration time) {
		try {
			TimeUnit.NANOSECONDS.sleep(time.toNanos());
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private void stopAt(String reached) {
		if (this.place.equals(reached)) {
			say("at " + reached);
			try {
				new CountDownLatch(1).await();
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		}
	}

	private static void say(String line) {
		System.out.println(line);
		System.out.flush();
	}

	/** What is written has happened, whatever becomes of this JVM. */
	private void write(String file, String line) {
		try {
			Files.writeString(this.folder.resolve(file), line + "\n", StandardOpenOption.CREATE,
					StandardOpenOption.APPEND, StandardOpenOption.SYNC);
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private String read(String file) {
		try {
			return Files.readString(this.folder.resolve(file)).strip();
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	interface Agent {

		String chat(@MemoryId String conversation, @UserMessage String text);

	}

	/** A tool that people approve, and one that they are not asked about. */
	record Tools(ContinuationNode node) {

		@Tool("Sends a mail")
		String send(String to) {
			this.node.stopAt("before-tool");
			this.node.write("done", "send");
			this.node.stopAt("after-tool");
			return "Sent to " + to;
		}

		@Tool("Looks whether the mail came")
		String look(String at) {
			this.node.write("done", "look");
			this.node.stopAt("after-own-tool");
			return "It came";
		}

	}

	/** Says what comes next by the results that it reads. */
	record Model(ContinuationNode node) implements ChatModel {

		@Override
		public ChatResponse doChat(ChatRequest request) {
			long results = request.messages().stream().filter(ToolExecutionResultMessage.class::isInstance).count();
			if (results == 1) {
				this.node.write("done", "asked");
				this.node.stopAt("model");
			}
			AiMessage answer = switch ((int) results) {
				case 0 -> calls("send", "to");
				case 1 -> calls("look", "at");
				default -> AiMessage.from("The mail came");
			};
			return ChatResponse.builder().aiMessage(answer).build();
		}

		private static AiMessage calls(String tool, String argument) {
			return AiMessage.from(List.of(ToolExecutionRequest.builder()
				.id("call-" + tool)
				.name(tool)
				.arguments("{\"" + argument + "\": \"bob\"}")
				.build()));
		}

	}

}
