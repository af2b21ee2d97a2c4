package io.agenthooks.spring.assembly;

import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.util.function.SingletonSupplier;

import io.agenthooks.spring.annotation.AnnotatedToolHooks;
import io.agenthooks.spring.binding.HookPropertySources;
import io.agenthooks.spring.binding.HookSection;
import io.agenthooks.spring.guard.GuardedToolCalls;
import io.agenthooks.toolcall.ToolHookChain;

/**
 * Whether hooks decide: about calls of tools as they are now, once they are assembled;
 * until then, and about anything else, by what is known before any bean is made.
 *
 * @since 0.1.0
 */
public final class DecidingHooks implements BooleanSupplier {

	private final ConfigurableListableBeanFactory beanFactory;

	private final BooleanSupplier expected;

	private volatile @Nullable GuardedToolCalls assembled;

	private DecidingHooks(ConfigurableListableBeanFactory beanFactory, BooleanSupplier expected) {
		this.beanFactory = beanFactory;
		this.expected = expected;
	}

	/**
	 * About calls of tools.
	 * @param beanFactory the beans of the application
	 * @param environment its configuration
	 * @return whether a call, or its result, may be kept back
	 */
	public static BooleanSupplier aboutTools(ConfigurableListableBeanFactory beanFactory,
			ConfigurableEnvironment environment) {
		return new DecidingHooks(beanFactory, expected(HookSection.TOOL_CALL, beanFactory, environment));
	}

	/**
	 * By what is known before any bean is made. Looked for when that is asked first.
	 * @param section the kind of hooks
	 * @param beanFactory the beans of the application
	 * @param environment its configuration
	 * @return whether there can be hooks of the kind that decide
	 */
	public static BooleanSupplier expected(HookSection<?> section, ConfigurableListableBeanFactory beanFactory,
			ConfigurableEnvironment environment) {
		return SingletonSupplier
			.of(() -> isExpected(section, beanFactory, HookPropertySources.of(environment)))::obtain;
	}

	private static boolean isExpected(HookSection<?> section, ConfigurableListableBeanFactory beanFactory,
			HookPropertySources properties) {
		if (properties.isDisabled(section)) {
			return false;
		}
		boolean written = properties.mayDecide(section)
				|| (section.equals(HookSection.TOOL_CALL) && properties.areToolsDisabled());
		return written
				|| Stream.of(section.deciding(), section.rewriting())
					.filter(Objects::nonNull)
					.anyMatch((kind) -> names(kind, beanFactory).findAny().isPresent())
				|| (section.equals(HookSection.TOOL_CALL)
						&& (AnnotatedToolHooks.existIn(beanFactory) || names(ToolHookChain.class, beanFactory)
							.anyMatch((chain) -> !chain.equals(ToolCallHooksAutoConfiguration.Active.CHAIN))));
	}

	private static Stream<String> names(Class<?> type, ConfigurableListableBeanFactory beanFactory) {
		return Stream.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beanFactory, type, true, false));
	}

	@Override
	public boolean getAsBoolean() {
		GuardedToolCalls hooks = assembled();
		return (hooks != null) ? hooks.decide() : this.expected.getAsBoolean();
	}

	/** None is made for this: whoever asks may be what they need. */
	private @Nullable GuardedToolCalls assembled() {
		GuardedToolCalls known = this.assembled;
		if (known == null) {
			known = Stream.of(this.beanFactory.getBeanNamesForType(GuardedToolCalls.class, true, false))
				.filter(this.beanFactory::containsSingleton)
				.map((name) -> this.beanFactory.getBean(name, GuardedToolCalls.class))
				.findFirst()
				.orElse(null);
			this.assembled = known;
		}
		return known;
	}

}
