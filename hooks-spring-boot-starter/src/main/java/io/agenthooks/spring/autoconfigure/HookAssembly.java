package io.agenthooks.spring.autoconfigure;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutorService;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;

import io.agenthooks.Hook;
import io.agenthooks.SafeText;
import io.agenthooks.chain.HookAround;
import io.agenthooks.chain.HookEntry;
import io.agenthooks.spring.HookAroundProvider;
import io.agenthooks.spring.ToolHookOptions;
import io.agenthooks.spring.binding.ConfiguredHook;
import io.agenthooks.spring.binding.ConfiguredHooks;
import io.agenthooks.spring.binding.HookSection;

/**
 * Collects the hooks of one kind, beans and what the configuration lists, and makes them
 * entries of a chain, lower order first; within one order beans come first, then entries
 * as they are written.
 *
 * @param <H> the kind of hook
 */
final class HookAssembly<H extends Hook> implements DisposableBean {

	private static final Logger logger = LoggerFactory.getLogger(HookAssembly.class);

	/** Whose calls of models and runs of agents are brought to the hooks. */
	private static final List<String> FRAMEWORKS = List.of("org.springframework.ai.chat.client.ChatClient",
			"dev.langchain4j.service.AiServices");

	private final HookSection<H> section;

	private final List<HookAroundProvider> arounds;

	private final ExecutorService timeLimited = TimeLimit.threads();

	private final List<Candidate<H>> candidates = new ArrayList<>();

	HookAssembly(HookSection<H> section, ConfigurableListableBeanFactory beanFactory, ConfiguredHooks<H> configured,
			List<HookAroundProvider> arounds) {
		ClassLoader classLoader = beanFactory.getBeanClassLoader();
		this.section = section;
		this.arounds = arounds;
		HookNames names = new HookNames();
		new HookBeans<>(beanFactory, section.kind()).find(configured.placedBeans()).forEach((bean) -> {
			String name = SafeText.name(bean.name());
			names.use(name, bean.origin());
			names.take(name, bean.origin());
			this.candidates.add(new Candidate<>(bean.hook(), name, HookBeans.TYPE,
					ToolHookOptions.defaults().order(bean.order()), true, false, false));
		});
		configured.preCall().forEach((entry) -> add(entry, true, names));
		configured.postCall().forEach((entry) -> add(entry, false, names));
		names.check();
		this.candidates.forEach((candidate) -> join(candidate.name(), candidate.hook()));
		this.candidates.sort(Comparator.comparingInt((candidate) -> candidate.options().order()));
		if (!this.candidates.isEmpty()
				&& FRAMEWORKS.stream().noneMatch((framework) -> ClassUtils.isPresent(framework, classLoader))) {
			logger
				.warn("hooks.{} has hooks, but neither Spring AI's ChatClient nor LangChain4j's AI services are there: "
						+ "the hooks are asked only by who asks their chain", section.key());
		}
	}

	private void add(ConfiguredHook<H> entry, boolean decides, HookNames names) {
		names.use(entry.name(), entry.place());
		this.candidates.add(new Candidate<>(entry.hook(), entry.name(), entry.type(), entry.options(), decides,
				entry.ownFailOpen(), entry.ownTimeout()));
	}

	/**
	 * The entries of those hooks that have a part in a phase.
	 */
	<K extends H> List<HookEntry<K>> entries(Class<K> phase) {
		List<HookEntry<K>> entries = this.candidates.stream()
			.filter((candidate) -> phase.isInstance(candidate.hook())
					&& (candidate.decides() || !phase.equals(this.section.deciding())))
			.map((candidate) -> entry(phase.cast(candidate.hook()), candidate))
			.toList();
		if (!entries.isEmpty()) {
			logger.info("Every {} passes these hooks: {} ({})",
					(this.section.target() != null) ? this.section.target() + " call" : this.section.key(),
					entries.stream().map(HookEntry::name).toList(), phase.getSimpleName());
		}
		return entries;
	}

	private <K extends H> HookEntry<K> entry(K hook, Candidate<H> candidate) {
		ToolHookOptions options = candidate.options();
		HookEntry<K> entry = HookEntry.of(hook)
			.named(candidate.name())
			.forTargets(options.tools())
			.askedBy(around(candidate));
		if (options.contexts() != null) {
			entry = entry.forContexts(options.contexts());
		}
		if (Boolean.TRUE.equals(options.failOpen()) && !candidate.ownFailOpen()) {
			entry = entry.failingOpen();
		}
		return (options.mode() == ToolHookOptions.Mode.OBSERVE) ? entry.observing() : entry;
	}

	private HookAround around(Candidate<H> candidate) {
		HookAround around = HookAround.NOTHING;
		if (candidate.options().timeout() != null && !candidate.ownTimeout()) {
			around = new TimeLimit(candidate.name(), candidate.options().timeout(), this.timeLimited);
			join(candidate.name(), around);
		}
		for (HookAroundProvider provider : this.arounds) {
			around = around.within(provider.around(candidate.name(), candidate.type()));
		}
		return around;
	}

	private void join(String name, Object part) {
		this.arounds.forEach((provider) -> provider.join(name, part));
	}

	/**
	 * Let no time-limited hook begin any more, and interrupt those that run.
	 */
	@Override
	public void destroy() {
		this.timeLimited.shutdownNow();
	}

	/**
	 * A hook that is to be an entry.
	 *
	 * @param <H> the kind of hook
	 * @param hook the hook
	 * @param name its name
	 * @param type its type
	 * @param options what is said about it
	 * @param decides whether it decides, if it can
	 * @param ownFailOpen whether the hook itself sees to {@code fail_open}
	 * @param ownTimeout whether the hook itself sees to {@code timeout}
	 */
	private record Candidate<H extends Hook>(H hook, String name, String type, ToolHookOptions options, boolean decides,
			boolean ownFailOpen, boolean ownTimeout) {
	}

}
