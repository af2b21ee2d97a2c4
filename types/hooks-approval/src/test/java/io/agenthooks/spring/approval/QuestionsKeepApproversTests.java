package io.agenthooks.spring.approval;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Stream;

import javax.sql.DataSource;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.agenthooks.spring.jdbc.PostgresExtension;
import io.agenthooks.spring.suspend.ApprovalAnswer;
import io.agenthooks.spring.suspend.ApprovalAnswer.Verdict;
import io.agenthooks.spring.suspend.ApprovalRefusedException;
import io.agenthooks.spring.suspend.ApprovalRefusedException.Reason;
import io.agenthooks.spring.suspend.ApprovalRequest;
import io.agenthooks.spring.suspend.ApprovalRequest.Approvers;
import io.agenthooks.spring.suspend.ApprovalState;
import io.agenthooks.spring.suspend.Person;
import io.agenthooks.spring.suspend.ResumedTurn;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for who may decide about a question on a node with another configuration than the
 * one that asked it.
 */
class QuestionsKeepApproversTests {

	private static final Person FIRST = new Person("ann", Set.of("ROLE_FIRST"));

	private static final Person SECOND = new Person("ben", Set.of("ROLE_SECOND"));

	private static final Person BOTH = new Person("cid", Set.of("ROLE_FIRST", "ROLE_SECOND"));

	private static final Person ALSO = new Person("dan", BOTH.authorities());

	/** The user for whom the agent acts. */
	private static final Person CAROL = new Person("carol", Set.of("ROLE_FIRST", "ROLE_SECOND"));

	@RegisterExtension
	static final PostgresExtension postgres = new PostgresExtension();

	@AutoClose
	private final ApprovalApplication asking = new ApprovalApplication();

	@AutoClose
	private final ApprovalApplication deciding = new ApprovalApplication();

	@TempDir
	private Path folder;

	private DataSource database(Database kind) {
		return (kind == Database.POSTGRES) ? postgres.database() : ApprovalApplication.h2(this.folder);
	}

	private void run(DataSource database, String first, String second, Runnable test) {
		this.asking.run(node(this.asking, database, first),
				(one) -> this.deciding.run(node(this.deciding, database, second), (two) -> test.run()));
	}

	private static ApplicationContextRunner node(ApprovalApplication node, DataSource database, String options) {
		return node.asking()
			.withBean(DataSource.class, () -> database)
			.withPropertyValues("hooks.approval.store=jdbc", "hooks.approval.jdbc.initialize_schema=always",
					"hooks.approval.mode=block")
			.withPropertyValues(
					Stream.of(options.split(";")).map((option) -> "hooks.approval." + option).toArray(String[]::new));
	}

	private void assertMayNot(ApprovalApplication node, ApprovalRequest question, Person... people) {
		for (Person person : people) {
			assertThat(node.approvals().mayDecide(question, person)).as(person.name()).isFalse();
			for (Verdict verdict : Verdict.values()) {
				assertThatExceptionOfType(ApprovalRefusedException.class).as("%s %s", person.name(), verdict)
					.isThrownBy(() -> node.approvals()
						.answer(question.id(), question.revision(),
								new ApprovalAnswer(person, verdict,
										(verdict == Verdict.EDIT) ? "{\"command\":\"ls\"}" : null, null)))
					.extracting(ApprovalRefusedException::reason)
					.isEqualTo(Reason.NOT_ALLOWED);
			}
		}
	}

	@ParameterizedTest
	@EnumSource
	void nodeWithOtherApproversLetsOnlyThoseDecideWhomBothLet(Database kind) {
		run(database(kind), "approvers=ROLE_FIRST", "approvers=ROLE_SECOND", () -> {
			CompletableFuture<ToolResult> result = this.asking.start(ApprovalApplication.CALL);
			ApprovalRequest question = this.asking.pending();
			assertThat(question.approvers()).isEqualTo(new Approvers(Set.of("ROLE_FIRST"), false));
			assertMayNot(this.deciding, question, FIRST, SECOND, CAROL);
			assertMayNot(this.asking, question, SECOND, CAROL);
			assertThat(this.deciding.approvals().mayDecide(question, BOTH)).isTrue();
			assertThat(this.deciding.approve(question, BOTH).state()).isEqualTo(ApprovalState.APPROVED);
			assertThat(result).succeedsWithin(Duration.ofSeconds(20)).matches(ToolResult::succeeded);
		});
		assertThat(this.asking.ran).hasSize(1);
	}

