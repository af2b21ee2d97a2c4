package io.agenthooks.spring.limit;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.temporal.TemporalAdjusters;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

/** A time of the calendar after which a budget is new. */
enum BudgetPeriod {

	DAY, WEEK, MONTH, YEAR;

	static @Nullable BudgetPeriod of(String name) {
		return switch (name.strip().toLowerCase(Locale.ROOT)) {
			case "day" -> DAY;
			case "week" -> WEEK;
			case "month" -> MONTH;
			case "year" -> YEAR;
			default -> null;
		};
	}

	LocalDate firstDay(LocalDate day) {
		return switch (this) {
			case DAY -> day;
			case WEEK -> day.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY));
			case MONTH -> day.withDayOfMonth(1);
			case YEAR -> day.withDayOfYear(1);
		};
	}

	LocalDate next(LocalDate firstDay) {
		return switch (this) {
			case DAY -> firstDay.plusDays(1);
			case WEEK -> firstDay.plusWeeks(1);
			case MONTH -> firstDay.plusMonths(1);
			case YEAR -> firstDay.plusYears(1);
		};
	}

	String text() {
		return name().toLowerCase(Locale.ROOT);
	}

}
