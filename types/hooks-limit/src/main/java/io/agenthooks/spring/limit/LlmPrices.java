package io.agenthooks.spring.limit;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import io.agenthooks.Glob;
import io.agenthooks.GlobMistake;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.NameKind;
import io.agenthooks.llmcall.LlmUsage;

record LlmPrices(List<OfModel> prices, @Nullable Price other) {

	private static final BigDecimal MAX_PRICE = BigDecimal.valueOf(1_000_000_000);

	/** Ten to the power of this is the number of tokens of a price. */
	private static final int MILLION = 6;

	static LlmPrices of(@Nullable List<LlmBudgetConfig.ModelPrice> prices, LlmBudgetConfig.@Nullable Price other,
			List<Problem> problems) {
		List<OfModel> read = new ArrayList<>();
		List<LlmBudgetConfig.ModelPrice> written = Objects.requireNonNullElse(prices, List.of());
		for (int i = 0; i < written.size(); i++) {
			LlmBudgetConfig.ModelPrice price = written.get(i);
			List<String> place = List.of("prices", String.valueOf(i));
			Glob model = model(price.model(), place, problems);
			Price of = price(price.input(), price.output(), place, problems);
			if (model != null) {
				read.add(new OfModel(model, of));
			}
		}
		return new LlmPrices(read,
				(other != null) ? price(other.input(), other.output(), List.of("default_price"), problems) : null);
	}

	private static @Nullable Glob model(@Nullable String written, List<String> place, List<Problem> problems) {
		if (written == null) {
			problems.add(new Problem(with(place, "model"), "The model is missing.",
					"Write its name, or a glob such as \"gpt-5*\"."));
			return null;
		}
		GlobMistake mistake = GlobMistake.find(written, NameKind.MODEL);
		if (mistake != null) {
			problems.add(new Problem(with(place, "model"), mistake.message(), mistake.action()));
			return null;
		}
		return Glob.of(written);
	}

	private static Price price(@Nullable BigDecimal input, @Nullable BigDecimal output, List<String> place,
			List<Problem> problems) {
		return new Price(price(input, with(place, "input"), problems), price(output, with(place, "output"), problems));
	}

	private static BigDecimal price(@Nullable BigDecimal written, List<String> place, List<Problem> problems) {
		BigDecimal price = (written != null) ? BudgetAmount.exact(written) : null;
		if (price == null || price.signum() < 0 || price.compareTo(MAX_PRICE) > 0) {
			problems.add(new Problem(place, (written != null)
					? "The price is not from 0 to %s.".formatted(MAX_PRICE.toPlainString()) : "The price is missing.",
					"Write the price of a million tokens, like 2.50."));
			return BigDecimal.ZERO;
		}
		return price;
	}

	private static List<String> with(List<String> place, String option) {
		List<String> path = new ArrayList<>(place);
		path.add(option);
		return path;
	}

	@Nullable Price of(@Nullable String model) {
		Price listed = listed(model);
		return (listed != null) ? listed : this.other;
	}

	private @Nullable Price listed(@Nullable String model) {
		if (model == null) {
			return null;
		}
		return this.prices.stream()
			.filter((price) -> price.model().test(model))
			.map(OfModel::price)
			.findFirst()
			.orElse(null);
	}

	/**
	 * Of the model that answered, or else was asked; without a price it costs as much as
	 * the dearest.
	 */
	Price ofCall(@Nullable String answered, @Nullable String asked) {
		Price listed = (listed(answered) != null) ? listed(answered) : listed(asked);
		if (listed != null) {
			return listed;
		}
		return (this.other != null) ? this.other
				: new Price(highest(this.prices.stream().map((price) -> price.price().input()).toList()),
						highest(this.prices.stream().map((price) -> price.price().output()).toList()));
	}

	private static BigDecimal highest(List<BigDecimal> prices) {
		return prices.stream().reduce(BigDecimal.ZERO, BigDecimal::max);
	}

	record OfModel(Glob model, Price price) {
	}

	/** Of a million tokens. */
	record Price(BigDecimal input, BigDecimal output) {

		BigDecimal of(LlmUsage usage) {
			return this.input.multiply(BigDecimal.valueOf(usage.inputTokens()))
				.add(this.output.multiply(BigDecimal.valueOf(usage.outputTokens())))
				.movePointLeft(MILLION);
		}

		/** The greatest cost, since nobody knows what they were. */
		BigDecimal ofUnknown(int tokens) {
			return this.input.max(this.output).multiply(BigDecimal.valueOf(tokens)).movePointLeft(MILLION);
		}

	}

}
