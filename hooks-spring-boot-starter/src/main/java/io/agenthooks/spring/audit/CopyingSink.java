package io.agenthooks.spring.audit;

/**
 * A sink that also gives the records to another place than the one that keeps them.
 */
interface CopyingSink extends AuditSink {

	/**
	 * The sink that keeps the records.
	 */
	AuditSink original();

	/**
	 * The sink that keeps what is written to a sink.
	 */
	static AuditSink originalOf(AuditSink sink) {
		AuditSink original = sink;
		while (original instanceof CopyingSink copying) {
			original = copying.original();
		}
		return original;
	}

}
