package io.agenthooks.spring.approval;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import javax.sql.DataSource;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.PayloadApplicationEvent;

import io.agenthooks.spring.alert.ToolAlert;
import io.agenthooks.spring.metrics.ToolCallMetricsAutoConfiguration;
import io.agenthooks.spring.suspend.ApprovalState;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what is told of questions that nobody answered in time.
 */
class ExpiredQuestionsTests {

	private static final Duration LONG = Duration.ofSeconds(30);

	private static final String YAML = """
			hooks:
			  tool_call:
			    pre_call:
			      - type: approval
			        name: people
			    post_call:
			      - type: alert
			        name: forgotten
			        match: [run_command]
			        agents: [clerk]
			        config: {outcomes: [expired], key: [tool, hook, user], silence: 0s}
			      - type: alert
			        name: of-another-tool
			        match: [read]
			        config: {outcomes: [expired], silence: 0s}
			      - type: alert
			        name: of-another-agent
			        agents: [other]
			        config: {outcomes: [expired], silence: 0s}
			""";

	@AutoClose
	private final ApprovalApplication application = new ApprovalApplication();

	private final MeterRegistry meters = new SimpleMeterRegistry();

	private final List<ToolAlert> alerts = new CopyOnWriteArrayList<>();

	@TempDir
	private Path folder;

	private ApplicationContextRunner node(String mode, String timeout) {
		DataSource database = ApprovalApplication.h2(this.folder);
		return this.application.runner(YAML)
			.withBean(DataSource.class, () -> database)
			.withBean(MeterRegistry.class, () -> this.meters)
			.withConfiguration(AutoConfigurations.of(ToolCallMetricsAutoConfiguration.class))
			.withInitializer((starting) -> starting.addApplicationListener((event) -> {
				if (event instanceof PayloadApplicationEvent<?> payload
						&& payload.getPayload() instanceof ToolAlert alert) {
					this.alerts.add(alert);
				}
			}))
			.withPropertyValues("hooks.approval.jdbc.initialize_schema=always", "hooks.approval.mode=" + mode,
					"hooks.approval.timeout=" + timeout);
	}

	private double counted(String state) {
		Counter counter = this.meters.find("hooks.approvals").tag("state", state).counter();
		return (counter != null) ? counter.count() : 0;
	}

	private void assertAlert() {
		Awaitility.await().atMost(LONG).until(() -> !this.alerts.isEmpty());
		assertThat(this.alerts).singleElement().satisfies((alert) -> {
			assertThat(alert.name()).isEqualTo("forgotten");
			assertThat(alert.status()).isEqualTo("expired");
			assertThat(alert.tool()).isEqualTo("run_command");
			assertThat(alert.decidedBy()).isEqualTo("people");
			assertThat(alert.user()).isEqualTo("carol");
			assertThat(alert.toString()).doesNotContain("rm -r");
		});
	}

	@Test
	void questionOfATurnThatEndedIsToldSoonAlthoughNobodyLooks() {
		this.application.run(node("suspend", "1s"), (context) -> {
			SuspendedCallsContract.suspended(this.application, ApprovalApplication.CALL);
			Awaitility.await().atMost(LONG).until(() -> counted("expired") == 1);
			assertThat(counted("asked")).isOne();
			assertAlert();
		});
	}

	@Test
	void eachOfSeveralQuestionsIsToldInItsTime() {
		this.application.run(node("suspend", "1s"), (context) -> {
			for (int i = 0; i < 3; i++) {
				SuspendedCallsContract.suspended(this.application, ApprovalApplication.call("rm -r " + i));
			}
			Awaitility.await().atMost(LONG).until(() -> counted("expired") == 3);
			SuspendedCallsContract.suspended(this.application, ApprovalApplication.call("later"));
			Awaitility.await().atMost(LONG).until(() -> counted("expired") == 4 && this.alerts.size() == 4);
		});
	}

	@Test
	void questionOfANodeThatIsGoneIsToldByTheNext() {
		this.application.run(node("suspend", "2s"),
				(context) -> SuspendedCallsContract.suspended(this.application, ApprovalApplication.CALL));
		this.application.run(node("suspend", "1h"), (context) -> {
			Awaitility.await().atMost(LONG).until(() -> counted("expired") == 1);
			assertAlert();
		});
	}

	@Test
	void questionOfACallThatWaitsIsToldWhenItStopsWaiting() {
		this.application.run(node("block", "500ms"), (context) -> {
			ToolResult result = ApprovalApplication.resultOf(this.application.start(ApprovalApplication.CALL));
			assertThat(result.succeeded()).isFalse();
			assertThat(counted("expired")).isOne();
			assertAlert();
		});
	}

	@Test
	void whatPeopleDecidedIsCountedAndAlertsNobody() {
		this.application.run(node("suspend", "2s"), (context) -> {
			String approved = SuspendedCallsContract.approved(this.application, ApprovalApplication.CALL);
			this.application.approvals().resume(approved);
			String denied = SuspendedCallsContract.suspended(this.application, ApprovalApplication.call("ls"));
			this.application.deny(SuspendedCallsContract.question(this.application, denied), ApprovalApplication.ALICE,
					"no");
			String unused = SuspendedCallsContract.approved(this.application, ApprovalApplication.call("pwd"));
			this.application.inState(unused, ApprovalState.EXPIRED);
			Awaitility.await().atMost(LONG).until(() -> counted("unused") == 1);
			assertThat(List.of(counted("asked"), counted("approved"), counted("claimed"), counted("denied"),
					counted("expired")))
				.containsExactly(3.0, 2.0, 1.0, 1.0, 0.0);
			assertThat(this.alerts).isEmpty();
		});
	}

	@Test
	void conditionOfAnEndOfACallIsNoneOfAQuestion() {
		this.application
			.runner(YAML.replace("{outcomes: [expired], silence: 0s}", "{outcomes: [expired, denied], when: 'true'}"))
			.run((context) -> assertThat(context).getFailure().hasStackTraceContaining("is no such end"));
	}

}
