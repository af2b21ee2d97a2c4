package io.agenthooks.spring.guard;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.support.MergedBeanDefinitionPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;

import io.agenthooks.toolcall.ToolHookChain;

/**
 * Sees each bean when it is complete, after all other post-processors, and whether it
 * must be guarded and is. What is made during the start is reported to the
 * {@link GuardVerifier}; what is made later, because it is lazy or has a scope, is proved
 * then and refused if it is not guarded.
 * <p>
 * Spring calls a post-processor of this kind without an order last.
 */
final class GuardProof implements MergedBeanDefinitionPostProcessor {

	/** For proofs of what runs no tools. */
	static final ToolHookChain NO_TOOL_CALLS = new ToolHookChain(List.of(), List.of());

	private final ObjectProvider<GuardedType> types;

	private final Set<String> proved = ConcurrentHashMap.newKeySet();

	private final Map<String, Finding> escaped = new TreeMap<>();

	private @Nullable List<GuardedType> known;

	private volatile @Nullable GuardedToolCalls toolCalls;

	private volatile boolean started;

	GuardProof(ObjectProvider<GuardedType> types) {
		this.types = types;
	}

	/**
	 * The types whose beans must be guarded.
	 */
	synchronized List<GuardedType> types() {
		List<GuardedType> known = this.known;
		if (known == null) {
			// While these are made, they are post-processed themselves.
			this.known = List.of();
			known = this.types.orderedStream().toList();
			this.known = known;
		}
		return known;
	}

	@Override
	public void postProcessMergedBeanDefinition(RootBeanDefinition beanDefinition, Class<?> beanType, String beanName) {
		// Only complete beans count.
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		List<GuardedType> types = types().stream().filter((type) -> type.matches(bean)).toList();
		if (!types.isEmpty()) {
			examine(bean, beanName, types);
		}
		return bean;
	}

	private void examine(Object bean, String beanName, List<GuardedType> types) {
		List<GuardedType> evaded = types.stream().filter((type) -> !type.isGuarded(bean)).toList();
		boolean guarded = evaded.isEmpty();
		String name = describe(beanName, bean.getClass().getName());
		Finding finding = new Finding(name, evaded.stream().anyMatch(GuardedType::runsTools));
		if (!this.started) {
			if (!guarded) {
				synchronized (this.escaped) {
					this.escaped.put(beanName, finding);
				}
			}
			return;
		}
		GuardedToolCalls toolCalls = this.toolCalls;
		if (toolCalls != null && types.stream().anyMatch(GuardedType::runsTools)) {
			if (!guarded) {
				toolCalls.report(List.of(name));
				return;
			}
			if (this.proved.add(beanName)) {
				types.forEach((type) -> prove(type, bean, name, toolCalls.chain()));
			}
		}
		else if (evaded.stream().anyMatch(GuardProof::isActive)) {
			throw new UnguardedBeansException(List.of(name));
		}
		else if (guarded && this.proved.add(beanName)) {
			types.stream().filter(GuardProof::isActive).forEach((type) -> prove(type, bean, name, NO_TOOL_CALLS));
		}
	}

	private static boolean isActive(GuardedType type) {
		return type.active() != null && type.active().getAsBoolean();
	}

	/**
	 * The beans that were not guarded when they were complete.
	 * @return what was found, by the names of the beans
	 */
	Map<String, Finding> escaped() {
		synchronized (this.escaped) {
			return new TreeMap<>(this.escaped);
		}
	}

	/**
	 * From now on, prove and refuse.
	 * @param toolCalls the hooks around calls of tools, or {@code null} if they are
	 * switched off
	 */
	void start(@Nullable GuardedToolCalls toolCalls) {
		this.toolCalls = toolCalls;
		this.started = true;
	}

	static String describe(String beanName, String type) {
		return "bean '" + beanName + "' of type " + type;
	}

	/**
	 * Prove that a guarded bean asks the chain.
	 * @return how many ways to a tool were proved
	 */
	static int prove(GuardedType type, Object bean, String name, ToolHookChain chain) {
		if (ScopedProxies.isOne(bean) || !type.guard().test(bean)) {
			return 0;
		}
		int ways;
		try {
			ways = type.proof().prove(bean, chain);
		}
		catch (RuntimeException ex) {
			throw new UnprovedGuardException(name, ex);
		}
		if (ways == GuardedType.Proof.FAILED) {
			throw new UnprovedGuardException(name, null);
		}
		return ways;
	}

	/**
	 * Something that escaped its guard.
	 *
	 * @param text says what it is
	 * @param runsTools whether it runs tools
	 */
	record Finding(String text, boolean runsTools) {
	}

	/**
	 * The start as a whole: which ways to tools were proved, for the log.
	 */
	static final class Proved {

		private final Map<String, int[]> ways = new TreeMap<>();

		void add(GuardedType type, int ways) {
			if (ways > 0) {
				int[] sums = this.ways.computeIfAbsent(type.label(), (label) -> new int[2]);
				sums[0]++;
				sums[1] += ways;
			}
		}

		List<String> describe() {
			List<String> lines = new ArrayList<>();
			this.ways.forEach((label, sums) -> lines.add((sums[0] == sums[1]) ? label + ": " + sums[0]
					: label + ": " + sums[0] + " (" + sums[1] + " tools)"));
			return lines;
		}

	}

}
