package io.agenthooks.spring.assembly;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import io.agenthooks.CallContext;
import io.agenthooks.DescribedHook;
import io.agenthooks.ExternalHook;
import io.agenthooks.Hook;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.chain.HookAround;
import io.agenthooks.chain.HookEntry;
import io.agenthooks.spring.ActiveHooks;
import io.agenthooks.spring.ActiveHooks.Phase;
import io.agenthooks.spring.HookCounts;
import io.agenthooks.spring.HookCountsReader;
import io.agenthooks.spring.HookOptions;
import io.agenthooks.spring.binding.HookSection;
import io.agenthooks.toolcall.ServerAwareHook;

/** The one place where options of hooks become data of entries of a chain. */
final class EntryMaker<H extends Hook> {

	private final HookSection<H> section;

	private final List<HookCountsReader> readers;

	private final HookBounds bounds;

	EntryMaker(HookSection<H> section, List<HookCountsReader> readers, HookBounds bounds) {
		this.section = section;
		this.readers = readers;
		this.bounds = bounds;
	}

	String kind() {
		return this.section.key();
	}

	List<AssembledHook<H>> make(HookCandidate<H> candidate) {
		List<AssembledHook<H>> made = new ArrayList<>();
		for (Phase phase : Phase.values()) {
			if (hasPart(candidate.hook(), phase) && candidate.phases().contains(phase)) {
				made.add(make(candidate, phase));
			}
		}
		if (!made.isEmpty()) {
			this.readers.forEach((reader) -> reader.added(candidate.name(), candidate.type()));
			if (candidate.hook() instanceof HookCounts counts) {
				this.readers.forEach((reader) -> reader.join(candidate.name(), counts));
			}
		}
		return made;
	}

	private @Nullable Class<? extends H> part(Phase phase) {
		return switch (phase) {
			case PRE_CALL -> this.section.deciding();
			case RESULT -> this.section.rewriting();
			case POST_CALL -> this.section.learning();
		};
	}

	List<Problem> problems(HookOptions options) {
		return this.section.problems(options);
	}

	/** Whether a fail mode or a dry run means something to a hook. */
	boolean isDecider(H hook) {
		return hasPart(hook, Phase.PRE_CALL) || hasPart(hook, Phase.RESULT);
	}

	private boolean hasPart(H hook, Phase phase) {
		Class<? extends H> part = part(phase);
		return part != null && part.isInstance(hook);
	}

	private AssembledHook<H> make(HookCandidate<H> candidate, Phase phase) {
		HookOptions options = candidate.options();
		if (options.sent() != null && !(candidate.hook() instanceof ExternalHook)) {
			throw new IllegalArgumentException("The hook '" + candidate.name()
					+ "' sends nothing out of the application, so 'send' and 'mask' have no meaning for it");
		}
		HookEntry<H> entry = entry(candidate, phase).named(candidate.name())
			.typed(candidate.type())
			.forTargets(options.scope().tools());
		Predicate<CallContext> contexts = options.scope().contexts();
		if (contexts != null) {
			entry = entry.forContexts(contexts);
		}
		if (options.sent() != null) {
			entry = entry.maskedBy(options.sent());
		}
		if (phase != Phase.POST_CALL) {
			if (candidate.failsOpen()) {
				entry = entry.failingOpen();
			}
			if (options.mode() == HookOptions.Mode.OBSERVE) {
				entry = entry.observing();
			}
			if (options.reason() != null) {
				entry = entry.explainedBy(options.reason());
			}
		}
		ActiveHooks.Listed listed = new ActiveHooks.Listed(phase, candidate.name(), candidate.type(),
				candidate.origin(), options,
				(phase != Phase.POST_CALL && candidate.hook() instanceof DescribedHook ruled) ? ruled.ruleList()
						: List.of());
		return new AssembledHook<>(listed, entry.askedBy(bound(candidate, phase)));
	}

	/** The hook, if it wants to know whether its servers are named, as one that does. */
	private HookEntry<H> entry(HookCandidate<H> candidate, Phase phase) {
		HookEntry<H> entry = HookEntry.of(candidate.hook());
		return (phase == Phase.PRE_CALL && candidate.options().scope().mcpServers() != null
				&& entry.hook() instanceof ServerAwareHook aware)
						? entry.with(this.section.kind().cast(aware.forNamedServers())) : entry;
	}

	/** The time limit, unless the hook has its own, and the terms of what it asks. */
	private HookAround bound(HookCandidate<H> candidate, Phase phase) {
		HookOptions options = candidate.options();
		Duration timeout = options.timeout();
		HookAround terms = (phase == Phase.PRE_CALL) ? AskingAround.of(options.asking().terms()) : HookAround.NOTHING;
		if (candidate.ownTimeout()) {
			return terms;
		}
		if (timeout != null) {
			return terms.within(this.bounds.limit(candidate.name(), timeout));
		}
		if (phase == Phase.PRE_CALL) {
			return terms;
		}
		return (phase == Phase.POST_CALL) ? this.bounds.learning(this.section, candidate.name()) : HookAround.NOTHING;
	}

}
