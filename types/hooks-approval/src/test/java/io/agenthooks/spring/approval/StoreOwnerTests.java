package io.agenthooks.spring.approval;

import java.nio.file.Path;
import java.time.Instant;
import java.util.Objects;

import javax.sql.DataSource;

import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import io.agenthooks.spring.jdbc.PostgresExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for an application that starts on the questions of another one.
 */
@ExtendWith(OutputCaptureExtension.class)
class StoreOwnerTests {

	@RegisterExtension
	static final PostgresExtension postgres = new PostgresExtension();

	@TempDir
	private Path folder;

	private DataSource database(Database kind) {
		return switch (kind) {
			case POSTGRES -> postgres.database();
			case H2 -> ApprovalApplication.h2(this.folder);
			case OWN -> inMemory();
		};
	}

	private static DataSource inMemory() {
		JdbcDataSource database = new JdbcDataSource();
		database.setURL("jdbc:h2:mem:owners;DB_CLOSE_DELAY=-1");
		return database;
	}

	private static ApplicationContextRunner runner(ApprovalApplication node, DataSource database, Class<?> mainClass,
			String... properties) {
		return node.asking()
			.withUserConfiguration(mainClass)
			.withBean(DataSource.class, () -> database)
			.withPropertyValues("hooks.approval.jdbc.initialize_schema=always", "hooks.approval.mode=suspend")
			.withPropertyValues(properties);
	}

	/**
	 * Start an application and leave a question behind.
	 * @return the id of the question
	 */
	private static String ask(DataSource database, Class<?> mainClass, boolean approved, String... properties) {
		String[] id = new String[1];
		try (ApprovalApplication node = new ApprovalApplication()) {
			node.run(runner(node, database, mainClass, properties),
					(context) -> id[0] = (approved) ? SuspendedCallsContract.approved(node, ApprovalApplication.CALL)
							: SuspendedCallsContract.suspended(node, ApprovalApplication.CALL));
		}
		return id[0];
	}

	private static void starts(DataSource database, Class<?> mainClass, String... properties) {
		try (ApprovalApplication node = new ApprovalApplication()) {
			node.run(runner(node, database, mainClass, properties), (context) -> assertThat(context).hasNotFailed());
		}
	}

	private static InvalidApprovalStoreException refused(DataSource database, Class<?> mainClass,
			String... properties) {
		InvalidApprovalStoreException[] refused = new InvalidApprovalStoreException[1];
		try (ApprovalApplication node = new ApprovalApplication()) {
			runner(node, database, mainClass, properties).run((context) -> {
				Throwable cause = Objects.requireNonNull(context.getStartupFailure());
				while (!(cause instanceof InvalidApprovalStoreException)) {
					cause = Objects.requireNonNull(cause.getCause());
				}
				refused[0] = (InvalidApprovalStoreException) cause;
			});
		}
		return refused[0];
	}

	@ParameterizedTest
	@EnumSource(names = { "H2", "POSTGRES" })
	void otherApplicationOfTheSameNameIsRefused(Database kind) {
		DataSource database = database(kind);
		starts(database, Shop.class);
		starts(database, Shop.class);
		InvalidApprovalStoreException refused = refused(database, Bank.class);
		assertThat(refused.getDescription()).contains("the application 'shop'", Shop.class.getName(),
				Bank.class.getName());
		assertThat(refused.getAction()).contains("hooks.application: shop");
		starts(database, Bank.class, "spring.application.name=bank");
		starts(database, Shop.class);
	}

	@ParameterizedTest
	@EnumSource(names = { "H2", "POSTGRES" })
	void programsThatAreOneApplicationWriteItsName(Database kind) {
		DataSource database = database(kind);
		String id = ask(database, Shop.class, false);
		try (ApprovalApplication desk = new ApprovalApplication()) {
			desk.run(runner(desk, database, Bank.class, "hooks.application=shop", "spring.application.name=desk"),
					(context) -> desk.approve(desk.approvals().find(id).orElseThrow(), ApprovalApplication.ALICE));
		}
		starts(database, Shop.class);
	}

	@ParameterizedTest
	@EnumSource(names = { "H2", "POSTGRES" })
	void programThatWroteTheNameFirstLetsNoOtherInThatDidNot(Database kind) {
		DataSource database = database(kind);
		starts(database, Bank.class, "hooks.application=shop");
		InvalidApprovalStoreException refused = refused(database, Shop.class);
		assertThat(refused.getDescription())
			.contains("the application 'shop', which is " + Bank.class.getName() + " there", Shop.class.getName());
		assertThat(refused.getAction()).contains("hooks.application: shop");
		starts(database, Shop.class, "hooks.application=shop");
		starts(database, Bank.class);
		starts(database, Bank.class, "hooks.application=shop");
	}

