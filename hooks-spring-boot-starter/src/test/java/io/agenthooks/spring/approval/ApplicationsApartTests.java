package io.agenthooks.spring.approval;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;

import javax.sql.DataSource;

import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for two applications with the same entries that keep questions in the same
 * database or Redis.
 */
class ApplicationsApartTests {

	private final ApprovalApplication shop = new ApprovalApplication();

	private final ApprovalApplication bank = new ApprovalApplication();

	@TempDir
	private Path folder;

	private TestRedis redis;

	@BeforeEach
	void start() throws IOException {
		this.redis = TestRedis.start(this.folder, TestRedis.DURABLE);
	}

	@AfterEach
	void stop() throws IOException {
		this.shop.close();
		this.bank.close();
		this.redis.close();
	}

	private ApplicationContextRunner runner(ApprovalApplication application, String store, String name) {
		JdbcDataSource database = new JdbcDataSource();
		database.setURL("jdbc:h2:file:" + this.folder.resolve("approvals") + ";DB_CLOSE_DELAY=2");
		return application.asking()
			.withConfiguration(AutoConfigurations.of(RedisApprovalAutoConfiguration.class))
			.withBean(DataSource.class, () -> database)
			.withBean(RedisConnectionFactory.class, () -> this.redis.client())
			.withPropertyValues("hooks.approval.store=" + store, "hooks.approval.mode=suspend",
					"hooks.approval.jdbc.initialize_schema=always", "spring.application.name=" + name);
	}

	private void run(String store, Runnable test) {
		this.shop.run(runner(this.shop, store, "shop"),
				(one) -> this.bank.run(runner(this.bank, store, "bank"), (two) -> test.run()));
	}

	@ParameterizedTest
	@ValueSource(strings = { "jdbc", "redis" })
	void questionOfOneApplicationIsNoneOfTheOther(String store) {
		run(store, () -> {
			String id = SuspendedCallsContract.suspended(this.shop, ApprovalApplication.CALL);
			assertThat(this.shop.approvals().pending(10)).hasSize(1);
			assertThat(this.bank.approvals().pending(10)).isEmpty();
			assertThat(this.bank.approvals().find(id)).isEmpty();
			ApprovalRequest question = SuspendedCallsContract.question(this.shop, id);
			assertThatExceptionOfType(ApprovalRefusedException.class)
				.isThrownBy(() -> this.bank.approve(question, ApprovalApplication.ALICE));
			assertThat(this.shop.approvals().find(id)).map(ApprovalRequest::state).contains(ApprovalState.PENDING);
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "jdbc", "redis" })
	void approvalOfOneApplicationLetsNoCallOfTheOtherRun(String store) {
		run(store, () -> {
			String id = SuspendedCallsContract.approved(this.shop, ApprovalApplication.CALL);
			String other = SuspendedCallsContract.suspended(this.bank, ApprovalApplication.CALL);
			assertThat(other).isNotEqualTo(id);
			assertThat(this.bank.approvals().pending(10)).extracting(ApprovalRequest::id).containsExactly(other);
			assertThatExceptionOfType(RuntimeException.class).isThrownBy(() -> this.bank.approvals().resume(id));
			assertThat(this.bank.ran).isEmpty();
			assertThat(this.shop.approvals().resume(id).complete()).isTrue();
			assertThat(this.shop.ran).hasSize(1);
			assertThat(this.bank.approvals().settled(10)).isEmpty();
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "jdbc", "redis" })
	void applicationWithoutANameDoesNotStart(String store) {
		runner(this.shop, store, "").run((context) -> assertThat(Objects.requireNonNull(context.getStartupFailure()))
			.hasStackTraceContaining("spring.application.name")
			.hasStackTraceContaining("hooks.application"));
		runner(this.shop, store, "").withPropertyValues("hooks.application=shop of 'Ann'")
			.run((context) -> assertThat(context).hasNotFailed());
	}

}
