package io.agenthooks.spring.audit;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The store of the records of the audit. A bean of this type replaces those of the
 * starter. It is used by one thread.
 *
 * @since 0.1.0
 */
public interface AuditSink extends AutoCloseable {

	/**
	 * The last record of a node, with which its chain goes on. Asked once, at the start.
	 * @param node the node
	 * @return the line of that record, or {@code null} if there is none
	 * @throws Exception if it cannot be read, which stops the start
	 */
	@Nullable String lastLine(String node) throws Exception;

	/**
	 * Keep records. They are kept for good when this returns. After an exception the same
	 * records come again, until they are kept: what of them is kept already has to be
	 * skipped.
	 * @param records the records of one node, in the order of their numbers
	 * @throws Exception if they cannot be kept now
	 */
	void write(List<AuditRecord> records) throws Exception;

	/** Let go of files and connections. What it throws is logged. */
	@Override
	default void close() {
	}

}
