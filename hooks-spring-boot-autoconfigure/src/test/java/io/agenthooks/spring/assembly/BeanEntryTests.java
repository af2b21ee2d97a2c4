package io.agenthooks.spring.assembly;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.core.annotation.Order;

import io.agenthooks.spring.ActiveHooks;
import io.agenthooks.spring.ActiveHooks.Phase;
import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.ToolHooks;
import io.agenthooks.spring.binding.InvalidFeatureException;
import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolOutcome;
import io.agenthooks.toolcall.ToolResult;
import io.agenthooks.toolcall.ToolResultHook;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link HookBeans}: hook beans that an entry puts into a list.
 */
class BeanEntryTests {

	private final List<String> heard = new ArrayList<>();

	private final AtomicInteger closed = new AtomicInteger();

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(HookTypes.with(ToolCallHooksAutoConfiguration.class))
		.withBean("tools", ToolExecutor.class, () -> (call) -> ToolResult.success("ran"))
		.withBean("mine", EveryKind.class, () -> new EveryKind("mine", this.heard, this.closed))
		.withBean("other", PreToolHook.class, () -> (call) -> {
			this.heard.add("other");
			return ToolDecision.approve();
		});

	@Test
	void beanJoinsOnceAtThePlaceOfItsEntryInEveryPhase() {
		place("mine").run((context) -> {
			assertThat(names(context, Phase.PRE_CALL)).containsExactly("other", "passthrough#0", "mine");
			assertThat(names(context, Phase.RESULT)).containsExactly("mine");
			assertThat(names(context, Phase.POST_CALL)).containsExactly("mine");
			execute(context, "t");
			assertThat(this.heard).containsExactly("other", "pre mine", "result mine", "post mine");
		});
	}

	@Test
	void optionsOfTheEntryHoldForTheBean() {
		place("mine")
			.withPropertyValues("hooks.tool-call.pre-call[1].name=tuned", "hooks.tool-call.pre-call[1].match[0]=run_*",
					"hooks.tool-call.pre-call[1].order=-1", "hooks.tool-call.pre-call[1].mode=observe")
			.run((context) -> {
				assertThat(names(context, Phase.PRE_CALL)).containsExactly("tuned", "other", "passthrough#0");
				execute(context, "read");
				assertThat(this.heard).containsExactly("other");
			});
	}

	@Test
	void orderOfTheEntryReplacesThatOfTheBean() {
		this.contextRunner.withUserConfiguration(OrderedHook.class)
			.withPropertyValues("hooks.tool-call.pre-call[0].type=bean",
					"hooks.tool-call.pre-call[0].config.bean=first")
			.run((context) -> assertThat(names(context, Phase.PRE_CALL)).containsExactly("mine", "other", "first"));
	}

	@Test
	void beanOfAnEntryThatIsNotEnabledIsNotAsked() {
		place("mine").withPropertyValues("hooks.tool-call.pre-call[1].enabled=false").run((context) -> {
			execute(context, "t");
			assertThat(this.heard).containsExactly("other");
		});
	}

