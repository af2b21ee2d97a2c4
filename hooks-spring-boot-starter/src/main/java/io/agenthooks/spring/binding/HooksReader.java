package io.agenthooks.spring.binding;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.convert.ConversionService;
import org.springframework.core.env.ConfigurableEnvironment;

import io.agenthooks.BuiltInDecider;
import io.agenthooks.Hook;
import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.SafeText;
import io.agenthooks.spring.EntryOption;
import io.agenthooks.spring.HookFactory;
import io.agenthooks.spring.HookOptions;

/**
 * Makes the hooks that the configuration lists, part by part. Finds every mistake before
 * it gives up, and gives up on any.
 *
 * @since 0.1.0
 */
public final class HooksReader {

	private static final Logger logger = LoggerFactory.getLogger(HooksReader.class);

	private static final Set<String> SEPARATE = Set.of("config");

	private final HookPropertySources properties;

	private final StrictBinder binder;

	/** The hooks to close if the start is stopped; beans are closed by others. */
	private final List<Hook> made = new ArrayList<>();

	/**
	 * Create a reader.
	 * @param environment where the properties are
	 * @param conversions the application's conversions, or {@code null} if it has none
	 * @param validation finds what is wrong with a bound {@code config}
	 */
	public HooksReader(ConfigurableEnvironment environment, @Nullable ConversionService conversions,
			Function<Object, List<Problem>> validation) {
		this.properties = HookPropertySources.of(environment);
		this.binder = new StrictBinder(new Placeholders(environment), HookConversions.inOrder(conversions), validation);
		this.binder.problems().addAll(this.properties.misspellings());
	}

	/**
	 * Make the hooks of both lists of a part of the configuration.
	 * @param <H> the kind of hooks
	 * @param section the part
	 * @param factories the types of hooks there are; of two for one type, the first holds
	 * @return the hooks, in the order in which they are written; of use only if
	 * {@link #check()} finds no mistake
	 */
	public <H extends Hook> ConfiguredHooks<H> read(HookSection<H> section,
			Collection<? extends HookFactory<H, ?>> factories) {
		try {
			return new SectionReader<>(section, factories).read();
		}
		catch (RuntimeException ex) {
			this.made.forEach(HooksReader::close);
			throw ex;
		}
	}

	/**
	 * Whether tools may run.
	 * @return whether the configuration does not switch them off
	 */
	public boolean areToolsEnabled() {
		return !this.properties.areToolsDisabled();
	}

	/**
	 * How large the arguments of a call may be.
	 * @return the characters, or empty if the configuration does not say
	 */
	public OptionalInt maxArgumentsSize() {
		return this.properties.maxArgumentsSize();
	}

	/**
	 * Give up if there is any mistake in what was read.
	 * @throws RuntimeException if there is; Spring Boot's failure analysis tells all of
	 * them
	 */
	public void check() {
		if (!this.binder.problems().isEmpty()) {
			this.made.forEach(HooksReader::close);
			throw new InvalidHooksConfigurationException(this.binder.problems());
		}
	}

	private void problem(PropertyNode node, String message, String action) {
		this.binder.problems().add(ConfigProblem.of(node, message, action));
	}

	private static void close(Hook hook) {
		if (hook instanceof AutoCloseable closeable) {
			try {
				closeable.close();
			}
			catch (Exception ex) {
				logger.debug("The hook '{}' could not be closed", hook.name(), ex);
			}
		}
	}

	/**
	 * Reads one part of the configuration.
	 *
	 * @param <H> the kind of hooks
	 */
	private final class SectionReader<H extends Hook> {

		private final HookPropertySources properties = HooksReader.this.properties;

		private final StrictBinder binder = HooksReader.this.binder;

		private final HookSection<H> section;

		private final Map<String, HookFactory<H, ?>> factories = new TreeMap<>();

		/** The names that are written, in either list. */
		private final Set<String> writtenNames = new HashSet<>();

		/** The beans that an entry puts into a list. */
		private final Set<String> placedBeans = new HashSet<>();

		SectionReader(HookSection<H> section, Collection<? extends HookFactory<H, ?>> factories) {
			this.section = section;
			factories.forEach(this::add);
		}

