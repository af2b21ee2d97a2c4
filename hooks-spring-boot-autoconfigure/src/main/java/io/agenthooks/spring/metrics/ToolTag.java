package io.agenthooks.spring.metrics;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The value of a tag for the name of a tool that a model or a server has chosen: the name
 * itself for the first hundred, and one value for all others, so that no model can fill
 * the registry.
 */
final class ToolTag {

	static final int MAX_NAMES = 100;

	static final int MAX_LENGTH = 128;

	private final Set<String> seen = ConcurrentHashMap.newKeySet();

	String of(String tool) {
		if (this.seen.contains(tool)) {
			return tool;
		}
		return (tool.length() <= MAX_LENGTH && add(tool)) ? tool : ToolCallMetricsConvention.UNKNOWN;
	}

	private synchronized boolean add(String tool) {
		return this.seen.contains(tool) || (this.seen.size() < MAX_NAMES && this.seen.add(tool));
	}

}
