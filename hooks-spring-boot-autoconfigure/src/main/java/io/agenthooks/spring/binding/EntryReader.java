package io.agenthooks.spring.binding;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.agenthooks.BuiltInDecider;
import io.agenthooks.ExternalHook;
import io.agenthooks.Hook;
import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.LocatableHook;
import io.agenthooks.SafeText;
import io.agenthooks.spring.EntryOption;
import io.agenthooks.spring.HookFactory;
import io.agenthooks.spring.HookOptions;
import io.agenthooks.spring.binding.ConfiguredHooks.Mistake;
import io.agenthooks.toolcall.ToolHook;

final class EntryReader<H extends Hook> {

	private static final Logger logger = LoggerFactory.getLogger(EntryReader.class);

	/** Option for the words of one system, where the type of the hook knows several. */
	static final String FOR = "for";

	private static final Set<String> SEPARATE = Set.of("config", FOR, ProofReader.KEY);

	private static final String FAIL_OPEN = "failopen";

	private final HookSection<H> section;

	private final StrictBinder binder;

	private final Consumer<Hook> made;

	private final boolean strict;

	private final Map<String, HookFactory<H, ?>> factories = new TreeMap<>();

	private final Set<String> writtenNames = new HashSet<>();

	private final Set<String> placedBeans = new HashSet<>();

	EntryReader(HookSection<H> section, Collection<? extends HookFactory<H, ?>> factories, StrictBinder binder,
			Consumer<Hook> made, boolean strict) {
		this.section = section;
		this.binder = binder;
		this.made = made;
		this.strict = strict;
		factories.forEach(this::add);
	}

	private void add(HookFactory<H, ?> factory) {
		HookFactory<H, ?> first = this.factories.putIfAbsent(factory.type(), factory);
		if (first != null) {
			logger.warn("Ignoring {}: type '{}' is already provided by {}", factory.getClass().getName(),
					factory.type(), first.getClass().getName());
		}
	}

	Set<String> placedBeans() {
		return Set.copyOf(this.placedBeans);
	}

	void read(WrittenHooks.Entry written, boolean preCall, Set<String> names, List<ConfiguredHooks.Entry<H>> hooks) {
		PropertyNode node = written.node();
		if (node.hasValue()) {
			problem(node, (node.isBlank()) ? "is empty" : "is a single value where a hook is expected",
					(written.name() != null) ? "Write 'type: ...' below it, or remove it." : "Write '- type: ...'.");
			return;
		}
		ListEntry entry = this.binder.bind(node, ListEntry.class, List.of(), SEPARATE).value();
		HookFactory<H, ?> factory = (entry != null) ? factory(node, entry) : null;
		if (entry == null || factory == null) {
			return;
		}
		boolean ownFailOpen = factory.takenOver().contains(EntryOption.FAIL_OPEN);
		boolean ownTimeout = factory.takenOver().contains(EntryOption.TIMEOUT);
		boolean ownReason = factory.takenOver().contains(EntryOption.REASON);
		HookOptions options = (ownReason) ? entry.options().withoutReason() : entry.options();
		checkOptions(node, options, ownTimeout);
		String givenName = givenName(written, entry);
		String name = SafeText.name((givenName != null) ? givenName : defaultName(node, factory, written.position()));
		if (name.isEmpty()) {
			problem(node.childOrEmpty("name"), "has no visible character", "Write a name, or leave it out.");
		}
		else if (BuiltInDecider.ofName(name) != null) {
			problem(node.childOrEmpty("name"), "is the name of a decision that Agent Hooks makes itself",
					"Give the hook another name.");
		}
		else if (!names.add(name) || (givenName != null && !this.writtenNames.add(name))) {
			problem(node.childOrEmpty("name"), "is the name of another hook, too", "Give each hook a name of its own.");
		}
		if (!entry.enabled()) {
			logger.warn("The hook '{}' is switched off ({})", name, node.childOrEmpty("enabled").place());
		}
		PropertyNode system = node.child(FOR);
		if (system != null && !factory.takenOver().contains(EntryOption.FOR)) {
			problem(system, "has no meaning for a hook of this type", "Remove it.");
		}
		if (preCall && ownFailOpen && entry.enabled()) {
			requireFailOpen(node);
		}
		List<ConfiguredHooks.Proof> proofs = proofs(node, preCall);
		@Nullable H hook = make(node, entry, factory, name, preCall);
		if (hook != null) {
			checkKind(node, factory.type(), options, hook, preCall, ownFailOpen);
			hooks.add(new ConfiguredHooks.Entry<>(hook, name, factory.type(), node.place(), options, ownFailOpen,
					ownTimeout, proofs, node));
		}
	}