		private void add(HookFactory<H, ?> factory) {
			HookFactory<H, ?> first = this.factories.putIfAbsent(factory.type(), factory);
			if (first != null) {
				logger.warn("There are two factories of the type '{}': {} makes its hooks, {} makes none",
						factory.type(), first.getClass().getName(), factory.getClass().getName());
			}
		}

		ConfiguredHooks<H> read() {
			this.section.choices().forEach(this::checkChoice);
			if (this.section.choices().containsKey(HookSection.TOOLS_ENABLED)) {
				checkSwitches();
			}
			return new ConfiguredHooks<>(readList(true), readList(false), Set.copyOf(this.placedBeans));
		}

		private void checkChoice(String name, List<String> values) {
			List<PropertyNode> choices = this.properties.switches(this.section, name);
			if (values.isEmpty()) {
				choices.stream()
					.filter((node) -> !this.properties.isSize(node))
					.forEach((node) -> problem(node, "is no size between 1KB and 64MB", "Write one, such as 1MB."));
			}
			else {
				choices.stream()
					.filter((node) -> !this.properties.isEither(node, values))
					.forEach((node) -> problem(node, isNone(values),
							"Write %s.".formatted(String.join(" or ", values))));
			}
			choices.stream().skip(1).forEach((other) -> reportTwice(other, choices.get(0)));
		}

		private static String isNone(List<String> values) {
			return (values.size() == 2) ? "is neither %s nor %s".formatted(values.toArray())
					: "is none of " + String.join(", ", values);
		}

		private void checkSwitches() {
			if (this.properties.areToolsDisabled() && this.properties.isFalse(this.section, HookSection.ENABLED)) {
				problem(this.properties.switches(this.section, HookSection.TOOLS_ENABLED).get(0),
						"cannot be obeyed while 'enabled' is false, which lets every tool run",
						"Remove 'enabled: false'.");
			}
		}

		private void reportTwice(PropertyNode node, PropertyNode same) {
			problem(node, "is written twice in the same source, also as '" + same.path() + "'", "Write it once.");
		}

		private List<ConfiguredHook<H>> readList(boolean preCall) {
			List<PropertyNode> lists = this.properties.lists(this.section,
					(preCall) ? this.section.pre() : this.section.post());
			if (lists.isEmpty()) {
				return List.of();
			}
			PropertyNode list = lists.get(0);
			lists.stream().skip(1).forEach((other) -> checkReplaced(other, list));
			if (list.hasValue()) {
				if (!list.isBlank()) {
					problem(list, "is a single value where a list of hooks is expected",
							"Write '- type: ...' below it.");
				}
				else if (lists.size() == 1) {
					logger.warn("{} is an empty list ({}): no hook is asked", list.path(), list.place());
				}
				return List.of();
			}
			List<ConfiguredHook<H>> hooks = new ArrayList<>();
			Set<String> names = new HashSet<>();
			int position = 0;
			for (PropertyNode entry : list.childrenInOrder()) {
				if (!entry.isPosition()) {
					problem(list, "has names below it where a list of hooks is expected",
							"Write '- type: ...' for each hook.");
					return hooks;
				}
				if (entry.position() != position) {
					problem(entry, "leaves out position " + position + " of the list",
							"Number the hooks from 0 without gaps.");
					return hooks;
				}
				readEntry(entry, position, preCall, names, hooks);
				position++;
			}
			return hooks;
		}

		/**
		 * A list is taken from one source, so one entry in an environment variable puts
		 * all hooks of a file out of force. That must not go unnoticed.
		 */
		private void checkReplaced(PropertyNode other, PropertyNode list) {
			if (other.sourceName().equals(list.sourceName())) {
				reportTwice(other, list);
				return;
			}
			String types = other.childrenInOrder()
				.stream()
				.map((entry) -> entry.childOrEmpty("type").value())
				.map((type) -> Objects.toString(type, "?"))
				.collect(Collectors.joining(", "));
			logger.warn("{} of {} replaces the whole list of {}: its hooks [{}] are not active", list.path(),
					list.place(), other.place(), types);
		}

