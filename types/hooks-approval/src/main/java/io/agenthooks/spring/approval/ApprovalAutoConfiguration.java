package io.agenthooks.spring.approval;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.util.function.SingletonSupplier;

import io.agenthooks.AbortedRuns;
import io.agenthooks.DescribedHook;
import io.agenthooks.spring.LlmHooks;
import io.agenthooks.spring.RunHooks;
import io.agenthooks.spring.ToolHooks;
import io.agenthooks.spring.assembly.ConditionalOnFeature;
import io.agenthooks.spring.assembly.ConfigurationHash;
import io.agenthooks.spring.assembly.CurrentConfiguration;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;
import io.agenthooks.spring.binding.FeatureOptions;
import io.agenthooks.spring.binding.HookPropertySources;
import io.agenthooks.spring.origin.KnownTools;
import io.agenthooks.spring.origin.KnownToolsFinder;
import io.agenthooks.spring.origin.OfferedSchemas;
import io.agenthooks.spring.outcome.PersonDecision;
import io.agenthooks.spring.outcome.QuestionChange;
import io.agenthooks.spring.outcome.SessionEnds;
import io.agenthooks.spring.scope.Mention;
import io.agenthooks.spring.scope.MentionSource;
import io.agenthooks.spring.scope.Named;
import io.agenthooks.spring.suspend.ApprovalClock;
import io.agenthooks.spring.suspend.ApprovalRequest;
import io.agenthooks.spring.suspend.ResumableTools;
import io.agenthooks.spring.threads.HooksThreads;
import io.agenthooks.spring.web.ConsoleEndpoint;
import io.agenthooks.toolcall.ToolApprover;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolIdentity;

/**
 * Lets people decide about calls if {@code hooks.approval.enabled} is true.
 *
 * @since 0.1.0
 */
@AutoConfiguration(before = ToolCallHooksAutoConfiguration.class)
@ConditionalOnFeature("approval")
@Import({ ContinuationsConfiguration.class, EffectsConfiguration.class })
public final class ApprovalAutoConfiguration {

	static final String FEATURE = "approval";

	private static final String APPROVER = "hooksPeopleApprover";

	private static final Logger logger = LoggerFactory.getLogger(ApprovalAutoConfiguration.class);