	@ParameterizedTest
	@EnumSource
	void nodeThatLetsEverybodyDecideLetsOnlyTheApproversOfTheQuestion(Database kind) {
		run(database(kind), "approvers=ROLE_FIRST", "insecure=true;approvers=", () -> {
			CompletableFuture<ToolResult> result = this.asking.start(ApprovalApplication.CALL);
			ApprovalRequest question = this.asking.pending();
			assertMayNot(this.deciding, question, SECOND);
			this.deciding.deny(question, FIRST, "no");
			assertThat(result).succeedsWithin(Duration.ofSeconds(20)).matches((denied) -> !denied.succeeded());
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "prevent_self_approval=false|prevent_self_approval=true",
			"prevent_self_approval=true|prevent_self_approval=false" })
	void userOfTheAgentDecidesNowhereIfOneOfTheTwoPreventsIt(String options) {
		String both = "approvers=ROLE_FIRST;";
		String[] each = options.split("\\|", -1);
		run(database(Database.H2), both + each[0], both + each[1], () -> {
			CompletableFuture<ToolResult> result = this.asking.start(ApprovalApplication.CALL);
			ApprovalRequest question = this.asking.pending();
			assertMayNot(this.deciding, question, CAROL);
			assertThat(this.asking.approvals().mayDecide(question, CAROL)).isEqualTo(each[0].endsWith("false"));
			this.asking.deny(question, FIRST, "no");
			assertThat(result).succeedsWithin(Duration.ofSeconds(20));
		});
	}

	@ParameterizedTest
	@EnumSource
	void questionWhoseApproversWereChangedInTheStoreLetsNothingRun(Database kind) {
		for (String change : List.of("'\"ROLE_FIRST\"', '\"ROLE_SECOND\"'", "'[[\"ROLE_FIRST\"]]', '[]'",
				"'\"self\":false', '\"self\":true'", "'\"approvals\":2', '\"approvals\":1'",
				"'\"max_scope\":\"ONCE\"', '\"max_scope\":\"CALL\"'")) {
			ApprovalApplication node = new ApprovalApplication();
			String command = "rm " + Integer.toHexString(change.hashCode());
			DataSource database = database(kind);
			node.run(node(node, database, "mode=suspend;four_eyes=2;approvers=ROLE_FIRST"), (context) -> {
				String id = SuspendedCallsContract.suspended(node, ApprovalApplication.call(command));
				int unused = JdbcClient.create(database)
					.sql("update agent_hooks_approval set request = replace(request, " + change + ") where id = ?")
					.param(id)
					.update();
				ApprovalRequest question = node.approvals().find(id).orElseThrow();
				for (Person person : List.of(BOTH, ALSO, FIRST)) {
					answerIfPossible(node, id, person);
				}
				ResumedTurn turn = node.approvals().resume(id);
				assertThat(node.approvals().find(id).orElseThrow().state()).as(change + " " + question)
					.isNotEqualTo(ApprovalState.CLAIMED);
				assertThat(turn.request().state()).isNotEqualTo(ApprovalState.CLAIMED);
			});
			assertThat(node.ran).as(change).isEmpty();
			node.close();
		}
	}

	private static void answerIfPossible(ApprovalApplication node, String id, Person person) {
		ApprovalRequest last = node.approvals().find(id).orElseThrow();
		if (last.state() == ApprovalState.PENDING && node.approvals().mayDecide(last, person)) {
			node.approve(last, person);
		}
	}

	@Test
	void questionOfATimeBeforeApproversWereKeptIsRefused() {
		DataSource database = database(Database.H2);
		String[] id = new String[1];
		Consumer<ApprovalRequest> age = (question) -> JdbcClient.create(database)
			.sql("update agent_hooks_approval set request = replace(request, "
					+ "'\"approvers\":{\"authorities\":[[\"ROLE_FIRST\"]],\"self\":false},', '')")
			.update();
		run(database, "mode=suspend;approvers=ROLE_FIRST", "mode=suspend;approvers=ROLE_FIRST", () -> {
			id[0] = SuspendedCallsContract.suspended(this.asking, ApprovalApplication.CALL);
			ApprovalRequest question = this.asking.approvals().find(id[0]).orElseThrow();
			age.accept(question);
			assertThatExceptionOfType(IllegalStateException.class)
				.isThrownBy(() -> this.deciding.approve(question, FIRST))
				.withMessageContaining("cannot be read");
			assertThatExceptionOfType(IllegalStateException.class)
				.isThrownBy(() -> this.asking.approvals().resume(id[0]));
		});
		assertThat(this.asking.ran).isEmpty();
		assertThat(this.deciding.ran).isEmpty();
	}

	enum Database {

		H2, POSTGRES

	}

}
