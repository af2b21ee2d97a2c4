package io.agenthooks.spring.external;

import java.util.Map;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.HookCounts;
import io.agenthooks.spring.HookCountsReader;

/**
 * Deciders outside of the application that have let every call pass, of many: one that
 * does not find calls under the names that it looks for, or whose words nobody
 * understands, guards nothing, and nothing else tells.
 *
 * @since 0.1.0
 */
public final class SilentDeciders implements HookCountsReader {

	/** After so many calls that it let pass a decider is shown. */
	static final long ENOUGH = 100;

	private final CountsByName counts = new CountsByName();

	@Override
	public void join(String name, HookCounts counts) {
		if (counts.callsWithoutObjection() >= 0) {
			this.counts.add(name, counts);
		}
	}

	/**
	 * How many calls a hook has let pass, if it let pass all.
	 * @param name the name of the hook
	 * @return the number, or {@code null} if it has objected once, or was asked seldom
	 */
	public @Nullable Long of(String name) {
		return this.counts.of(name, HookCounts::callsWithoutObjection)
			.filter((calls) -> calls >= ENOUGH)
			.boxed()
			.max(Long::compare)
			.orElse(null);
	}

	/**
	 * The hooks that have never objected.
	 * @return how many calls each has let pass, by name
	 */
	public Map<String, Long> all() {
		Map<String, Long> all = new TreeMap<>();
		this.counts.names().forEach((name) -> {
			Long calls = of(name);
			if (calls != null) {
				all.put(name, calls);
			}
		});
		return all;
	}

}
