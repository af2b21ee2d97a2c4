package io.agenthooks.spring.approval;

import java.util.List;
import java.util.Optional;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.agenthooks.SafeText;
import io.agenthooks.Sha256;
import io.agenthooks.spring.jdbc.OwnTransactions;

/**
 * The applications that keep questions in a database. A name may be taken twice, or be
 * changed while questions are open: their main classes tell. Whoever writes {@code
 * hooks.application} knows what belongs together.
 */
final class JdbcOwners {

	private static final Logger logger = LoggerFactory.getLogger(JdbcOwners.class);

	/**
	 * Stands before the main class if the name was written: it decides who else may have
	 * the name, and not what an application of another name leaves behind.
	 */
	private static final String WRITTEN = "written: ";

	private static final int MAX_MAIN_CLASS = 500 - WRITTEN.length();

	private final OwnTransactions transactions;

	private final JdbcClient client;

	JdbcOwners(OwnTransactions transactions) {
		this.transactions = transactions;
		this.client = transactions.client();
	}

	void take(StoreOwner owner) {
		boolean unused = this.transactions.write(() -> takeLocked(owner));
	}

	private boolean takeLocked(StoreOwner owner) {
		this.client.sql(JdbcApprovalStore.LOCK).query(Integer.class).list();
		String mainClass = mainClass(owner);
		String key = Sha256.hex(owner.application());
		Optional<String> taken = this.client
			.sql("select main_class from agent_hooks_approval_owner where application = ?")
			.param(key)
			.query(String.class)
			.optional();
		if (taken.isPresent()) {
			String other = (taken.get().startsWith(WRITTEN)) ? taken.get().substring(WRITTEN.length()) : taken.get();
			boolean isSame = owner.written() || other.isEmpty() || mainClass.isEmpty() || other.equals(mainClass);
			if (!isSame) {
				throw InvalidApprovalStoreException.otherOwner(owner.application(), other, mainClass);
			}
			return true;
		}
		leftBehind(mainClass).forEach((left) -> {
			if (!owner.written()) {
				throw InvalidApprovalStoreException.renamed(owner.application(), left.name(), left.open());
			}
			logger.warn(
					"{} open question(s) to people are in the database that this application asked as '{}': it "
							+ "sees only those of '{}' ('hooks.application')",
					left.open(), left.name(), SafeText.name(owner.application()));
		});
		this.client.sql("insert into agent_hooks_approval_owner (application, name, main_class) values (?, ?, ?)")
			.params(key, SafeText.name(owner.application()), (owner.written()) ? WRITTEN + mainClass : mainClass)
			.update();
		return true;
	}

	private static String mainClass(StoreOwner owner) {
		String name = owner.mainClass();
		return (name.length() <= MAX_MAIN_CLASS) ? name : Sha256.hex(name);
	}

	private List<Left> leftBehind(String mainClass) {
		if (mainClass.isEmpty()) {
			return List.of();
		}
		return this.client
			.sql("select o.name, count(*) from agent_hooks_approval_owner o join agent_hooks_approval q "
					+ "on q.application = o.application where o.main_class = ? and q.state in ('PENDING', 'APPROVED') "
					+ "and q.expires_at > current_timestamp group by o.name order by o.name")
			.param(mainClass)
			.query((row, number) -> new Left(row.getString(1), row.getInt(2)))
			.list();
	}

	private record Left(String name, int open) {
	}

}
