package io.agenthooks.spring.assembly;

import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Stream;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.SmartLifecycle;

import io.agenthooks.llmcall.LlmHookChain;
import io.agenthooks.run.RunHookChain;
import io.agenthooks.spring.threads.HooksThreads;
import io.agenthooks.toolcall.ToolHookChain;

/**
 * Lets no further call begin when the application ends: after web servers, listeners and
 * schedulers have stopped, before connections to stores are closed and any bean is
 * destroyed.
 */
final class ClosingGates implements SmartInitializingSingleton, SmartLifecycle, DisposableBean {

	private final ConfigurableListableBeanFactory beanFactory;

	private volatile List<Consumer<Boolean>> gates = List.of();

	private volatile boolean running;

	ClosingGates(ConfigurableListableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	@Override
	public void afterSingletonsInstantiated() {
		this.gates = Stream
			.of(find(ToolHookChain.class, ToolHookChain::setShutDown),
					find(LlmHookChain.class, LlmHookChain::setShutDown),
					find(RunHookChain.class, RunHookChain::setShutDown))
			.flatMap(List::stream)
			.toList();
	}

	/** An application that was only stopped may start again. */
	@Override
	public void start() {
		this.gates.forEach((gate) -> gate.accept(false));
		this.running = true;
	}

	private <T> List<Consumer<Boolean>> find(Class<T> type, BiConsumer<T, Boolean> shutDown) {
		return Stream.of(this.beanFactory.getBeanNamesForType(type, false, false))
			.map((name) -> this.beanFactory.getBean(name, type))
			.<Consumer<Boolean>>map((chain) -> (over) -> shutDown.accept(chain, over))
			.toList();
	}

	@Override
	public void stop() {
		this.gates.forEach((gate) -> gate.accept(true));
		this.running = false;
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public int getPhase() {
		return HooksThreads.GATES;
	}

	/** For an application whose start failed behind this. */
	@Override
	public void destroy() {
		stop();
	}

}
