package io.agenthooks.spring.approval;

import javax.sql.DataSource;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

import io.agenthooks.spring.jdbc.PostgresExtension;

/**
 * Tests for turns that go on by themselves, with a real PostgreSQL.
 */
@Tag("slow")
class PostgresTurnContinuationsTests extends TurnContinuationsContract {

	@RegisterExtension
	static final PostgresExtension postgres = new PostgresExtension();

	@Override
	DataSource database() {
		return postgres.database();
	}

}
