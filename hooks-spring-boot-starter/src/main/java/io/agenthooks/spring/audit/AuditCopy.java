package io.agenthooks.spring.audit;

/**
 * Makes the sink that copies what is kept to a second place, with a library that not
 * every application has.
 */
@FunctionalInterface
interface AuditCopy {

	AuditSink beside(AuditSink sink);

}