	@ParameterizedTest
	@EnumSource(names = { "H2", "POSTGRES" })
	void questionsOfAWrittenNameAreNotLeftBehindByAnotherApplicationOfTheSameMainClass(Database kind,
			CapturedOutput output) {
		DataSource database = database(kind);
		String id = ask(database, Shop.class, false, "hooks.application=north");
		starts(database, Shop.class, "hooks.application=south");
		starts(database, Shop.class, "spring.application.name=west");
		assertThat(output).doesNotContain("open question(s) to people are in the database");
		try (ApprovalApplication node = new ApprovalApplication()) {
			node.run(runner(node, database, Shop.class, "hooks.application=north"),
					(context) -> assertThat(node.approvals().find(id)).isPresent());
		}
	}

	@Test
	void mainClassesWithALongNameAreToldApart() {
		DataSource database = database(Database.H2);
		JdbcOwners owners = JdbcApprovalStore.open(tables(database), "shop").owners();
		for (boolean written : new boolean[] { true, false }) {
			owners.take(new StoreOwner("shop", written, "a".repeat(600)));
		}
		assertThatExceptionOfType(InvalidApprovalStoreException.class)
			.isThrownBy(() -> owners.take(new StoreOwner("shop", false, "b".repeat(600))));
		owners.take(new StoreOwner("store", true, "c".repeat(491)));
		owners.take(new StoreOwner("store", false, "c".repeat(491)));
	}

	private static DataSource tables(DataSource database) {
		starts(database, Shop.class, "spring.application.name=tables");
		return database;
	}

	@ParameterizedTest
	@EnumSource(names = { "H2", "POSTGRES" })
	void applicationWithAnotherNameDoesNotLeaveItsOpenQuestions(Database kind, CapturedOutput output) {
		for (boolean approved : new boolean[] { false, true }) {
			if (kind == Database.POSTGRES) {
				postgres.dropTables();
			}
			DataSource database = (kind == Database.POSTGRES) ? database(kind)
					: ApprovalApplication.h2(this.folder.resolve("renamed-" + approved));
			String id = ask(database, Shop.class, approved);
			InvalidApprovalStoreException refused = refused(database, Shop.class, "spring.application.name=store");
			assertThat(refused.getDescription()).contains("1 open question(s)", "'shop'", "'store'");
			assertThat(refused.getAction()).contains("hooks.application: shop", "hooks.application: store");
			try (ApprovalApplication node = new ApprovalApplication()) {
				node.run(runner(node, database, Shop.class, "spring.application.name=store", "hooks.application=shop"),
						(context) -> assertThat(node.approvals().find(id)).isPresent());
			}
			starts(database, Shop.class, "hooks.application=store");
			assertThat(output).contains("1 open question(s) to people are in the database");
			starts(database, Shop.class, "spring.application.name=store");
		}
	}

	@Test
	void applicationWithAnotherNameMayLeaveWhatIsSettled() {
		DataSource database = database(Database.H2);
		String id = ask(database, Shop.class, false);
		try (ApprovalApplication node = new ApprovalApplication()) {
			node.run(runner(node, database, Shop.class),
					(context) -> node.deny(node.approvals().find(id).orElseThrow(), ApprovalApplication.ALICE, "no"));
		}
		starts(database, Shop.class, "spring.application.name=store");
	}

	@Test
	void applicationWithAnotherNameMayLeaveWhatIsOver() {
		DataSource database = database(Database.H2);
		try (ApprovalApplication node = new ApprovalApplication()) {
			node.run(runner(node, database, Shop.class), (context) -> {
				Instant before = Instant.now().minusSeconds(3600);
				assertThat(node.store()
					.ask(Questions.question("q1", "f1", "s1", 1, before), new ApprovalStore.Bounds(10, 10)))
					.isPresent();
			});
		}
		starts(database, Shop.class, "spring.application.name=store");
	}

	@Test
	void applicationsOfTwoNamesHaveOneDatabase() {
		DataSource database = database(Database.POSTGRES);
		String id = ask(database, Shop.class, false);
		starts(database, Bank.class, "spring.application.name=bank");
		starts(database, Shop.class);
		try (ApprovalApplication node = new ApprovalApplication()) {
			node.run(runner(node, database, Shop.class),
					(context) -> assertThat(node.approvals().find(id)).isPresent());
		}
	}

	@Test
	void databaseInTheMemoryOfTheApplicationIsItsOwn() {
		starts(database(Database.OWN), Shop.class);
		starts(database(Database.OWN), Bank.class);
	}

	enum Database {

		H2, POSTGRES, OWN

	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	static class Shop {

	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	static class Bank {

	}

}
