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
 * Converts values of the configuration to what options want. A duration without a unit is
 * in seconds, also a fraction ({@code timeout: 5.0}); Spring Boot alone would take
 * {@code 5} for milliseconds and refuse {@code 5.0}.
 */
final class HookConversions {

	private HookConversions() {
	}

	/**
	 * In the order in which they are tried; those of the application are {@code null} if
	 * it has none.
	 */
	static List<ConversionService> inOrder(@Nullable ConversionService application) {
		GenericConversionService durations = new GenericConversionService();
		durations.addConverter(String.class, Duration.class, HookConversions::duration);
		durations.addConverter(Number.class, Duration.class, (seconds) -> duration(seconds.toString()));
		return (application != null) ? List.of(durations, application, ApplicationConversionService.getSharedInstance())
				: List.of(durations, ApplicationConversionService.getSharedInstance());
	}

	/** A number of seconds, or a duration as Spring Boot writes it. */
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
