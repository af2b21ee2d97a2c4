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
 * Checks each complete bean, after all other post-processors: Spring calls one of this
 * kind without an order last. What is made during the start is reported to the
 * {@link GuardVerifier}; what is made later is proved then, and refused if it is not
 * guarded.
 */
final class GuardProof implements MergedBeanDefinitionPostProcessor {

	/** For proofs of what runs no tools. */
	static final ToolHookChain NO_TOOL_CALLS = new ToolHookChain(List.of(), List.of());

	private final ObjectProvider<GuardedType> types;

	private final Set<String> proved = ConcurrentHashMap.newKeySet();

	private final Map<String, Escaped> escaped = new TreeMap<>();

	private @Nullable List<GuardedType> known;

	private volatile @Nullable GuardedToolCalls toolCalls;

	private volatile boolean started;

	GuardProof(ObjectProvider<GuardedType> types) {
		this.types = types;
	}

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
		examine(bean, beanName, describe(beanName, bean.getClass().getName()));
		PlainCollections.elements(bean)
			.forEach((element) -> examine(element, beanName, "an element of the bean '" + beanName + "'"));
		return bean;
	}

	private void examine(Object bean, String beanName, String name) {
		List<GuardedType> types = types().stream().filter((type) -> type.matches(bean)).toList();
		if (!types.isEmpty()) {
			examine(bean, beanName, name, types);
		}
	}

	private void examine(Object bean, String beanName, String name, List<GuardedType> types) {
		if (!this.started) {
			List<GuardedType> evaded = types.stream().filter((type) -> !type.isGuarded(bean)).toList();
			if (!evaded.isEmpty()) {
				synchronized (this.escaped) {
					this.escaped.put(beanName, new Escaped(evaded.get(0).describe(name, bean), evaded));
				}
			}
			return;
		}
		List<GuardedType> active = types.stream().filter(this::isActive).toList();
		List<GuardedType> evaded = active.stream().filter((type) -> !type.isGuarded(bean)).toList();
		GuardedToolCalls toolCalls = this.toolCalls;
		if (toolCalls != null && evaded.stream().anyMatch(GuardedType::runsTools)) {
			toolCalls.report(List.of(evaded.get(0).describe(name, bean)));
		}
		if (evaded.stream().anyMatch((type) -> !type.runsTools())) {
			throw new UnguardedBeansException(List.of(name));
		}
		if (evaded.isEmpty() && this.proved.add(beanName)) {
			ToolHookChain chain = (toolCalls != null) ? toolCalls.chain() : NO_TOOL_CALLS;
			active.forEach((type) -> prove(type, bean, name, chain));
		}
	}

	private boolean isActive(GuardedType type) {
		return (type.active() != null) ? type.active().getAsBoolean() : this.toolCalls != null;
	}

	Map<String, Finding> escaped(List<GuardedType> active) {
		Map<String, Finding> findings = new TreeMap<>();
		synchronized (this.escaped) {
			this.escaped.forEach((beanName, bean) -> {
				List<GuardedType> evaded = bean.types().stream().filter(active::contains).toList();
				if (!evaded.isEmpty()) {
					findings.put(beanName, new Finding(bean.text(), evaded.stream().anyMatch(GuardedType::runsTools)));
				}
			});
		}
		return findings;
	}

	/** No calls of tools if the hooks around them are switched off. */
	void start(@Nullable GuardedToolCalls toolCalls) {
		this.toolCalls = toolCalls;
		this.started = true;
	}

	static String describe(String beanName, String type) {
		return "bean '" + beanName + "' of type " + type;
	}

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

	record Finding(String text, boolean runsTools) {
	}

	private record Escaped(String text, List<GuardedType> types) {
	}

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
