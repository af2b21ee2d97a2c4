package io.agenthooks.spring.audit;

import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.ConfigurableEnvironment;

import io.agenthooks.llmcall.LlmHookChain;
import io.agenthooks.redact.Redactor;
import io.agenthooks.run.RunHookChain;
import io.agenthooks.spring.ActiveHooks;
import io.agenthooks.spring.LlmHooks;
import io.agenthooks.spring.RunHooks;
import io.agenthooks.spring.ToolHooks;
import io.agenthooks.spring.assembly.ConditionalOnFeature;
import io.agenthooks.spring.assembly.ConfigurationHash;
import io.agenthooks.spring.assembly.CurrentConfiguration;
import io.agenthooks.spring.assembly.LlmCallHooksAutoConfiguration;
import io.agenthooks.spring.assembly.RunHooksAutoConfiguration;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;
import io.agenthooks.spring.binding.FeatureOptions;
import io.agenthooks.spring.binding.MissingModuleException;
import io.agenthooks.spring.outcome.AskedHooks;
import io.agenthooks.spring.outcome.EndedCallsConfiguration;
import io.agenthooks.spring.outcome.HookModes;
import io.agenthooks.spring.outcome.PersonDecision;
import io.agenthooks.spring.outcome.ToolSwitch;
import io.agenthooks.toolcall.ToolHookChain;

/**
 * Records every call if {@code hooks.audit.enabled} is true.
 *
 * @since 0.1.0
 */
@AutoConfiguration(before = { ToolCallHooksAutoConfiguration.class, LlmCallHooksAutoConfiguration.class,
		RunHooksAutoConfiguration.class })
@ConditionalOnFeature("audit")
@Import(EndedCallsConfiguration.class)
public final class AuditAutoConfiguration {

	static final String FEATURE = "audit";

	private static final Logger logger = LoggerFactory.getLogger(AuditAutoConfiguration.class);

	private static final Duration STALL = Duration.ofSeconds(10);

	@Bean
	static FeatureOptions<AuditConfig> hooksAuditOptions(ConfigurableEnvironment environment,
			ConfigurableListableBeanFactory beanFactory) {
		return new FeatureOptions<>(FEATURE, AuditConfig.class, null, environment, beanFactory);
	}

	/** Its versions are those of the records, made with their key. */
	@Bean
	CurrentConfiguration hooksAuditCurrentConfiguration(FeatureOptions<AuditConfig> options,
			ConfigurableEnvironment environment, ObjectProvider<ToolHooks> toolHooks, ObjectProvider<LlmHooks> llmHooks,
			ObjectProvider<RunHooks> runHooks) {
		AuditKey key = options.value().auditKey();
		return CurrentConfiguration.of(hashOf(key), environment, toolHooks, llmHooks, runHooks);
	}

	static ConfigurationHash hashOf(AuditKey key) {
		return new ConfigurationHash(key.content()::of, key.id() != null);
	}

	@Bean(destroyMethod = "close")
	AuditLog hooksAuditLog(FeatureOptions<AuditConfig> options, ObjectProvider<AuditSink> sinks,
			ObjectProvider<AuditStore> stores, CurrentConfiguration current) {
		AuditConfig config = options.value();
		AuditKey key = config.auditKey();
		Clock clock = Clock.systemUTC();
		AuditAnchor anchor = new AuditAnchor(anchor(config), config.anchorInterval(), key, config.formerAuditKeys(),
				clock);
		AuditSink sink = sinks.getIfAvailable(() -> switch (config.storeOrDefault()) {
			case FILE -> files(config);
			case JDBC -> database(config, stores);
			case LOG -> new LogSink();
		});
		String chain = (sink instanceof LogSink) ? config.newChain(clock.instant()) : config.nodeOrHost();
		RecordMaker maker = new RecordMaker(config.argumentsOrDefault(), key, Redactor.ofDefaults(), current::get);
		AuditLog log = new AuditLog(sink, anchor, maker,
				new AuditLog.Settings(chain, key, config.queueSizeOrDefault(), config.isStrict(), STALL, clock));
		try {
			log.open();
		}
		catch (RuntimeException ex) {
			log.close();
			throw ex;
		}
		if (key.id() == null) {
			logger.warn("The audit has no key: its records carry plain SHA-256 hashes, which anybody can make who can "
					+ "change them. Set 'hooks.audit.key.id' and 'hooks.audit.key.secret'.");
		}
		return log;
	}

