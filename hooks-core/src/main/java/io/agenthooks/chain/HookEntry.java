package io.agenthooks.chain;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import io.agenthooks.ArgumentsMask;
import io.agenthooks.CallContext;
import io.agenthooks.ExternalHook;
import io.agenthooks.Hook;
import io.agenthooks.HookDecision;
import io.agenthooks.SafeText;

/**
 * A hook in a chain, with all that is said about it there.
 *
 * @param <H> the kind of hook
 * @param name the name of the hook in logs, metrics and audit, as one safe line
 * @param type its type in the configuration; {@value #UNKNOWN_TYPE} if it has none
 * @param hook the hook
 * @param targets whether the hook is for calls of the target of this name. Calls of
 * unknown targets are for every hook.
 * @param contexts whether the hook is for calls of this context
 * @param failMode what becomes of a call when the hook itself fails
 * @param observe whether the decision is only logged, and the call passes
 * @param around what stands between the chain and the hook
 * @param masks what an {@link ExternalHook} gets to see of arguments, in order
 * @param reason what the model reads of a denial or an abort, or {@code null} for what
 * the hook says
 * @since 0.1.0
 */
public record HookEntry<H extends Hook>(String name, String type, H hook, Predicate<String> targets,
		Predicate<CallContext> contexts, FailMode failMode, boolean observe, HookAround around,
		List<ArgumentsMask> masks, @Nullable String reason) {

	/** The type of a hook of which no configuration says one. */
	public static final String UNKNOWN_TYPE = "unknown";

	/** For calls of all targets. */
	public static final Predicate<String> ALL_TARGETS = (target) -> true;

	/** For calls of all contexts. */
	public static final Predicate<CallContext> ALL_CONTEXTS = (context) -> true;

	public HookEntry {
		name = SafeText.name(Objects.requireNonNull(name, "'name' must not be null"));
		Objects.requireNonNull(type, "'type' must not be null");
		Objects.requireNonNull(hook, "'hook' must not be null");
		Objects.requireNonNull(targets, "'targets' must not be null");
		Objects.requireNonNull(contexts, "'contexts' must not be null");
		Objects.requireNonNull(failMode, "'failMode' must not be null");
		Objects.requireNonNull(around, "'around' must not be null");
		masks = List.copyOf(masks);
	}

	/**
	 * A hook for all calls that decides and fails closed, or the entry that it brings
	 * along.
	 * @param <H> the kind of hook
	 * @param hook the hook
	 * @return the entry
	 */
	@SuppressWarnings("unchecked") // of a hook of that kind
	public static <H extends Hook> HookEntry<H> of(H hook) {
		Objects.requireNonNull(hook, "'hook' must not be null");
		HookEntry<?> entry = Entered.of(hook);
		if (entry != null) {
			return (HookEntry<H>) entry;
		}
		return new HookEntry<>(hook.name(), UNKNOWN_TYPE, hook, ALL_TARGETS, ALL_CONTEXTS, FailMode.CLOSED, false,
				HookAround.NOTHING, List.of(), null);
	}

	/**
	 * This entry as one of a hook that is more special.
	 * @param <K> the kind of hook
	 * @param kind what the hook is
	 * @return this entry
	 * @throws ClassCastException if the hook is no such hook
	 */
	public <K extends Hook> HookEntry<K> as(Class<K> kind) {
		return with(kind.cast(this.hook));
	}

	/**
	 * This entry under another name.
	 * @param name the name
	 * @return the new entry
	 */
	public HookEntry<H> named(String name) {
		return new HookEntry<>(name, this.type, this.hook, this.targets, this.contexts, this.failMode, this.observe,
				this.around, this.masks, this.reason);
	}

	public HookEntry<H> typed(String type) {
		return new HookEntry<>(this.name, type, this.hook, this.targets, this.contexts, this.failMode, this.observe,
				this.around, this.masks, this.reason);
	}

	/**
	 * This entry for some of its targets only.
	 * @param targets whether the hook is for calls of the target of this name
	 * @return the new entry
	 */
	public HookEntry<H> forTargets(Predicate<String> targets) {
		Objects.requireNonNull(targets, "'targets' must not be null");
		Predicate<String> both = (isForAll(this.targets)) ? targets
				: (isForAll(targets)) ? this.targets : this.targets.and(targets);
		return new HookEntry<>(this.name, this.type, this.hook, both, this.contexts, this.failMode, this.observe,
				this.around, this.masks, this.reason);
	}

	/**
	 * This entry for calls of some of its contexts only.
	 * @param contexts whether the hook is for calls of this context
	 * @return the new entry
	 */
	public HookEntry<H> forContexts(Predicate<CallContext> contexts) {
		Objects.requireNonNull(contexts, "'contexts' must not be null");
		Predicate<CallContext> both = (ALL_CONTEXTS.equals(this.contexts)) ? contexts : this.contexts.and(contexts);
		return new HookEntry<>(this.name, this.type, this.hook, this.targets, both, this.failMode, this.observe,
				this.around, this.masks, this.reason);
	}

	/**
	 * This entry with a hook that lets calls pass when it fails. Each such approval is
	 * marked in the outcome.
	 * @return the new entry
	 */
	public HookEntry<H> failingOpen() {
		return new HookEntry<>(this.name, this.type, this.hook, this.targets, this.contexts, FailMode.OPEN,
				this.observe, this.around, this.masks, this.reason);
	}

	/**
	 * This entry as a dry run: the hook decides, what it would do is logged, and the call
	 * passes.
	 * @return the new entry
	 */
	public HookEntry<H> observing() {
		return new HookEntry<>(this.name, this.type, this.hook, this.targets, this.contexts, this.failMode, true,
				this.around, this.masks, this.reason);
	}

	/**
	 * This entry with something more between the chain and the hook.
	 * @param around what is asked before all that was there
	 * @return the new entry
	 */
	public HookEntry<H> askedBy(HookAround around) {
		return new HookEntry<>(this.name, this.type, this.hook, this.targets, this.contexts, this.failMode,
				this.observe, this.around.within(around), this.masks, this.reason);
	}

	/**
	 * This entry with a mask of its own, which does not hold for other hooks.
	 * @param mask what the hook gets to see of arguments, if it is an
	 * {@link ExternalHook}, after all masks that there were
	 * @return the new entry
	 */
	public HookEntry<H> maskedBy(ArgumentsMask mask) {
		List<ArgumentsMask> masks = new ArrayList<>(this.masks);
		masks.add(Objects.requireNonNull(mask, "'mask' must not be null"));
		return new HookEntry<>(this.name, this.type, this.hook, this.targets, this.contexts, this.failMode,
				this.observe, this.around, masks, this.reason);
	}

	public <K extends Hook> HookEntry<K> with(K hook) {
		return new HookEntry<>(this.name, this.type, hook, this.targets, this.contexts, this.failMode, this.observe,
				this.around, this.masks, this.reason);
	}

	/**
	 * This entry with a reason of its own. Operators read what the hook said, too, and
	 * the failure of a hook keeps its reason.
	 * @param reason what the model reads when the hook denies or aborts
	 * @return the new entry
	 */
	public HookEntry<H> explainedBy(String reason) {
		return new HookEntry<>(this.name, this.type, this.hook, this.targets, this.contexts, this.failMode,
				this.observe, this.around, this.masks, HookDecision.reasonOf(reason));
	}

	static boolean isForAll(Predicate<String> targets) {
		return ALL_TARGETS.equals(targets);
	}

}
