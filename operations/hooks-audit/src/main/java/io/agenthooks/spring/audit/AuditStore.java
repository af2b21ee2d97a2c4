package io.agenthooks.spring.audit;

/** Makes the sink of a store that needs a library which not every application has. */
@FunctionalInterface
interface AuditStore {

	AuditSink open(AuditConfig config);

}
