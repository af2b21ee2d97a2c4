package io.agenthooks.spring.ai;

import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * The beans, or in lists that are beans, that are clients of MCP servers. None is made
 * for this.
 */
final class McpClients implements Supplier<List<?>> {

	private static final String PACKAGE = "io.modelcontextprotocol.client.";

	private final ConfigurableListableBeanFactory beanFactory;

	private volatile Found found = new Found(-1, List.of());

	McpClients(ConfigurableListableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	@Override
	public List<?> get() {
		int count = count();
		Found found = this.found;
		if (found.singletons() != count) {
			found = new Found(count, find());
			this.found = found;
		}
		return found.clients();
	}

	private int count() {
		int count = 0;
		for (ConfigurableListableBeanFactory beans = this.beanFactory; beans != null; beans = parent(beans)) {
			count += beans.getSingletonCount();
		}
		return count;
	}

	private List<?> find() {
		Stream<?> clients = Stream.empty();
		for (ConfigurableListableBeanFactory beans = this.beanFactory; beans != null; beans = parent(beans)) {
			clients = Stream.concat(clients, Arrays.stream(beans.getSingletonNames())
				.map(beans::getSingleton)
				.flatMap((bean) -> (bean instanceof List<?> several && !several.isEmpty() && isClient(several.get(0)))
						? several.stream() : Stream.ofNullable(bean))
				.filter(McpClients::isClient));
		}
		return clients.toList();
	}

	private static boolean isClient(@Nullable Object bean) {
		return bean != null && bean.getClass().getName().startsWith(PACKAGE);
	}

	private static @Nullable ConfigurableListableBeanFactory parent(ConfigurableListableBeanFactory beans) {
		BeanFactory parent = beans.getParentBeanFactory();
		if (parent instanceof ConfigurableApplicationContext context) {
			return context.getBeanFactory();
		}
		return (parent instanceof ConfigurableListableBeanFactory factory) ? factory : null;
	}

	private record Found(int singletons, List<?> clients) {
	}

}
