package io.agenthooks.spring.approval;

import java.util.UUID;

import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import io.agenthooks.spring.suspend.ApprovalRequest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Tests for {@link JdbcApprovalAutoConfiguration}.
 */
class JdbcApprovalAutoConfigurationTests {

	private static final StoreOwner SHOP = new StoreOwner("shop", true, "");

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(JdbcApprovalAutoConfiguration.class))
		.withPropertyValues("hooks.approval.enabled=true");

	@ParameterizedTest
	@ValueSource(strings = { "ALWAYS", "EMBEDDED" })
	void tablesAreMadeInH2AndLeftAsTheyAreAtTheNextStart(String mode) {
		this.runner.withBean(JdbcDataSource.class, JdbcApprovalAutoConfigurationTests::h2).run((context) -> {
			JdbcApprovals approvals = context.getBean(JdbcApprovals.class);
			assertThat(approvals.isAvailable()).isTrue();
			ApprovalRequest asked = Questions.question("q");
			try (ApprovalStore store = approvals.open(SHOP, mode)) {
				ApprovalStoreContract.asked(store, asked);
			}
			try (ApprovalStore store = approvals.open(SHOP, mode)) {
				assertThat(store).isInstanceOf(JdbcApprovalStore.class);
				assertThat(store.pending(10)).containsExactly(asked);
			}
		});
	}

	@Test
	void noTableIsMadeBeforeOneIsWanted() {
		this.runner.withBean(JdbcDataSource.class, JdbcApprovalAutoConfigurationTests::h2).run((context) -> {
			JdbcApprovals approvals = context.getBean(JdbcApprovals.class);
			assertThatExceptionOfType(InvalidApprovalStoreException.class)
				.isThrownBy(() -> approvals.open(SHOP, "NEVER"));
			assertThat(JdbcClient.create(context.getBean(JdbcDataSource.class))
				.sql("select count(*) from information_schema.tables where upper(table_name) like 'AGENT_HOOKS%'")
				.query(Integer.class)
				.single()).isZero();
		});
	}

	@Test
	void withoutASingleDatabaseThereIsNoStore() {
		this.runner.run((context) -> {
			JdbcApprovals approvals = context.getBean(JdbcApprovals.class);
			assertThat(approvals.isAvailable()).isFalse();
			assertThatExceptionOfType(InvalidApprovalStoreException.class)
				.isThrownBy(() -> approvals.open(SHOP, "ALWAYS"))
				.withMessageContaining("there is no DataSource bean");
		});
		this.runner.withBean("one", JdbcDataSource.class, JdbcApprovalAutoConfigurationTests::h2)
			.withBean("two", JdbcDataSource.class, JdbcApprovalAutoConfigurationTests::h2)
			.run((context) -> assertThat(context.getBean(JdbcApprovals.class).isAvailable()).isFalse());
	}

	@Test
	void databaseThatCannotBeReachedIsToldWithoutItsAddress() {
		DriverManagerDataSource away = new DriverManagerDataSource(
				"jdbc:postgresql://127.0.0.1:1/db?user=u&password=hidden&connectTimeout=5");
		this.runner.withBean(DriverManagerDataSource.class, () -> away).run((context) -> {
			JdbcApprovals approvals = context.getBean(JdbcApprovals.class);
			for (String mode : new String[] { "ALWAYS", "NEVER" }) {
				InvalidApprovalStoreException ex = catchThrowableOfType(InvalidApprovalStoreException.class,
						() -> approvals.open(SHOP, mode));
				assertThat(ex.getDescription()).contains("SQLState 08001").doesNotContain("hidden", "127.0.0.1");
				assertThat(ex.getAction()).contains("spring.datasource", "'hooks.approval.store' to 'memory'");
			}
		});
	}

	@Test
	void withoutSpringJdbcThereIsNothing() {
		this.runner.withClassLoader(new FilteredClassLoader("org.springframework.jdbc"))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(JdbcApprovals.class));
	}

	@Test
	void nativeImageHasTheScripts() {
		RuntimeHints hints = new RuntimeHints();
		new JdbcApprovalAutoConfiguration.ScriptHints().registerHints(hints, null);
		for (String platform : new String[] { "h2", "postgresql" }) {
			String script = "io/agenthooks/spring/approval/schema-%s.sql".formatted(platform);
			assertThat(new ClassPathResource(script).exists()).isTrue();
			assertThat(RuntimeHintsPredicates.resource().forResource(script)).accepts(hints);
		}
	}

	private static JdbcDataSource h2() {
		JdbcDataSource dataSource = new JdbcDataSource();
		dataSource.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
		return dataSource;
	}

}