	private static AuditSink database(AuditConfig config, ObjectProvider<AuditStore> stores) {
		AuditStore store = stores.getIfAvailable();
		if (store == null) {
			throw new InvalidAuditException(
					"'hooks.audit.store' is 'jdbc', which needs the dependency %s."
						.formatted(MissingModuleException.dependencyOf("jdbc", "spring-boot-starter-jdbc")),
					"Add it and a DataSource, or write 'file'.");
		}
		return store.open(config);
	}

	private static AuditSink files(AuditConfig config) {
		try {
			return new FileSink(Path.of(config.path()), config.nodeOrHost(), config.maxSize(), config.isSynced());
		}
		catch (IOException | InvalidPathException ex) {
			throw InvalidAuditException.unwritable("audit", config.path(), "hooks.audit.file.path", ex);
		}
	}

	/**
	 * The second place. One that somebody chose has to be there: nobody would miss it
	 * before it is needed.
	 */
	private static Path anchor(AuditConfig config) {
		try {
			Path file = Path.of(config.anchorFile());
			if (config.isAnchorChosen()) {
				AuditAnchor.requireWritable(file);
			}
			return file;
		}
		catch (IOException | InvalidPathException ex) {
			throw InvalidAuditException.unwritable("anchor of the audit", config.anchorFile(),
					"hooks.audit.anchor.file", ex);
		}
	}

	@Bean
	AuditReports hooksAuditReports(FeatureOptions<AuditConfig> options, AuditLog log) {
		return new AuditReports(options.value(), log.sink());
	}

	@Bean
	AuditHooks hooksAudit(FeatureOptions<AuditConfig> options, AuditLog log, AskedHooks asked) {
		return (options.value().isStrict()) ? new AuditHooks.Strict(log, asked, Clock.systemUTC())
				: new AuditHooks(log, asked, Clock.systemUTC());
	}

	/** Records who switches tools off or on. */
	@Bean
	ToolSwitch.Watch hooksAuditSwitches(AuditLog log) {
		Clock clock = Clock.systemUTC();
		return (switched) -> log.add(new SwitchEntry(switched, clock.millis()));
	}

	/** Records who lets a hook only observe, and when it decides again. */
	@Bean
	HookModes.Watch hooksAuditModes(AuditLog log) {
		Clock clock = Clock.systemUTC();
		return (hook, observes, time, user) -> log.add(new ModeEntry(hook, observes, time, user, clock.millis()));
	}

	/** Records who decided about calls, when that was decided. */
	@Bean
	PersonDecision.Watch hooksAuditDecisions(AuditLog log) {
		Clock clock = Clock.systemUTC();
		return (decision) -> log.add(DecisionEntry.of(decision, clock.millis()));
	}

	/**
	 * Starts to write when all hooks are known. Stops the start if a chain would not
	 * report to the audit.
	 */
	@Bean
	AuditStart hooksAuditStart(AuditLog log, ObjectProvider<ToolHooks> toolHooks, ObjectProvider<LlmHooks> llmHooks,
			ObjectProvider<RunHooks> runHooks, ObjectProvider<ToolHookChain> tools, ObjectProvider<LlmHookChain> models,
			ObjectProvider<RunHookChain> runs) {
		return new AuditStart(log, () -> CurrentConfiguration.active(toolHooks, llmHooks, runHooks),
				() -> new UnderWay(tools.getIfAvailable(), models.getIfAvailable(), runs.getIfAvailable()));
	}

	/** Begins to record. */
	record AuditStart(AuditLog log, Supplier<Map<String, List<ActiveHooks.Listed>>> active,
			Supplier<UnderWay> underWay) implements SmartInitializingSingleton {

		@Override
		public void afterSingletonsInstantiated() {
			this.active.get().forEach((kind, hooks) -> {
				if (hooks.stream().noneMatch((hook) -> hook.name().equals(AuditHooks.NAME))) {
					throw new InvalidAuditException(
							"The audit would record no %s: a chain bean of the application replaces the starter's."
								.formatted(kind),
							"Remove that bean, or set 'hooks.audit.enabled' to false.");
				}
			});
			this.log.start(this.underWay.get());
		}

	}

	/**
	 * The number of calls of all kinds that have begun and not ended.
	 *
	 * @param tools those of tools, or {@code null} if none pass hooks
	 * @param models those of models, or {@code null}
	 * @param runs the runs, or {@code null}
	 */
	private record UnderWay(@Nullable ToolHookChain tools, @Nullable LlmHookChain models,
			@Nullable RunHookChain runs) implements LongSupplier {

		@Override
		public long getAsLong() {
			return ((this.tools != null) ? this.tools.underWay() : 0)
					+ ((this.models != null) ? this.models.underWay() : 0)
					+ ((this.runs != null) ? this.runs.underWay() : 0);
		}

	}

}
