package io.agenthooks.spring.binding;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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

import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.SafeText;
import io.agenthooks.spring.ToolHookFactory;
import io.agenthooks.spring.ToolHookOptions;
import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolHook;
import io.agenthooks.toolcall.ToolResultHook;

/**
 * Makes the hooks that {@code hooks.tool_call} lists. Finds every mistake before it gives
 * up, and gives up on any.
 *
 * @since 0.1.0
 */
public final class ToolHooksReader {

	private static final Logger logger = LoggerFactory.getLogger(ToolHooksReader.class);

	private static final Set<String> SEPARATE = Set.of("config");

	private final HooksProperties properties;

	private final Map<String, ToolHookFactory<?>> factories = new TreeMap<>();

	private final StrictBinder binder;

	/** The hooks to close if the start is stopped; beans are closed by others. */
	private final List<ToolHook> made = new ArrayList<>();

	/** The names that are written, in either list. */
	private final Set<String> writtenNames = new HashSet<>();

	/** The beans that an entry puts into a list. */
	private final Set<String> placedBeans = new HashSet<>();

	/**
	 * Create a reader.
	 * @param environment where the properties are
	 * @param factories the types of hooks there are; of two for one type, the first holds
	 * @param conversions the application's conversions, or {@code null} if it has none
	 * @param validation finds what is wrong with a bound {@code config}
	 */
	public ToolHooksReader(ConfigurableEnvironment environment, Collection<ToolHookFactory<?>> factories,
			@Nullable ConversionService conversions, Function<Object, List<Problem>> validation) {
		this.properties = HooksProperties.of(environment);
		factories.forEach(this::add);
		this.binder = new StrictBinder(new Placeholders(environment), HookConversions.inOrder(conversions), validation);
	}

	private void add(ToolHookFactory<?> factory) {
		ToolHookFactory<?> first = this.factories.putIfAbsent(factory.type(), factory);
		if (first != null) {
			logger.warn("There are two factories of the type '{}': {} makes its hooks, {} makes none", factory.type(),
					first.getClass().getName(), factory.getClass().getName());
		}
	}

	/**
	 * Make the hooks of both lists.
	 * @return the hooks, in the order in which they are written
	 * @throws RuntimeException if there is any mistake; Spring Boot's failure analysis
	 * tells all of them
	 */
	public ConfiguredToolHooks read() {
		try {
			this.binder.problems().addAll(this.properties.misspellings());
			checkSwitch(HooksProperties.ENABLED);
			checkSwitch(HooksProperties.TOOLS_ENABLED);
			checkSwitch(HooksProperties.WRAP_TOOL_CALLBACKS);
			checkChoice(HooksProperties.UNGUARDED, "is none of the choices", "ignore", "warn", "deny");
			checkSwitches();
			ConfiguredToolHooks hooks = new ConfiguredToolHooks(readList("pre_call", List.of(PreToolHook.class)),
					readList("post_call", List.of(PostToolHook.class, ToolResultHook.class)),
					Set.copyOf(this.placedBeans), !this.properties.areToolsDisabled());
			if (!this.binder.problems().isEmpty()) {
				throw new InvalidHooksConfigurationException(this.binder.problems());
			}
			return hooks;
		}
		catch (RuntimeException ex) {
			this.made.forEach(ToolHooksReader::close);
			throw ex;
		}
	}

	private void checkSwitch(String name) {
		checkChoice(name, "is neither true nor false", "true", "false");
	}

	private void checkChoice(String name, String mistake, String... values) {
		List<PropertyNode> choices = this.properties.switches(name);
		choices.stream()
			.filter((node) -> !this.properties.isEither(node, values))
			.forEach((node) -> problem(node, mistake, "Write %s.".formatted(String.join(" or ", values))));
		choices.stream().skip(1).forEach((other) -> reportTwice(other, choices.get(0)));
	}

	private void checkSwitches() {
		if (this.properties.areToolsDisabled() && this.properties.isFalse(HooksProperties.ENABLED)) {
			problem(this.properties.switches(HooksProperties.TOOLS_ENABLED).get(0),
					"cannot be obeyed while 'enabled' is false, which lets every tool run", "Remove 'enabled: false'.");
		}
	}

	private void reportTwice(PropertyNode node, PropertyNode same) {
		problem(node, "is written twice in the same source, also as '" + same.path() + "'", "Write it once.");
	}

