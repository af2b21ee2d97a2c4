package io.agenthooks.spring.binding;

import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Options that there were before, with what to write in their place.
 */
final class RemovedOptions {

	private static final Map<String, String> ADVICE = Map.of("hooks.audit.events",
			"It is gone: records are no longer copied to an AuditEventRepository. Remove it; what is to go elsewhere, too, "
					+ "is given there by an AuditSink bean of yours, or read from the store. ");

	private RemovedOptions() {
	}

	/**
	 * What to write in place of an option, or {@code null} if there never was such a one.
	 */
	static @Nullable String adviceFor(PropertyNode node) {
		return ADVICE.get(PropertyNode.uniform(node.path()));
	}

}
