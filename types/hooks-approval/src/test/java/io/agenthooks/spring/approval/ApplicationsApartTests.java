package io.agenthooks.spring.approval;

import java.nio.file.Path;
import java.util.Objects;

import javax.sql.DataSource;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.agenthooks.spring.suspend.ApprovalRefusedException;
import io.agenthooks.spring.suspend.ApprovalRequest;
import io.agenthooks.spring.suspend.ApprovalState;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for two applications with the same entries that keep questions in the same
 * database.
 */
class ApplicationsApartTests {

	@AutoClose
	private final ApprovalApplication shop = new ApprovalApplication();

	@AutoClose
	private final ApprovalApplication bank = new ApprovalApplication();

	@TempDir
	private Path folder;

	private ApplicationContextRunner runner(ApprovalApplication application, String name) {
		DataSource database = ApprovalApplication.h2(this.folder);
		return application.asking()
			.withBean(DataSource.class, () -> database)
			.withPropertyValues("hooks.approval.store=jdbc", "hooks.approval.mode=suspend",
					"hooks.approval.jdbc.initialize_schema=always", "spring.application.name=" + name);
	}

	private void run(Runnable test) {
		this.shop.run(runner(this.shop, "shop"),
				(one) -> this.bank.run(runner(this.bank, "bank"), (two) -> test.run()));
	}

	@Test
	void questionOfOneApplicationIsNoneOfTheOther() {
		run(() -> {
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

	@Test
	void approvalOfOneApplicationLetsNoCallOfTheOtherRun() {
		run(() -> {
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

	@Test
	void applicationWithoutANameDoesNotStart() {
		runner(this.shop, "").run((context) -> assertThat(Objects.requireNonNull(context.getStartupFailure()))
			.hasStackTraceContaining("spring.application.name")
			.hasStackTraceContaining("hooks.application"));
		runner(this.shop, "").withPropertyValues("hooks.application=shop of 'Ann'")
			.run((context) -> assertThat(context).hasNotFailed());
	}

}
