package io.agenthooks.spring.external;

import java.util.Map;
import java.util.TreeMap;

import io.agenthooks.spring.HookCounts;
import io.agenthooks.spring.HookCountsReader;

/**
 * The notifications that nobody got: of questions to people, of alerts, and of how calls
 * ended. People who wait for them do not miss them, and nothing else tells.
 *
 * @since 0.1.0
 */
public final class LostNotifications implements HookCountsReader {

	private final CountsByName counts = new CountsByName();

	@Override
	public void join(String name, HookCounts counts) {
		if (counts.droppedNotifications() >= 0 || counts.failedNotifications() >= 0) {
			this.counts.add(name, counts);
		}
	}

	/**
	 * How many notifications were dropped or did not arrive.
	 * @return the number of each sender that lost any, by the name that its metrics have
	 */
	public Map<String, Long> all() {
		Map<String, Long> all = new TreeMap<>();
		this.counts.names().forEach((name) -> {
			long lost = this.counts.of(name, LostNotifications::lostBy).sum();
			if (lost > 0) {
				all.put(name, lost);
			}
		});
		return all;
	}

	private static long lostBy(HookCounts counts) {
		return Math.max(0, counts.droppedNotifications()) + Math.max(0, counts.failedNotifications());
	}

}