	@Test
	void missingBeanStopsTheStartWithTheCandidates() {
		place("mien").run((context) -> assertThat(context).getFailure()
			.rootCause()
			.hasMessageContaining("pre-call[1].config.bean' names no hook bean"));
		place("tools").run((context) -> assertThat(context).hasFailed());
		place("&mine").run((context) -> assertThat(context).hasFailed());
		this.contextRunner.withPropertyValues("hooks.tool-call.pre-call[0].type=bean")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("config.bean' is missing"));
	}

	@Test
	void mistypedBeanOfAnEntryThatIsNotEnabledIsAskedAsEver() {
		place("mien").withPropertyValues("hooks.tool-call.pre-call[1].enabled=false").run((context) -> {
			execute(context, "t");
			assertThat(this.heard).contains("pre mine");
		});
	}

	@Test
	void beanThatDecidesBeforeCallsCannotStandBehindThem() {
		this.contextRunner
			.withPropertyValues("hooks.tool-call.post-call[0].type=bean",
					"hooks.tool-call.post-call[0].config.bean=mine")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("also decides before the call"));
	}

	@Test
	void entryWithTheNameOfABeanStopsTheStart() {
		place("mine").withPropertyValues("hooks.tool-call.pre-call[0].name=other")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(InvalidFeatureException.class)
				.hasMessageContaining("The hook 'other' of test has the same name as the hook of the bean 'other'"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "request", "session", "websocket" })
	void beanThatThereIsDuringRequestsOnlyStopsTheStart(String scope) {
		this.contextRunner
			.withBean("short", PreToolHook.class, () -> PreToolHook.named("short", (call) -> ToolDecision.approve()),
					(definition) -> definition.setScope(scope))
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(InvalidFeatureException.class)
				.hasMessageContainingAll("The hook bean 'short'", "scope '" + scope + "'", "ScopedProxyMode"));
	}

	@Test
	void beansOfOneNameStopTheStart() {
		this.contextRunner
			.withBean("another", PreToolHook.class, () -> PreToolHook.named("other", (call) -> ToolDecision.approve()))
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining(
						"The hook 'other' of bean 'another' has the same name as the hook of the bean 'other'"));
	}

	@Test
	void beansOfEveryMakeCanBePlaced() {
		this.contextRunner.withUserConfiguration(OfEveryMake.class)
			.withPropertyValues("hooks.tool-call.pre-call[0].type=bean",
					"hooks.tool-call.pre-call[0].config.bean=prototype", "hooks.tool-call.pre-call[1].type=bean",
					"hooks.tool-call.pre-call[1].config.bean=scoped", "hooks.tool-call.pre-call[2].type=bean",
					"hooks.tool-call.pre-call[2].config.bean=ofFactory", "hooks.tool-call.pre-call[3].type=bean",
					"hooks.tool-call.pre-call[3].config.bean=lazy")
			.run((context) -> {
				assertThat(names(context, Phase.PRE_CALL)).containsExactly("mine", "other", "prototype", "scoped",
						"ofFactory", "lazy");
				execute(context, "t");
				assertThat(context.getBean(OfEveryMake.class).asked).containsExactly("prototype", "scoped", "ofFactory",
						"lazy");
			});
	}

	@Test
	void beanOfTheParentContextCanBePlaced() {
		try (AnnotationConfigApplicationContext parent = new AnnotationConfigApplicationContext()) {
			parent.registerBean("inherited", PreToolHook.class, () -> (call) -> ToolDecision.deny("inherited"));
			parent.refresh();
			place("inherited").withParent(parent).run((context) -> {
				assertThat(names(context, Phase.PRE_CALL)).containsExactly("mine", "other", "passthrough#0",
						"inherited");
				assertThat(execute(context, "t").content()).contains("'inherited'");
			});
		}
	}

	@Test
	void springClosesTheBeanOnce() {
		place("mine").run((context) -> {
			context.close();
			assertThat(this.closed).hasValue(1);
		});
	}

	private ApplicationContextRunner place(String bean) {
		return this.contextRunner.withPropertyValues("hooks.tool-call.pre-call[0].type=passthrough",
				"hooks.tool-call.pre-call[1].type=bean", "hooks.tool-call.pre-call[1].config.bean=" + bean);
	}

	private static List<String> names(ApplicationContext context, Phase phase) {
		return context.getBean(ToolHooks.class)
			.list()
			.stream()
			.filter((hook) -> hook.phase() == phase)
			.map(ActiveHooks.Listed::name)
			.toList();
	}

	private static ToolResult execute(ApplicationContext context, String tool) {
		return context.getBean(ToolExecutor.class).execute(ToolCall.of(tool, Map.of()));
	}

	private record EveryKind(String say, List<String> heard,
			AtomicInteger closed) implements PreToolHook, ToolResultHook, PostToolHook, AutoCloseable {

		@Override
		public ToolDecision preCall(ToolCall call) {
			this.heard.add("pre " + this.say);
			return ToolDecision.approve();
		}

		@Override
		public ToolDecision onResult(ToolCall call, ToolResult result) {
			this.heard.add("result " + this.say);
			return ToolDecision.approve();
		}

		@Override
		public void postCall(ToolOutcome outcome) {
			this.heard.add("post " + this.say);
		}

		@Override
		public void close() {
			this.closed.incrementAndGet();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OrderedHook {

		@Bean
		@Order(-100)
		PreToolHook first() {
			return (call) -> ToolDecision.approve();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OfEveryMake {

		private final List<String> asked = new ArrayList<>();

		@Bean
		@Scope("prototype")
		PreToolHook prototype() {
			return say("prototype");
		}

		@Bean
		@Scope(scopeName = "prototype", proxyMode = ScopedProxyMode.INTERFACES)
		PreToolHook scoped() {
			return say("scoped");
		}

		@Bean
		@Lazy
		PreToolHook lazy() {
			return say("lazy");
		}

		@Bean
		HookFactoryBean ofFactory() {
			return new HookFactoryBean(say("ofFactory"));
		}

		private PreToolHook say(String word) {
			return (call) -> {
				this.asked.add(word);
				return ToolDecision.approve();
			};
		}

	}

	record HookFactoryBean(PreToolHook hook) implements FactoryBean<PreToolHook> {

		@Override
		public PreToolHook getObject() {
			return this.hook;
		}

		@Override
		public Class<?> getObjectType() {
			return PreToolHook.class;
		}

	}

}
