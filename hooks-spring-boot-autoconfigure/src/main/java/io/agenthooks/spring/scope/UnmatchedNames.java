package io.agenthooks.spring.scope;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.agenthooks.CallContext;
import io.agenthooks.SafeText;
import io.agenthooks.chain.CallWatch;
import io.agenthooks.chain.HookedCall;
import io.agenthooks.chain.WatchedCall;
import io.agenthooks.spring.binding.Spelling;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolIdentity;

/**
 * The names by which hooks choose calls and that nothing has had so far. A call, or a
 * tool that becomes known, strikes out the names that it has; one with nearly that name
 * is warned of once. When all are struck out, calls are watched no more.
 *
 * @since 0.1.0
 */
public final class UnmatchedNames implements CallWatch {

	private static final Logger logger = LoggerFactory.getLogger(UnmatchedNames.class);

	/** The most names of a kind that are remembered as looked at. */
	private static final int MAX_SEEN = 1_000;

	/** Others choose some names, also long ones. */
	private static final int MAX_LENGTH = 256;

	private final Map<Named, Set<Object>> seen = new ConcurrentHashMap<>();

	private volatile List<Open> open = List.of();

	public synchronized void add(Mention mention) {
		if (mention.hook() == null || mention.kind() == Named.CLAIM
				|| this.open.stream().anyMatch((each) -> each.mention().equals(mention))) {
			return;
		}
		List<Open> more = new ArrayList<>(this.open);
		more.add(new Open(mention, mention.names(), new AtomicBoolean()));
		this.open = List.copyOf(more);
	}

	/**
	 * The names of a hook that nothing has had so far.
	 * @param hook the name of the hook
	 * @return the names by the option in which they are written; empty if there are none
	 */
	public Map<String, List<String>> of(String hook) {
		Map<String, List<String>> names = new LinkedHashMap<>();
		for (Open each : this.open) {
			if (hook.equals(each.mention().hook())) {
				names.computeIfAbsent(each.mention().option(), (option) -> new ArrayList<>())
					.add(SafeText.name(each.mention().name()));
			}
		}
		return names;
	}

	/**
	 * The names that nothing has had so far.
	 * @return the names by the option in which they are written, by hook
	 */
	public Map<String, Map<String, List<String>>> all() {
		Map<String, Map<String, List<String>>> all = new LinkedHashMap<>();
		for (Open each : this.open) {
			String hook = each.mention().hook();
			if (hook != null && !all.containsKey(hook)) {
				all.put(SafeText.name(hook), of(hook));
			}
		}
		return all;
	}

	@Override
	public boolean isActive() {
		return !this.open.isEmpty();
	}

	@Override
	public boolean needsHooks() {
		return true;
	}

	@Override
	public @Nullable WatchedCall begin(HookedCall call) {
		if (call instanceof ToolCall toolCall) {
			know(toolCall.identity());
		}
		CallContext context = call.context();
		know(Named.AGENT, context.agent());
		know(Named.ROLE, context.role());
		know(Named.WORKSPACE, context.workspace());
		know(Named.USER, context.user());
		for (String authority : context.authorities()) {
			know(Named.AUTHORITY, authority);
		}
		return null;
	}

	/**
	 * Take note of a tool that a model is offered, or that is called.
	 * @param tool the tool
	 */
	public void know(ToolIdentity tool) {
		if (isActive() && isNew(Named.TOOL, tool, tool.modelName())) {
			look(Named.TOOL, tool::anyName, tool::names);
			know(Named.MCP_SERVER, tool.server());
		}
	}

	/**
	 * Take note of a tool that a model is offered.
	 * @param tool says which one it is; asked only while there are names that nothing has
	 * had
	 */
	public void know(Supplier<ToolIdentity> tool) {
		if (isActive()) {
			know(tool.get());
		}
	}

	private void know(Named kind, @Nullable String name) {
		if (name != null && isNew(kind, name, name)) {
			look(kind, (test) -> test.test(name), () -> List.of(name));
		}
	}

	/** Whether something was not looked at before, as far as that is remembered. */
	private boolean isNew(Named kind, Object key, String name) {
		Set<Object> before = this.seen.computeIfAbsent(kind, (absent) -> ConcurrentHashMap.newKeySet());
		if (name.length() > MAX_LENGTH || before.size() >= MAX_SEEN) {
			return !before.contains(key);
		}
		return before.add(key);
	}

	private void look(Named kind, Predicate<Predicate<String>> has, Supplier<List<String>> names) {
		for (Open each : this.open) {
			if (each.mention().kind() != kind) {
				continue;
			}
			if (has.test(each.names())) {
				remove(each);
			}
			else if (!each.warned().get()) {
				warnOfNear(each, names.get());
			}
		}
	}

	private synchronized void remove(Open matched) {
		this.open = this.open.stream().filter((each) -> !each.equals(matched)).toList();
	}

	/** Warn once of something that has nearly the name. Names of users are not told. */
	private static void warnOfNear(Open each, List<String> names) {
		Mention mention = each.mention();
		List<String> known = names.stream().filter((name) -> name.length() <= MAX_LENGTH).toList();
		String near = Spelling.didYouMean(mention.name(), known).strip();
		if (near.isEmpty() || NameVerifier.isNumbered(mention.name(), near)
				|| !each.warned().compareAndSet(false, true)) {
			return;
		}
		logger.warn("{} ({}): Nothing has had the name '{}' so far, but something has nearly this name now. {}",
				SafeText.reason(mention.property()), mention.place(), SafeText.name(mention.name()),
				(mention.kind() == Named.USER) ? "It is a user." : SafeText.reason(near));
	}

	private record Open(Mention mention, Predicate<String> names, AtomicBoolean warned) {
	}

}