	private List<ConfiguredToolHook> readList(String name, List<Class<? extends ToolHook>> kinds) {
		List<PropertyNode> lists = this.properties.lists(PropertyNode.uniform(name));
		if (lists.isEmpty()) {
			return List.of();
		}
		PropertyNode list = lists.get(0);
		lists.stream().skip(1).forEach((other) -> checkReplaced(other, list));
		if (list.hasValue()) {
			if (!list.isBlank()) {
				problem(list, "is a single value where a list of hooks is expected", "Write '- type: ...' below it.");
			}
			else if (lists.size() == 1) {
				logger.warn("{} is an empty list ({}): no hook is asked", list.path(), list.place());
			}
			return List.of();
		}
		List<ConfiguredToolHook> hooks = new ArrayList<>();
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
			readEntry(entry, position, kinds, names, hooks);
			position++;
		}
		return hooks;
	}

	/**
	 * A list is taken from one source, so one entry in an environment variable puts all
	 * hooks of a file out of force. That must not go unnoticed.
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
		logger.warn("{} of {} replaces the whole list of {}: not in force are its hooks [{}]", list.path(),
				list.place(), other.place(), types);
	}

	private void readEntry(PropertyNode node, int position, List<Class<? extends ToolHook>> kinds, Set<String> names,
			List<ConfiguredToolHook> hooks) {
		if (node.hasValue()) {
			problem(node, (node.isBlank()) ? "is empty" : "is a single value where a hook is expected",
					"Write '- type: ...'.");
			return;
		}
		ToolHookEntry entry = this.binder.bind(node, ToolHookEntry.class, List.of(), SEPARATE).value();
		ToolHookFactory<?> factory = (entry != null) ? factory(node, entry) : null;
		if (entry == null || factory == null) {
			return;
		}
		Set<String> options = OptionType.of(factory.configType()).options().keySet();
		boolean ownFailOpen = options.contains("failopen");
		boolean ownTimeout = options.contains("timeout");
		checkOptions(node, entry.options(), ownTimeout);
		String name = SafeText.name((entry.name() != null) ? entry.name() : defaultName(node, factory, position));
		if (name.isEmpty()) {
			problem(node.childOrEmpty("name"), "has nothing visible", "Write a name, or leave it out.");
		}
		else if (!names.add(name) || (entry.name() != null && !this.writtenNames.add(name))) {
			problem(node.childOrEmpty("name"), "is the name of another hook, too", "Give each hook a name of its own.");
		}
		ToolHook hook = make(node, entry, factory, name);
		if (hook != null) {
			checkKind(node, entry.options(), hook, factory, kinds, ownFailOpen, ownTimeout);
			hooks.add(new ConfiguredToolHook(hook, name, factory.type(), node.place(), entry.options(), ownFailOpen,
					ownTimeout));
		}
	}

	/**
	 * A bean has a name already.
	 */
	private static String defaultName(PropertyNode node, ToolHookFactory<?> factory, int position) {
		Object bean = node.childOrEmpty("config").childOrEmpty("bean").value();
		return (factory.configType() == BeanConfig.class && bean != null) ? bean.toString()
				: factory.type() + "#" + position;
	}

	private void checkOptions(PropertyNode node, ToolHookOptions options, boolean ownTimeout) {
		options.problems()
			.stream()
			.filter((problem) -> !(ownTimeout && problem.path().contains("timeout")))
			.forEach((problem) -> problem(node.childOrEmpty(problem.path().get(0)), problem.message(),
					problem.action()));
	}

	/**
	 * Check that the hook can do its work in the list where it stands.
	 */
	private void checkKind(PropertyNode node, ToolHookOptions options, ToolHook hook, ToolHookFactory<?> factory,
			List<Class<? extends ToolHook>> kinds, boolean ownFailOpen, boolean ownTimeout) {
		boolean preCall = kinds.contains(PreToolHook.class);
		if (kinds.stream().noneMatch((kind) -> kind.isInstance(hook))) {
			problem(node.childOrEmpty("type"), "is a type that cannot stand in this list",
					(preCall) ? "Move it to post_call." : "Move it to pre_call.");
		}
		else if (!preCall && hook instanceof PreToolHook && !factory.mayOnlyObserve()) {
			problem(node.childOrEmpty("type"), "also decides before the call, which it would not do in this list",
					"Move it to pre_call; it hears how calls end there, too.");
		}
		else if (!preCall && !(hook instanceof ToolResultHook)) {
			Stream
				.of((options.mode() != ToolHookOptions.Mode.ENFORCE) ? "mode" : "",
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
	private <C> @Nullable ToolHook make(PropertyNode node, ToolHookEntry entry, ToolHookFactory<C> factory,
			String name) {
		PropertyNode config = node.childOrEmpty("config");
		List<PropertyNode> inherited = Stream.of("failopen", "timeout")
			.map(node::child)
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
			ToolHook hook = factory.create(name, bound.value());
			if (!(bound.value() instanceof BeanConfig)) {
				this.made.add(hook);
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

	private @Nullable ToolHookFactory<?> factory(PropertyNode node, ToolHookEntry entry) {
		String known = "The types are " + String.join(", ", this.factories.keySet())
				+ "; a ToolHookFactory bean adds another.";
		PropertyNode written = node.child("type");
		if (written == null) {
			problem(node, "has no type", "Write 'type: ...'. " + known);
		}
		ToolHookFactory<?> factory = (entry.type() != null) ? this.factories.get(entry.type()) : null;
		if (factory == null && written != null && entry.type() != null) {
			String name = entry.type();
			problem(written,
					(name.equals(written.value()) && name.matches("[A-Za-z0-9_-]{1,40}"))
							? "names an unknown type of hook, '" + name + "'" : "names an unknown type of hook",
					Spelling.didYouMean(name, this.factories.keySet()) + known);
		}
		return factory;
	}

	private void problem(PropertyNode node, String message, String action) {
		this.binder.problems().add(ConfigProblem.of(node, message, action));
	}

	private static void close(ToolHook hook) {
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
	 * The hooks that the configuration lists.
	 *
	 * @param preCall those under {@code pre_call}
	 * @param postCall those under {@code post_call}
	 * @param placedBeans the names of the beans that an entry puts into a list, also if
	 * the entry is not enabled
	 * @param toolsEnabled whether tools may run
	 * @since 0.1.0
	 */
	public record ConfiguredToolHooks(List<ConfiguredToolHook> preCall, List<ConfiguredToolHook> postCall,
			Set<String> placedBeans, boolean toolsEnabled) {
	}

}
