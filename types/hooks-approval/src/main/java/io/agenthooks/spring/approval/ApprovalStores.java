package io.agenthooks.spring.approval;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.agenthooks.spring.binding.MissingModuleException;

/** A database if there is one, and the memory of the application otherwise. */
final class ApprovalStores {

	private static final Logger logger = LoggerFactory.getLogger(ApprovalStores.class);

	private ApprovalStores() {
	}

	/** The database is {@code null} without the library for it. */
	static ApprovalStore open(ApprovalConfig config, @Nullable JdbcApprovals database, StoreOwner owner) {
		if (config.store() == ApprovalConfig.Store.JDBC && database == null) {
			throw new InvalidApprovalException(
					"'hooks.approval.store' is 'jdbc', which needs the dependency %s."
						.formatted(MissingModuleException.dependencyOf("jdbc", "spring-boot-starter-jdbc")),
					"Add it and a DataSource, or write 'memory'.");
		}
		List<String> databaseNames = (database != null && config.store() == null && !database.isAvailable())
				? database.names() : List.of();
		if (databaseNames.size() > 1) {
			if (config.mode() != ApprovalConfig.Mode.BLOCK) {
				throw severalDatabases(databaseNames);
			}
			logger.warn(
					"Questions to people are kept in memory, because there are several DataSource beans, {}, and none "
							+ "is @Primary: they are lost when the application ends, and other nodes do not see them.",
					databaseNames);
			return new MemoryApprovalStore();
		}
		if (config.store() != ApprovalConfig.Store.MEMORY && database != null
				&& (database.isAvailable() || config.store() == ApprovalConfig.Store.JDBC)) {
			if (owner.application().isEmpty() && database.isAvailable() && !database.isOwn()) {
				throw noName();
			}
			return database.open(owner, config.schema().name());
		}
		logger.warn("Questions to people are kept in memory: they are lost when the application ends, and other nodes "
				+ "do not see them. Add a DataSource to keep them ('hooks.approval.store').");
		return new MemoryApprovalStore();
	}

	private static InvalidApprovalException noName() {
		return new InvalidApprovalException(
				"Questions to people are kept in the database of the DataSource, where other applications may keep "
						+ "theirs as well, but this one has no name.",
				"Write 'spring.application.name', or 'hooks.application', the same on all nodes of this application.");
	}

	private static InvalidApprovalException severalDatabases(List<String> names) {
		return new InvalidApprovalException(
				"There are %d DataSource beans, '%s', and none is @Primary, so it is not known which one is to keep the questions to people."
					.formatted(names.size(), String.join("', '", names)),
				"Mark one with @Primary. Or write 'hooks.approval.mode: block', so that calls wait on their threads and "
						+ "questions are kept in memory.");
	}

}
