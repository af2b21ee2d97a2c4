package io.agenthooks.spring.limit;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;

import org.jspecify.annotations.Nullable;

import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.Sha256;
import io.agenthooks.flow.FlowStore;
import io.agenthooks.spring.state.KeyedState;
import io.agenthooks.spring.state.MemoryState;
import io.agenthooks.spring.state.StateCodec;
import io.agenthooks.spring.state.StateStore;
import io.agenthooks.spring.state.StateTerms;

/** In memory, unless nodes share them. */
@FunctionalInterface
interface LimitStores {

	LimitStores IN_MEMORY = () -> MemoryState.store(System::nanoTime);

	StateStore states();

	/** Of which nobody else watches whether it answers. */
	default StateStore unwatched() {
		return states();
	}

	default LimitConfig.Store kind() {
		return LimitConfig.Store.MEMORY;
	}

	/** The name by which nodes that share a store find what belongs to a hook. */
	default String own(String hook) {
		return hook;
	}

	default LimitStore make(String hook, List<LimitGroup> groups, Duration forgetAfter, int maxKeys) {
		return LimitStore.open(groups.stream()
			.map((group) -> group.shared(own(hook), forgetAfter, maxKeys, maxPlaces(), longest()))
			.toList(), states());
	}

	default BudgetStore budgets(String hook, String what, BudgetTerms terms, InstantSource clock) {
		return BudgetStore.open(SharedBudget.of(own(hook), what, terms, maxPlaces(), longest()),
				(kind() == LimitConfig.Store.MEMORY) ? byCalendar(clock) : states());
	}

	/** A store in memory that goes by the calendar. */
	static StateStore byCalendar(InstantSource clock) {
		return new StateStore() {

			@Override
			public <S> KeyedState<S> open(StateTerms<S> terms) {
				return new MemoryState<>(terms, () -> ChronoUnit.MICROS.between(Instant.EPOCH, clock.instant()));
			}

		};
	}

	default Slots slots(String hook, ConcurrencySettings settings) {
		if (kind() == LimitConfig.Store.MEMORY) {
			return new MemorySlots(settings.maxConcurrent());
		}
		if (settings.maxConcurrent() > maxPlaces()) {
			throw new InvalidHookConfigException(List.of(new Problem(List.of("max_concurrent"),
					"The max_concurrent is above %d, and 'hooks.limit.store' is 'jdbc'.".formatted(maxPlaces()),
					"Write a lower one, or 'hooks.limit.store: redis'.")));
		}
		return new SharedSlots(
				SharedLeases.open(settings.entry(own(hook)), settings.maxConcurrent(), SharedSlots.LEASE, unwatched()),
				SharedSlots.LEASE);
	}

	default LoopStore loops(String hook, LoopSettings settings) {
		return LoopStore.open(LoopSettings.entry(own(hook)), settings, longest(), states());
	}

	/** {@code null} if nodes share none. */
	default @Nullable FlowStore flow(String rule) {
		return null;
	}

	/** State of all nodes beside that of limits; {@code null} if nodes share none. */
	default <S> @Nullable KeyedState<S> shared(String name, StateCodec<S> codec) {
		return (kind() != LimitConfig.Store.MEMORY)
				? states().open(new StateTerms<>(List.of(Sha256.hex("shared " + own(name))), Integer.MAX_VALUE,
						StateTerms.WhenFull.REFUSE, true, codec))
				: null;
	}

	/** At the same time. */
	private int maxPlaces() {
		return (kind() == LimitConfig.Store.JDBC) ? SharedLimits.MAX_PLACES : Integer.MAX_VALUE;
	}

	/** In memory, the node of a call knows that it runs. */
	private Duration longest() {
		return (kind() == LimitConfig.Store.MEMORY) ? SharedLimits.ENDLESS : SharedLimits.LEASE;
	}

}
