package io.agenthooks.chain;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import io.agenthooks.ArgumentsMask;
import io.agenthooks.BuiltInDecider;
import io.agenthooks.HookDecision;

/**
 * The hooks of a chain at one moment. Immutable, so a call sees them as a whole. Which of
 * them are for a target is remembered; models and servers invent names, so only for some,
 * and no long ones.
 *
 * @param <C> the calls
 * @param <R> what they result in
 * @param <D> the decisions
 * @since 0.1.0
 */
public final class HookSet<C extends HookedCall, R, D extends HookDecision> {

	/** For how many targets it is remembered which hooks are for them. */
	public static final int MAX_TARGETS = 1_000;

	/** Longer names are not remembered. */
	public static final int MAX_NAME_LENGTH = 256;

	final Step<C, C, D>[] deciding;

	final Step<C, R, D>[] results;

	final PostStep<C, Object, D>[] learning;

	private final ChainKind<C, R, D, ?> kind;

	private final HookSet<C, R, D> all;

	private final boolean selective;

	private final boolean empty;

	final boolean timed;

	private final Map<Object, HookSet<C, R, D>> byTarget = new ConcurrentHashMap<>();

	/** The view of calls in events, or {@code null} for everything. */
	final @Nullable CallView<C, D> events;

	@SuppressWarnings({ "unchecked", "rawtypes" }) // of arrays
	private HookSet(ChainKind<C, R, D, ?> kind, @Nullable HookSet<C, R, D> all, List<Step<C, C, D>> deciding,
			List<Step<C, R, D>> results, List<PostStep<C, Object, D>> learning, boolean selective,
			@Nullable CallView<C, D> events) {
		this.kind = kind;
		this.all = (all != null) ? all : this;
		this.deciding = deciding.toArray(new Step[0]);
		this.results = results.toArray(new Step[0]);
		this.learning = learning.toArray(new PostStep[0]);
		this.selective = selective;
		this.events = events;
		this.empty = deciding.isEmpty() && results.isEmpty() && learning.isEmpty();
		this.timed = !learning.isEmpty() || !results.isEmpty() || (all != null && all.timed);
	}

	/**
	 * Create a set.
	 * @param <C> the calls
	 * @param <R> what they result in
	 * @param <D> the decisions
	 * @param kind the kind of the calls
	 * @param deciding the hooks that decide about a call, in order
	 * @param results the hooks that may replace its result, in order
	 * @param learning the hooks that learn how it ended, in order
	 * @return the set
	 * @throws IllegalArgumentException if a hook has the name of a {@link BuiltInDecider}
	 */
	@SuppressWarnings("unchecked") // each gets the outcomes of its kind
	public static <C extends HookedCall, R, D extends HookDecision> HookSet<C, R, D> of(ChainKind<C, R, D, ?> kind,
			List<Step<C, C, D>> deciding, List<Step<C, R, D>> results, List<? extends Step<C, ?, D>> learning) {
		boolean selective = isSelective(deciding) || isSelective(results) || isSelective(learning);
		List<Step<C, C, D>> placed = placed(deciding);
		List<Step<C, C, ?>> masking = masking(placed, Integer.MAX_VALUE);
		List<PostStep<C, Object, D>> learners = new ArrayList<>();
		for (Step<C, ?, D> step : learning) {
			BuiltInDecider.requireFree(step.name());
			learners.add((PostStep<C, Object, D>) step.learner(masking, placed));
		}
		return new HookSet<>(kind, null,
				placed.stream().map((step) -> step.behind(masking(placed, step.place))).toList(),
				placed(results).stream().map((step) -> step.behind(masking)).toList(), learners, selective,
				CallView.of(kind, masking, List.of()));
	}

	private static <C extends HookedCall, D extends HookDecision> List<Step<C, C, ?>> masking(
			List<Step<C, C, D>> deciding, int place) {
		List<Step<C, C, ?>> masking = new ArrayList<>();
		for (Step<C, C, D> step : deciding) {
			if (step.place < place && step.hook() instanceof ArgumentsMask) {
				masking.add(step);
			}
		}
		return masking;
	}

	HookSet<C, R, D> resultsOnly() {
		return new HookSet<>(this.kind, null, List.of(), List.of(this.results), List.of(), false, this.events);
	}

	private static <C extends HookedCall, S, D extends HookDecision> List<Step<C, S, D>> placed(
			List<Step<C, S, D>> steps) {
		List<Step<C, S, D>> placed = new ArrayList<>();
		for (Step<C, S, D> step : steps) {
			BuiltInDecider.requireFree(step.name());
			placed.add(step.at(placed.size()));
		}
		return placed;
	}

	private static boolean isSelective(List<? extends Step<?, ?, ?>> steps) {
		return steps.stream().anyMatch((step) -> !step.scope().hasAllTargets());
	}

	public boolean isEmpty() {
		return this.empty;
	}

	public int remembered() {
		return this.byTarget.size();
	}

	/**
	 * The hooks that are for a call, by its target.
	 * @param call the call
	 * @return those of the chain that are for it, in the same order
	 */
	public HookSet<C, R, D> forCall(C call) {
		return this.all.selectFor(call);
	}

	HookSet<C, R, D> selectFor(C call) {
		if (!this.selective) {
			return this;
		}
		Object target = this.kind.target(call);
		if (target == null) {
			return this;
		}
		HookSet<C, R, D> known = this.byTarget.get(target);
		return (known != null) ? known : select(target);
	}

	HookSet<C, R, D> selectUnremembered(C call) {
		Object target = (this.selective) ? this.kind.target(call) : null;
		return (target != null) ? selected(target) : this;
	}

	private HookSet<C, R, D> selected(Object target) {
		return new HookSet<>(this.kind, this, select(this.deciding, (step) -> step.forTarget(target)),
				select(this.results, (step) -> step.forTarget(target)),
				select(this.learning, (learner) -> learner.forTarget(target)), false, this.events);
	}

	private HookSet<C, R, D> select(Object target) {
		HookSet<C, R, D> selected = selected(target);
		if (this.byTarget.size() < MAX_TARGETS && this.kind.isShort(target)) {
			this.byTarget.put(target, selected);
		}
		return selected;
	}

	private static <T> List<T> select(T[] hooks, Function<T, @Nullable T> forTarget) {
		List<T> selected = new ArrayList<>();
		for (T hook : hooks) {
			@Nullable T selectedHook = forTarget.apply(hook);
			if (selectedHook != null) {
				selected.add(selectedHook);
			}
		}
		return selected;
	}

}
