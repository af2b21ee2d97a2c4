package io.agenthooks.spring.actuator;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.util.unit.DataSize;

import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;

/**
 * The options of {@code hooks.journal}. The annotation is for the metadata of IDEs; it is
 * read by {@link io.agenthooks.spring.binding.HooksReader}.
 *
 * @param maxCalls Number of last calls that the endpoint 'toolcalls' shows.
 * @param maxSize Memory that these calls may take, about.
 */
@ConfigurationProperties("hooks.journal")
record JournalConfig(@Nullable Integer maxCalls, @Nullable DataSize maxSize) {

	static final JournalConfig DEFAULT = new JournalConfig(null, null);

	private static final int DEFAULT_CALLS = 1_000;

	private static final int MAX_CALLS = 100_000;

	private static final DataSize DEFAULT_SIZE = DataSize.ofMegabytes(16);

	private static final DataSize MIN_SIZE = DataSize.ofKilobytes(64);

	private static final DataSize MAX_SIZE = DataSize.ofGigabytes(1);

	JournalConfig {
		List<Problem> problems = new ArrayList<>();
		if (maxCalls != null && (maxCalls < 1 || maxCalls > MAX_CALLS)) {
			problems.add(new Problem(List.of("max_calls"), "is out of range",
					"Write a number from 1 to %d.".formatted(MAX_CALLS)));
		}
		if (maxSize != null && (maxSize.compareTo(MIN_SIZE) < 0 || maxSize.compareTo(MAX_SIZE) > 0)) {
			problems.add(new Problem(List.of("max_size"), "is out of range",
					"Write a size from 64KB to 1GB, such as 16MB."));
		}
		if (!problems.isEmpty()) {
			throw new InvalidHookConfigException(problems);
		}
	}

	int calls() {
		return Objects.requireNonNullElse(this.maxCalls, DEFAULT_CALLS);
	}

	long bytes() {
		return Objects.requireNonNullElse(this.maxSize, DEFAULT_SIZE).toBytes();
	}

}
