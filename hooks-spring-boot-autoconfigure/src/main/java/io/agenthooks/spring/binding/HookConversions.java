package io.agenthooks.spring.binding;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.ApplicationConversionService;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.core.convert.ConversionService;
import org.springframework.core.convert.support.GenericConversionService;

/**
 * A duration without a unit is in seconds, also a fraction; Spring Boot alone would take
 * {@code 5} for milliseconds and refuse {@code 5.0}.
 */
final class HookConversions {

	private HookConversions() {
	}

	/** In the order in which they are tried; the application may have none. */
	static List<ConversionService> inOrder(@Nullable ConversionService application) {
		GenericConversionService durations = new GenericConversionService();
		durations.addConverter(String.class, Duration.class, HookConversions::duration);
		durations.addConverter(Number.class, Duration.class, (seconds) -> duration(seconds.toString()));
		return (application != null) ? List.of(durations, application, ApplicationConversionService.getSharedInstance())
				: List.of(durations, ApplicationConversionService.getSharedInstance());
	}

	static Duration duration(String text) {
		String value = text.trim();
		try {
			return Duration.ofNanos(new BigDecimal(value).movePointRight(9).longValueExact());
		}
		catch (NumberFormatException ex) {
			return DurationStyle.detectAndParse(value);
		}
	}

}
