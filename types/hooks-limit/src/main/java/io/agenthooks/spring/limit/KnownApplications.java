package io.agenthooks.spring.limit;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.agenthooks.SafeText;
import io.agenthooks.spring.state.KeyedState;
import io.agenthooks.spring.state.StateCodec;
import io.agenthooks.spring.state.StateTerms;

/**
 * Each application says at its start that it is there, which shows whether the store can
 * be written. One that got another name finds none of its limits, and is told so.
 */
final class KnownApplications {

	/** More are not told apart from new ones. */
	private static final int MAX = 50;

	private static final int MAX_LISTED = 5;

	private static final int MAX_NAME = 100;

	private static final String VERSION = "1";

	private static final Duration KEPT = Duration.ofDays(400);

	private static final Logger logger = LoggerFactory.getLogger(KnownApplications.class);

	static final StateTerms<Map<String, Long>> TERMS = new StateTerms<>(List.of("applications"), Integer.MAX_VALUE,
			StateTerms.WhenFull.REFUSE, true, new Codec());

	private KnownApplications() {
	}

	/**
	 * Say that an application, whose name may be empty, is there; warn if it finds the
	 * limits of others only.
	 */
	static void add(KeyedState<Map<String, Long>> state, String application) {
		String name = (application.length() > MAX_NAME) ? application.substring(0, MAX_NAME) : application;
		Map<String, Long> others = state.change("-", Map.of(), (kept, now) -> {
			Map<String, Long> known = kept.state();
			Map<String, Long> all = new LinkedHashMap<>((known != null) ? known : Map.of());
			boolean isKnown = all.put(name, now) != null;
			Map<String, Long> before = (known != null && !isKnown) ? known : Map.of();
			if (all.size() > MAX) {
				all.remove(byTime(all).get(MAX).getKey());
			}
			kept.keep(all, now + ChronoUnit.MICROS.between(Instant.EPOCH, Instant.EPOCH.plus(KEPT)));
			return before;
		});
		if (!others.isEmpty()) {
			logger.warn(
					"Limits of the application {} are counted for the first time where those are of {}. If it is the same "
							+ "under another name, they begin anew: set 'hooks.application' to the name that it had",
					inWords(name),
					byTime(others).stream()
						.limit(MAX_LISTED)
						.map((other) -> "%s (last started on %s)".formatted(inWords(other.getKey()),
								dateOf(other.getValue())))
						.collect(Collectors.joining(", ")));
		}
	}

	/** Started last first. */
	private static List<Map.Entry<String, Long>> byTime(Map<String, Long> applications) {
		return applications.entrySet()
			.stream()
			.sorted(Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder()))
			.toList();
	}

	private static String inWords(String application) {
		return (application.isEmpty()) ? "one without a name" : "'" + SafeText.name(application) + "'";
	}

	private static LocalDate dateOf(long micros) {
		return LocalDate.ofInstant(Instant.EPOCH.plus(micros, ChronoUnit.MICROS), ZoneOffset.UTC);
	}

	private static final class Codec implements StateCodec<Map<String, Long>> {

		@Override
		public String write(Map<String, Long> state) {
			return state.entrySet()
				.stream()
				.map((each) -> URLEncoder.encode(each.getKey(), StandardCharsets.UTF_8) + "=" + each.getValue())
				.collect(Collectors.joining(",", VERSION + ":", ""));
		}

		@Override
		public Map<String, Long> read(int space, String text) {
			Map<String, Long> applications = new LinkedHashMap<>();
			if (!text.startsWith(VERSION + ":")) {
				return applications;
			}
			for (String each : text.substring(VERSION.length() + 1).split(",", -1)) {
				int end = each.indexOf('=');
				try {
					applications.put(URLDecoder.decode(each.substring(0, Math.max(end, 0)), StandardCharsets.UTF_8),
							Long.parseLong(each.substring(end + 1)));
				}
				catch (IllegalArgumentException ex) {
					logger.debug("An application that counts limits cannot be read", ex);
				}
			}
			return applications;
		}

	}

}