	private void requireFailOpen(PropertyNode node) {
		if (this.strict && node.child(FAIL_OPEN) == null && node.childOrEmpty("config").child(FAIL_OPEN) == null) {
			problem(node.childOrEmpty(FAIL_OPEN), "is not written, and 'hooks.strict' is true",
					"Write 'fail_open: false', or 'fail_open: true' if calls are to pass when the hook fails.");
		}
	}

	private List<ConfiguredHooks.Proof> proofs(PropertyNode node, boolean preCall) {
		PropertyNode written = node.child(ProofReader.KEY);
		if (written == null) {
			return List.of();
		}
		if (!preCall || this.section.kind() != ToolHook.class) {
			problem(written, "has no meaning for a hook that does not decide about calls of tools",
					"Remove it, or write it in hooks.tool_call.pre_call.");
			return List.of();
		}
		return this.binder.proofs().read(written);
	}

	private @Nullable String givenName(WrittenHooks.Entry written, ListEntry entry) {
		if (written.name() == null) {
			return entry.name();
		}
		PropertyNode node = written.node();
		if (entry.name() != null) {
			problem(node.childOrEmpty("name"),
					"is written for a hook that has a name already: '" + SafeText.name(written.name()) + "'",
					"Remove it.");
		}
		return written.name();
	}

	/** A bean has a name already. */
	private String defaultName(PropertyNode node, HookFactory<H, ?> factory, int position) {
		Object bean = node.childOrEmpty("config").childOrEmpty("bean").value();
		return (factory.configType() == BeanConfig.class && bean != null) ? bean.toString()
				: this.section.prefix() + factory.type() + "#" + position;
	}

	private void checkOptions(PropertyNode node, HookOptions options, boolean ownTimeout) {
		this.section.problems(options)
			.stream()
			.filter((problem) -> !(ownTimeout && problem.path().contains("timeout")))
			.forEach((problem) -> problem(node.childOrEmpty(PropertyNode.uniform(problem.path().get(0))),
					problem.message(), problem.action()));
	}

	private void checkKind(PropertyNode node, String type, HookOptions options, H hook, boolean preCall,
			boolean ownFailOpen) {
		if (options.sent() != null && this.section.kind() == ToolHook.class && !(hook instanceof ExternalHook)) {
			options.sent()
				.options()
				.forEach((option) -> problem(node.childOrEmpty(option),
						"has no meaning for a hook that sends nothing out of the application",
						"Remove it, or write it at the webhook, command, process or prompt that is to see less."));
		}
		if (!preCall && this.section.kind() == ToolHook.class) {
			options.asking()
				.options()
				.forEach((option) -> problem(node.childOrEmpty(option),
						"has no meaning for a hook that does not decide before the call", "Remove it."));
		}
		boolean decides = this.section.deciding().isInstance(hook);
		boolean rewrites = this.section.isRewriting(hook);
		if (!preCall && rewrites && ownFailOpen) {
			requireFailOpen(node);
		}
		if (!((preCall) ? decides : rewrites || this.section.learning().isInstance(hook))) {
			problem(node.childOrEmpty("type"),
					"is '%s', a type that cannot stand in this list, '%s'".formatted(type,
							(preCall) ? this.section.pre() : this.section.post()),
					"Move it to %s.".formatted((preCall) ? this.section.post() : this.section.pre()));
		}
		else if (!preCall && decides) {
			problem(node.childOrEmpty("type"), "also decides before the call, which it would not do in this list",
					"Move it to %s; there it also learns how calls end.".formatted(this.section.pre()));
		}
		else if (!preCall && !rewrites) {
			Stream
				.of((options.mode() != HookOptions.Mode.ENFORCE) ? "mode" : "",
						(options.failOpen() != null && !ownFailOpen) ? FAIL_OPEN : "",
						(options.reason() != null) ? "reason" : "")
				.filter((option) -> !option.isEmpty())
				.forEach((option) -> problem(node.childOrEmpty(option),
						"has no meaning for a hook that only learns how calls ended", "Remove it."));
		}
	}

