package io.agenthooks.spring.binding;

import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.ResolvableType;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * The options below a key of {@code hooks} that lists no hooks, such as
 * {@code hooks.audit}. Each is a bean, so that every mistake can be reported at once, and
 * is read when it is asked for.
 *
 * @param <T> what the options are bound to
 * @since 0.1.0
 */
public final class FeatureOptions<T> {

	private static final Logger logger = LoggerFactory.getLogger(FeatureOptions.class);

	private final String name;

	private final Class<T> type;

	private final @Nullable T usual;

	private final ConfigurableEnvironment environment;

	private final ConfigurableListableBeanFactory beanFactory;

	private @Nullable T value;

	/**
	 * Create options.
	 * @param name the name below {@code hooks}
	 * @param type what to bind the options to
	 * @param usual what holds if nothing is written; {@code null} if something always is
	 * @param environment where the properties are
	 * @param beanFactory has the other parts
	 */
	public FeatureOptions(String name, Class<T> type, @Nullable T usual, ConfigurableEnvironment environment,
			ConfigurableListableBeanFactory beanFactory) {
		this.name = name;
		this.type = type;
		this.usual = usual;
		this.environment = environment;
		this.beanFactory = beanFactory;
	}

	/**
	 * Return the name.
	 * @return the name below {@code hooks}
	 */
	public String name() {
		return this.name;
	}

	/**
	 * Return the type.
	 * @return what the options are bound to
	 */
	public Class<T> type() {
		return this.type;
	}

	/**
	 * Read the options, and fail on any mistake. Then every other part is read as well,
	 * so that all mistakes are told.
	 * @return what is written, or what holds if nothing is
	 */
	public synchronized T value() {
		T value = this.value;
		if (value == null) {
			T read = read();
			value = (read != null) ? read : Objects.requireNonNull(this.usual, "nothing is written");
			this.value = value;
		}
		return value;
	}

	private @Nullable T read() {
		HooksReader reader = new HooksReader(this.environment, this.beanFactory.getConversionService(),
				(config) -> List.of());
		T read = reader.read(this);
		if (reader.hasFoundMistakes()) {
			throwAll();
			this.beanFactory.<FeatureOptions<?>>getBeanProvider(ResolvableType.forClass(FeatureOptions.class))
				.stream()
				.filter((other) -> !other.equals(this))
				.forEach(reader::read);
			reader.check();
		}
		return read;
	}

	/**
	 * Let the bean that reads all parts report all mistakes, unless it is being created,
	 * or cannot be created for another reason.
	 */
	private void throwAll() {
		try {
			this.beanFactory.getBeanProvider(WholeConfiguration.class).getIfAvailable();
		}
		catch (RuntimeException ex) {
			InvalidHooksConfigurationException invalid = InvalidHooksConfigurationException.in(ex);
			if (invalid != null) {
				throw invalid;
			}
			logger.debug("Only some mistakes in the configuration can be reported at once", ex);
		}
	}

}
