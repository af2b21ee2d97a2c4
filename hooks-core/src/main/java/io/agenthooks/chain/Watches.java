package io.agenthooks.chain;

import java.util.Objects;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import io.agenthooks.HookDecision;
import io.agenthooks.HookOutcome;
import io.agenthooks.chain.WatchedCall.Binding;
import io.agenthooks.chain.WatchedCall.HookPart;

/**
 * All watches of one call. The first begins first and ends last, and none of them can
 * change what happens to the call.
 */
final class Watches {

	static final Watches NONE = new Watches(new CallWatch[0], new @Nullable WatchedCall[0], null);

	static final Binding UNBOUND = () -> {
	};

	private static final WatchedHook UNHEARD = (decision, failure) -> {
	};

	private final CallWatch[] watchers;

	private final @Nullable WatchedCall[] watches;

	private final @Nullable FailureLog failures;

	private @Nullable HookOutcome outcome;

	private Watches(CallWatch[] watchers, @Nullable WatchedCall[] watches, @Nullable FailureLog failures) {
		this.watchers = watchers;
		this.watches = watches;
		this.failures = failures;
	}

	static Watches begin(CallWatch[] all, HookedCall call, boolean isReview, FailureLog failures) {
		@Nullable WatchedCall @Nullable [] begun = null;
		for (int i = 0; i < all.length; i++) {
			try {
				WatchedCall watch = (!all[i].isActive()) ? null : (isReview) ? all[i].review(call) : all[i].begin(call);
				if (watch != null) {
					begun = (begun != null) ? begun : new @Nullable WatchedCall[all.length];
					begun[i] = watch;
				}
			}
			catch (Throwable ex) {
				log(failures, all[i], ex);
			}
		}
		return (begun != null) ? new Watches(all, begun, failures) : NONE;
	}

	boolean isAny() {
		return this.watches.length > 0;
	}

	static boolean isActive(CallWatch watch, FailureLog failures) {
		try {
			return watch.isActive();
		}
		catch (Throwable ex) {
			log(failures, watch, ex);
			return false;
		}
	}

	static void tellHidden(CallWatch[] all, HookEntry<?> hook, String target, FailureLog failures) {
		for (CallWatch watch : all) {
			try {
				watch.hidden(hook, target);
			}
			catch (Throwable ex) {
				failures.logUnlessFatal(nameOf(watch), ex, "nothing changes");
			}
		}
	}

	Binding bind() {
		if (!isAny()) {
			return UNBOUND;
		}
		@Nullable Binding[] bindings = new @Nullable Binding[this.watches.length];
		for (int i = 0; i < bindings.length; i++) {
			WatchedCall watch = this.watches[i];
			try {
				bindings[i] = (watch != null) ? watch.bind() : null;
			}
			catch (Throwable ex) {
				log(this.failures, this.watchers[i], ex);
			}
		}
		return () -> {
			backwards(bindings, Binding::close);
			HookOutcome outcome = this.outcome;
			if (outcome != null) {
				this.outcome = null;
				backwards(this.watches, (watch) -> watch.end(outcome));
			}
		};
	}

	WatchedHook ask(HookEntry<?> hook, HookPart part) {
		if (!isAny()) {
			return UNHEARD;
		}
		@Nullable WatchedHook[] asked = new @Nullable WatchedHook[this.watches.length];
		for (int i = 0; i < asked.length; i++) {
			WatchedCall watch = this.watches[i];
			try {
				asked[i] = (watch != null) ? watch.ask(hook, part) : null;
			}
			catch (Throwable ex) {
				log(this.failures, this.watchers[i], ex);
			}
		}
		return (@Nullable HookDecision decision, @Nullable Throwable failure) -> backwards(asked,
				(watch) -> watch.end(decision, failure));
	}

	void ended(HookOutcome outcome) {
		if (isAny()) {
			this.outcome = outcome;
		}
	}

	private <T> void backwards(@Nullable T[] parts, Consumer<T> end) {
		for (int i = parts.length - 1; i >= 0; i--) {
			T part = parts[i];
			if (part == null) {
				continue;
			}
			try {
				end.accept(part);
			}
			catch (Throwable ex) {
				log(this.failures, this.watchers[i], ex);
			}
		}
	}

	private static void log(@Nullable FailureLog failures, CallWatch watcher, Throwable ex) {
		Objects.requireNonNull(failures).log(nameOf(watcher), ex, "nothing changes");
	}

	private static String nameOf(CallWatch watcher) {
		return "The watch '" + watcher.getClass().getName() + "'";
	}

}