	/** Make a hook, also of options that have a mistake: it may find more of them. */
	private <C> @Nullable H make(PropertyNode node, ListEntry entry, HookFactory<H, C> factory, String name,
			boolean preCall) {
		PropertyNode config = node.childOrEmpty("config");
		List<PropertyNode> inherited = factory.takenOver()
			.stream()
			.map((option) -> node.child(PropertyNode.uniform(option.name())))
			.filter(Objects::nonNull)
			.toList();
		StrictBinder.Bound<C> bound = this.binder.bind(config, factory.configType(), inherited, Set.of());
		if (bound.value() instanceof BeanConfig placed && placed.bean() != null
				&& !this.placedBeans.add(placed.bean())) {
			problem(config.childOrEmpty("bean"), "names a bean that has a place already",
					"Place it once; a bean of several kinds joins all its lists.");
		}
		if (bound.value() == null || !entry.enabled()) {
			return null;
		}
		try {
			H hook = (preCall) ? factory.create(name, bound.value()) : factory.createForPost(name, bound.value());
			if (bound.value() instanceof BeanConfig) {
				return hook;
			}
			if (hook instanceof LocatableHook ruled) {
				hook = this.section.kind()
					.cast(ruled.writtenAt((path) -> (path.isEmpty()) ? node.place() : config.of(path)));
			}
			this.made.accept(hook);
			return hook;
		}
		catch (InvalidHookConfigException ex) {
			this.binder.report(ex.getProblems(), config, inherited, bound.isSound());
			return null;
		}
		catch (RuntimeException ex) {
			InvalidHooksConfigurationException elsewhere = InvalidHooksConfigurationException.in(ex);
			if (elsewhere != null) {
				// What the hook needs is configured elsewhere. The rest is read as well.
				this.binder.problems().addAll(elsewhere.getProblems());
			}
			else if (bound.isSound()) {
				throw ex;
			}
			return null;
		}
	}

	private @Nullable HookFactory<H, ?> factory(PropertyNode node, ListEntry entry) {
		String known = "The types are " + String.join(", ", types()) + "; a " + this.section.factory()
				+ " bean adds another.";
		PropertyNode written = node.child("type");
		if (written == null) {
			problem(node, "has no type", "Write 'type: ...'. " + known);
		}
		HookFactory<H, ?> factory = (entry.type() != null) ? this.factories.get(entry.type()) : null;
		if (factory == null && written != null && entry.type() != null) {
			String name = entry.type();
			String dependency = Modules.missing(this.section.key() + "." + name);
			if (dependency != null) {
				problem(written, "names the type '" + name + "', which needs the dependency " + dependency,
						"Add the dependency " + dependency + ".");
			}
			else if (types().contains(name)) {
				problem(written, "names the type '" + name + "', which nothing adds here",
						"Do not exclude the auto-configuration of the type, nor the libraries that its module brings. If "
								+ "the entry is of a source of properties that is added while beans are made, add it before, "
								+ "in an EnvironmentPostProcessor.");
			}
			else {
				problem(written,
						(name.equals(written.value()) && name.matches("[A-Za-z0-9_-]{1,40}"))
								? "names an unknown type of hook, '" + name + "'" : "names an unknown type of hook",
						Spelling.didYouMean(name,
								Stream.concat(types().stream(), Modules.types(this.section, false)).toList()) + known);
			}
		}
		return factory;
	}

	private Set<String> types() {
		Set<String> types = new TreeSet<>(this.factories.keySet());
		Modules.types(this.section, true).forEach(types::add);
		return types;
	}

	private void problem(PropertyNode node, String message, String action) {
		this.binder.problems().add(Mistake.of(node, message, action));
	}

}