		private void readEntry(PropertyNode node, int position, boolean preCall, Set<String> names,
				List<ConfiguredHook<H>> hooks) {
			if (node.hasValue()) {
				problem(node, (node.isBlank()) ? "is empty" : "is a single value where a hook is expected",
						"Write '- type: ...'.");
				return;
			}
			ListEntry entry = this.binder.bind(node, ListEntry.class, List.of(), SEPARATE).value();
			HookFactory<H, ?> factory = (entry != null) ? factory(node, entry) : null;
			if (entry == null || factory == null) {
				return;
			}
			boolean ownFailOpen = factory.takenOver().contains(EntryOption.FAIL_OPEN);
			boolean ownTimeout = factory.takenOver().contains(EntryOption.TIMEOUT);
			checkOptions(node, entry.options(), ownTimeout);
			String name = SafeText.name((entry.name() != null) ? entry.name() : defaultName(node, factory, position));
			if (name.isEmpty()) {
				problem(node.childOrEmpty("name"), "has nothing visible", "Write a name, or leave it out.");
			}
			else if (BuiltInDecider.ofName(name) != null) {
				problem(node.childOrEmpty("name"), "is the name of a decision that Agent Hooks makes itself",
						"Give the hook another name.");
			}
			else if (!names.add(name) || (entry.name() != null && !this.writtenNames.add(name))) {
				problem(node.childOrEmpty("name"), "is the name of another hook, too",
						"Give each hook a name of its own.");
			}
			@Nullable H hook = make(node, entry, factory, name, preCall);
			if (hook != null) {
				checkKind(node, entry.options(), hook, preCall, ownFailOpen, ownTimeout);
				hooks.add(new ConfiguredHook<>(hook, name, factory.type(), node.place(), entry.options(), ownFailOpen,
						ownTimeout));
			}
		}

		/**
		 * A bean has a name already.
		 */
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

		/**
		 * Check that the hook can do its work in the list where it stands.
		 */
		private void checkKind(PropertyNode node, HookOptions options, H hook, boolean preCall, boolean ownFailOpen,
				boolean ownTimeout) {
			boolean decides = this.section.deciding().isInstance(hook);
			boolean rewrites = this.section.isRewriting(hook);
			if (!((preCall) ? decides : rewrites || this.section.learning().isInstance(hook))) {
				problem(node.childOrEmpty("type"), "is a type that cannot stand in this list",
						"Move it to %s.".formatted((preCall) ? this.section.post() : this.section.pre()));
			}
			else if (!preCall && decides) {
				problem(node.childOrEmpty("type"), "also decides before the call, which it would not do in this list",
						"Move it to %s; it hears how calls end there, too.".formatted(this.section.pre()));
			}
			else if (!preCall && !rewrites) {
				Stream
					.of((options.mode() != HookOptions.Mode.ENFORCE) ? "mode" : "",
							(options.failOpen() != null && !ownFailOpen) ? "failopen" : "",
							(options.timeout() != null && !ownTimeout) ? "timeout" : "")
					.filter((option) -> !option.isEmpty())
					.forEach((option) -> problem(node.childOrEmpty(option),
							"has no meaning for a hook that only learns how calls ended", "Remove it."));
			}
		}

		/**
		 * Make a hook, also of options that have a mistake: it may find more of them.
		 */
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
				if (!(bound.value() instanceof BeanConfig)) {
					HooksReader.this.made.add(hook);
				}
				return hook;
			}
			catch (InvalidHookConfigException ex) {
				this.binder.report(ex.getProblems(), config, inherited, bound.isSound());
				return null;
			}
			catch (RuntimeException ex) {
				if (bound.isSound()) {
					throw ex;
				}
				return null;
			}
		}

		private @Nullable HookFactory<H, ?> factory(PropertyNode node, ListEntry entry) {
			String known = "The types are " + String.join(", ", this.factories.keySet()) + "; a "
					+ this.section.factory() + " bean adds another.";
			PropertyNode written = node.child("type");
			if (written == null) {
				problem(node, "has no type", "Write 'type: ...'. " + known);
			}
			HookFactory<H, ?> factory = (entry.type() != null) ? this.factories.get(entry.type()) : null;
			if (factory == null && written != null && entry.type() != null) {
				String name = entry.type();
				problem(written,
						(name.equals(written.value()) && name.matches("[A-Za-z0-9_-]{1,40}"))
								? "names an unknown type of hook, '" + name + "'" : "names an unknown type of hook",
						Spelling.didYouMean(name, this.factories.keySet()) + known);
			}
			return factory;
		}

	}

}
