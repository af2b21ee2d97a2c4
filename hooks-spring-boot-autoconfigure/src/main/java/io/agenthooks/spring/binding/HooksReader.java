package io.agenthooks.spring.binding;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.convert.ConversionService;
import org.springframework.core.env.ConfigurableEnvironment;

import io.agenthooks.Hook;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.spring.HookFactory;
import io.agenthooks.spring.binding.ConfiguredHooks.Mistake;

/**
 * Makes the hooks that the configuration lists, part by part. Finds every mistake before
 * it gives up, and gives up on any.
 *
 * @since 0.1.0
 */
public final class HooksReader {

	private static final Logger logger = LoggerFactory.getLogger(HooksReader.class);

	private final ConfigurableEnvironment environment;

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
		this.environment = environment;
		this.properties = HookPropertySources.of(environment);
		this.binder = new StrictBinder(environment, HookConversions.inOrder(conversions), validation);
		this.binder.problems().addAll(MisspelledNames.find(this.properties, environment));
		this.binder.problems().addAll(RepeatedProperties.find(this.properties.roots()));
		this.properties.claims(this.binder);
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
		return read(section, factories, List.of());
	}

	/**
	 * Make the hooks of both lists of a part of the configuration, and those behind the
	 * list of hooks that decide which are written elsewhere.
	 * @param <H> the kind of hooks
	 * @param section the part
	 * @param factories the types of hooks there are; of two for one type, the first holds
	 * @param added the hooks that are written elsewhere
	 * @return the hooks, as above
	 */
	public <H extends Hook> ConfiguredHooks<H> read(HookSection<H> section,
			Collection<? extends HookFactory<H, ?>> factories, List<AddedEntry> added) {
		try {
			EntryReader<H> entries = new EntryReader<>(section, factories, this.binder, this.made::add,
					this.properties.isStrict());
			return new SectionReader<>(section, this.properties, entries, this.binder.problems()).read(added);
		}
		catch (RuntimeException ex) {
			this.made.forEach(HooksReader::close);
			throw ex;
		}
	}

	/**
	 * Read what becomes of calls by the effects of tools.
	 * @return the effects, or {@code null} if they are not written, or mistaken, which is
	 * reported
	 */
	public @Nullable ToolEffects effects() {
		return new EffectsReader(this.properties, this.environment, this.binder).read();
	}

	<T> @Nullable T read(FeatureOptions<T> options) {
		PropertyNode feature = this.properties.feature(options.name());
		return (feature != null) ? this.binder.bind(feature, options.type(), List.of(), Set.of()).value() : null;
	}

	boolean hasFoundMistakes() {
		return !this.binder.problems().isEmpty();
	}

	/**
	 * Find the mistakes in parts without hooks, beside those in parts with hooks.
	 * @param features those parts
	 * @since 0.1.0
	 */
	public void checkFeatures(Stream<? extends FeatureOptions<?>> features) {
		features.forEach(this::read);
	}

	/**
	 * Report mistakes of what is read elsewhere, beside those that are found here.
	 * @param mistakes the mistakes
	 */
	public void report(List<Mistake> mistakes) {
		this.binder.problems().addAll(mistakes);
	}

	/**
	 * Whether tools may run.
	 * @return whether the configuration does not switch them off
	 */
	public boolean areToolsEnabled() {
		return !this.properties.areToolsDisabled();
	}

	/**
	 * Whether nodes share what is switched off.
	 * @return whether the configuration says so
	 */
	public boolean isKillSwitchShared() {
		return this.properties.isKillSwitchShared();
	}

	/**
	 * Return the largest size of the arguments of a call.
	 * @return the characters, or empty if the configuration does not say
	 */
	public OptionalInt maxArgumentsSize() {
		return this.properties.size(HookSection.MAX_ARGUMENTS_SIZE);
	}

	/**
	 * How large the results of calls may be.
	 * @return the characters, or empty if the configuration does not say
	 */
	public OptionalInt maxResultSize() {
		return this.properties.size(HookSection.MAX_RESULT_SIZE);
	}

	/**
	 * Give up if there is any mistake in what was read.
	 * @throws RuntimeException if there is; Spring Boot's failure analysis tells all of
	 * them
	 */
	public void check() {
		if (!this.binder.problems().isEmpty()) {
			this.made.forEach(HooksReader::close);
			// Several hooks may need the same part, which has the same mistakes each
			// time.
			throw new InvalidHooksConfigurationException(this.binder.problems().stream().distinct().toList());
		}
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

}