	/** Two approvers would decide by chance who is asked. */
	@Bean
	static BeanFactoryPostProcessor hooksSoleApprover() {
		return (beanFactory) -> {
			TreeSet<String> approvers = new TreeSet<>(Arrays.asList(
					BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beanFactory, ToolApprover.class, true, false)));
			approvers.remove(APPROVER);
			if (!approvers.isEmpty()) {
				throw new InvalidApprovalException(
						"'hooks.approval.enabled' is true, but there is another ToolApprover bean: '%s'."
							.formatted(String.join("', '", approvers)),
						"Remove that bean, or set 'hooks.approval.enabled' to false.");
			}
		};
	}

	@Bean
	static FeatureOptions<ApprovalConfig> hooksApprovalOptions(ConfigurableEnvironment environment,
			ConfigurableListableBeanFactory beanFactory) {
		return new FeatureOptions<>(FEATURE, ApprovalConfig.class, null, environment, beanFactory);
	}

	/**
	 * Without a login that grants what is written here, no one could decide, or be the
	 * person of a message; without the tool, people would not see what they should.
	 */
	@Bean
	MentionSource hooksApprovalMentions(FeatureOptions<ApprovalConfig> options, ConfigurableEnvironment environment) {
		HookPropertySources properties = HookPropertySources.of(environment);
		return () -> {
			List<Mention> mentions = new ArrayList<>();
			options.value()
				.authorities()
				.stream()
				.sorted()
				.forEach((authority) -> mentions.add(mention(authority, properties, "approvers")));
			List<ApprovalNotifyConfig> notifications = options.value().notificationsOrNone();
			for (int i = 0; i < notifications.size(); i++) {
				String index = String.valueOf(i);
				notifications.get(i)
					.authorities()
					.forEach((authority) -> mentions
						.add(mention(authority, properties, "notify", index, "as", "authorities")));
			}
			ByTool.options(options.value())
				.forEach((option, tools) -> tools.keySet()
					.forEach((tool) -> mentions.add(new Mention(Named.TOOL, tool, "hooks.approval." + option, null,
							properties.placeOf(FEATURE, option, tool)))));
			return mentions;
		};
	}

	private static Mention mention(String authority, HookPropertySources properties, String... path) {
		return new Mention(Named.AUTHORITY, authority,
				"hooks.approval." + String.join(".", path).replaceAll("\\.(\\d+)", "[$1]"), null,
				properties.placeOf(FEATURE, path));
	}

	@Bean
	ApprovalWeb hooksApprovalWeb(FeatureOptions<ApprovalConfig> options) {
		ApprovalConfig config = options.value();
		return new ApprovalWeb(config.pathOrDefault(), config.authorities(), config.isInsecure());
	}

	@Bean
	ConsoleEndpoint hooksApprovalConsoleEndpoint(ApprovalWeb web) {
		return new ConsoleEndpoint(web.path(), "hooks.approval.path");
	}

	@Bean(destroyMethod = "close")
	ApprovalStore hooksApprovalStore(FeatureOptions<ApprovalConfig> options, ObjectProvider<JdbcApprovals> databases,
			ConfigurableEnvironment environment, ListableBeanFactory beanFactory) {
		return ApprovalStores.open(options.value(), databases.getIfAvailable(),
				StoreOwner.of(HookPropertySources.of(environment), beanFactory));
	}

	@Bean
	QuestionsStart hooksQuestionsStart(ConfigurableListableBeanFactory beanFactory,
			FeatureOptions<ApprovalConfig> options, ApprovalStore store, ObjectProvider<JdbcApprovals> databases) {
		JdbcApprovals database = databases.getIfAvailable();
		return new QuestionsStart(beanFactory, options.value(),
				store.suspended() != null && (database == null || !database.isOwn()));
	}

	@Bean
	EarlierCalls hooksEarlierCalls() {
		return new EarlierCalls();
	}

	@Bean
	ApprovalBinding hooksApprovalBinding(ConfigurableEnvironment environment,
			ConfigurableListableBeanFactory beanFactory, ObjectProvider<ToolHooks> toolHooks,
			ObjectProvider<LlmHooks> llmHooks, ObjectProvider<RunHooks> runHooks, CallEffects effects) {
		CurrentConfiguration current = CurrentConfiguration.of(ConfigurationHash.plain(), environment, toolHooks,
				llmHooks, runHooks);
		Supplier<KnownTools> tools = SingletonSupplier.of(() -> KnownToolsFinder.findIn(beanFactory));
		String application = HookPropertySources.of(environment).application();
		return new ApprovalBinding(new ApprovalFingerprint((tool) -> schemaOf(tool, tools.get()), effects::versionOf,
				() -> current.versionOfHooks() + "\n" + application), new WaitingCalls());
	}

	@Bean
	ToolWords hooksToolWords(FeatureOptions<ApprovalConfig> options, ConfigurableListableBeanFactory beanFactory,
			ObjectProvider<OfferedSchemas> offered) {
		return new ToolWords(options.value(), SingletonSupplier.of(() -> KnownToolsFinder.findIn(beanFactory)),
				offered.getIfAvailable(OfferedSchemas::new));
	}

	@Bean
	CalledTools hooksCalledTools(ObjectProvider<ResumableTools> tools, ObjectProvider<ToolExecutor> executors,
			ObjectProvider<OfferedSchemas> offered) {
		return new CalledTools(tools::orderedStream, executors::orderedStream,
				offered.getIfAvailable(OfferedSchemas::new));
	}

	/** The schemas of the tools that have the name, mostly one. */
	private static String schemaOf(ToolIdentity tool, KnownTools tools) {
		return String.join("\n", new TreeSet<>(tools.schemasOf(tool.modelName())));
	}

	@Bean
	ApprovalMode hooksApprovalMode(FeatureOptions<ApprovalConfig> options, ApprovalStore store) {
		ApprovalMode mode = ApprovalMode.of(options.value(), store);
		if (mode.suspends() && options.value().mode() == null) {
			logger.info("The turn of an agent ends while people decide about its call, and the application resumes the "
					+ "call, because questions are kept in the database of the DataSource ('hooks.approval.mode' is "
					+ "'suspend' then). People have {}. Write 'mode: block' to let calls wait on their threads.",
					PeopleDecisions.words(mode.timeout()));
		}
		return mode;
	}

	@Bean(destroyMethod = "close")
	SharedApprovals hooksToolApprovals(ApprovalStore store, FeatureOptions<ApprovalConfig> options,
			ApprovalBinding binding, ObjectProvider<ToolHooks> toolHooks, ApplicationEventPublisher events,
			ObjectProvider<Resumer> resumer, ObjectProvider<ApprovalNotifier> notifiers,
			ObjectProvider<ApprovalClock> clock, CalledTools tools, ObjectProvider<PersonDecision.Watch> watches,
			ObjectProvider<QuestionChange.Watch> changes, ObjectProvider<TurnContinuations> continuations) {
		DecisionReports reports = new DecisionReports(watches::orderedStream, changes::orderedStream,
				(hook, rule) -> placeOf(hook, rule, toolHooks));
		EditCheck edits = new EditCheck(toolHooks::getObject, binding.fingerprint(), binding.waiting(), tools);
		ApprovalListener listener = new ApprovalListener() {

			@Override
			public void changed(ApprovalChangedEvent event) {
				try {
					events.publishEvent(event);
				}
				finally {
					continuations.ifAvailable((turns) -> turns.decided(event));
				}
			}

			@Override
			public void changedHere(@Nullable ApprovalRequest was, ApprovalRequest is) {
				try {
					reports.changedHere(was, is);
				}
				finally {
					notifiers.ifAvailable((notifier) -> notifier.changedHere(was, is));
				}
			}

		};
		ApprovalClock given = clock.getIfAvailable();
		return new SharedApprovals(store, options.value(), edits, listener, resumer::getIfAvailable,
				(given != null) ? given::now : store.clock());
	}

	@Bean
	SessionEnds hooksApprovalSessionEnds(SharedApprovals approvals) {
		return approvals.endedSessions();
	}

	/** No bean if calls wait on their threads. */
	@Bean
	@Nullable SuspendedCalls hooksSuspendedTurns(ApprovalMode mode, ApprovalStore store, SharedApprovals approvals,
			ObjectProvider<TurnContinuations> continuations) {
		SuspendedStore suspended = store.suspended();
		return (mode.suspends() && suspended != null)
				? new SuspendedCalls(suspended, approvals, continuations::getIfAvailable) : null;
	}

	@Bean
	@Nullable Resumer hooksResumer(SharedApprovals approvals, ObjectProvider<SuspendedCalls> calls, ApprovalBinding binding,
			CallEffects effects, ObjectProvider<ToolHookChain> chain, CalledTools tools,
			ObjectProvider<ToolHooks> toolHooks) {
		SuspendedCalls suspended = calls.getIfAvailable();
		return (suspended != null) ? new Resumer(approvals, suspended, binding.fingerprint(), effects, chain::getObject,
				tools, (hook, rule) -> placeOf(hook, rule, toolHooks)) : null;
	}

	private static @Nullable String placeOf(String hook, String rule, ObjectProvider<ToolHooks> toolHooks) {
		List<DescribedHook.ListedRule> rules = toolHooks.stream()
			.flatMap((hooks) -> hooks.list().stream())
			.filter((listed) -> listed.name().equals(hook))
			.flatMap((listed) -> listed.rules().stream())
			.filter((listed) -> listed.name().equals(rule))
			.toList();
		return (rules.isEmpty()) ? null : rules.get(0).origin();
	}

	@Bean(destroyMethod = "close")
	ApprovalAborts hooksApprovalAborts(ObjectProvider<AbortedRuns> abortedRuns, SharedApprovals approvals,
			ApprovalMode mode) {
		return new ApprovalAborts(abortedRuns, approvals, mode.suspends());
	}

	@Bean(APPROVER)
	PeopleApprover hooksPeopleApprover(SharedApprovals approvals, FeatureOptions<ApprovalConfig> options,
			ApprovalBinding binding, ApprovalMode mode, ObjectProvider<SuspendedCalls> suspended,
			EarlierCalls earlierCalls, ToolWords words, CallEffects effects, ObjectProvider<ToolHooks> toolHooks,
			ObjectProvider<AbortedRuns> abortedRuns, ObjectProvider<ApprovalClock> clock) {
		ApprovalClock given = clock.getIfAvailable();
		return new PeopleApprover(approvals, options.value(), mode, suspended.getIfAvailable(), binding.fingerprint(),
				binding.waiting(), earlierCalls::before, words, effects,
				(call) -> AbortedQuestions.whyVoid(call, toolHooks, abortedRuns),
				(given != null) ? given::nanoTime : System::nanoTime);
	}

	/**
	 * Lets an abort end the questions of its run, also if it is forgotten soon, and the
	 * time of suspended calls end theirs. The application may give one memory of aborts
	 * to several contexts, so it stops to listen when its own ends. What is left then is
	 * ended after the web server has ended its requests, and while there are connections
	 * to the store.
	 */
	static final class ApprovalAborts implements SmartInitializingSingleton, SmartLifecycle, AutoCloseable {

		private final List<AbortedRuns.Listening> listening = new ArrayList<>();

		private final ObjectProvider<AbortedRuns> abortedRuns;

		private final SharedApprovals approvals;

		/** Whether no call waits that would end its question itself. */
		private final boolean suspends;

		private volatile boolean running;

		ApprovalAborts(ObjectProvider<AbortedRuns> abortedRuns, SharedApprovals approvals, boolean suspends) {
			this.abortedRuns = abortedRuns;
			this.approvals = approvals;
			this.suspends = suspends;
		}

		@Override
		public void afterSingletonsInstantiated() {
			this.abortedRuns.forEach((aborted) -> this.listening.add(aborted.addListener(this.approvals::abort)));
		}

		@Override
		public void start() {
			if (this.suspends && !this.running) {
				this.approvals.endInTime();
			}
			this.running = true;
		}

		@Override
		public void stop() {
			this.approvals.finish();
			this.running = false;
		}

		@Override
		public boolean isRunning() {
			return this.running;
		}

		@Override
		public int getPhase() {
			return HooksThreads.QUESTIONS;
		}

		@Override
		public void close() {
			this.listening.forEach(AbortedRuns.Listening::close);
			this.listening.clear();
		}

	}

	/** Binds an approval to the call that it was given for. */
	record ApprovalBinding(ApprovalFingerprint fingerprint, WaitingCalls waiting) {
	}

}
