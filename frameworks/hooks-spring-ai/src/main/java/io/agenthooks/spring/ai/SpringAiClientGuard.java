package io.agenthooks.spring.ai;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.aopalliance.aop.Advice;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.ChatClient.ChatClientRequestSpec;
import org.springframework.ai.chat.client.DefaultChatClient;
import org.springframework.ai.chat.client.DefaultChatClient.DefaultChatClientRequestSpec;
import org.springframework.ai.chat.client.advisor.api.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;

import io.agenthooks.run.RunHookChain;
import io.agenthooks.spring.guard.BeanGuard;
import io.agenthooks.spring.guard.GuardedType;
import io.agenthooks.spring.guard.ScopedProxies;
import io.agenthooks.spring.guard.TestDoubles;
import io.agenthooks.toolcall.ToolHookChain;

/**
 * Gives our advisors to every bean that is a {@link ChatClient} or a
 * {@link ChatClient.Builder}, unless it has them. A client of Spring AI's own class is
 * made anew with them; one of another class gives them to each of its questions.
 */
final class SpringAiClientGuard extends BeanGuard {

	private final GuardInterceptor guard;

	/**
	 * Whether each client says the name of its bean, so that it can go on with a turn.
	 */
	private final boolean named;

	SpringAiClientGuard(Supplier<List<Advisor>> advisors, boolean named) {
		this(new GuardInterceptor(advisors), named);
	}

	private SpringAiClientGuard(GuardInterceptor guard, boolean named) {
		super(new DefaultPointcutAdvisor(guard));
		this.guard = guard;
		this.named = named;
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		boolean asks = bean instanceof ChatClient || bean instanceof ChatClient.Builder;
		if (asks && TestDoubles.isMock(bean)) {
			// It asks nothing, and answers what its test says.
			return bean;
		}
		if (!ScopedProxies.isOne(bean)) {
			if (bean instanceof ChatClient.Builder builder) {
				return this.guard.addTo(builder);
			}
			if (bean.getClass() == DefaultChatClient.class) {
				return this.guard.guard((DefaultChatClient) bean, (this.named) ? beanName : null);
			}
		}
		return super.postProcessAfterInitialization(bean, beanName);
	}

	@Override
	protected boolean isEligible(Class<?> targetClass) {
		return ChatClient.class.isAssignableFrom(targetClass);
	}

	@Override
	protected boolean isOwn(Advice advice) {
		return advice.equals(this.guard);
	}

	@Override
	protected boolean mustBeGuarded(Method method) {
		return ChatClientRequestSpec.class.isAssignableFrom(method.getReturnType())
				|| ChatClient.Builder.class.isAssignableFrom(method.getReturnType());
	}

	static boolean isGuarded(Object bean) {
		return has(ToolHooksAdvisor.class, bean);
	}

	static boolean isGuardedForRuns(Object bean) {
		return has(RunHooksAdvisor.class, bean);
	}

	private static boolean has(Class<? extends Advisor> type, Object bean) {
		return isAdvised(bean, (advice) -> advice instanceof GuardInterceptor guard && guard.adds(type))
				|| advisorsOf(bean).anyMatch(type::isInstance);
	}

	/** See whether the advisors of a client, or of a builder, ask a chain about tools. */
	static int prove(Object bean, ToolHookChain chain) {
		return prove(ToolHooksAdvisor.class, (advisor) -> advisor.isProved(chain), bean);
	}

	static int proveRuns(Object bean, RunHookChain chain) {
		return prove(RunHooksAdvisor.class, (advisor) -> advisor.isProved(chain), bean);
	}

	private static <A extends Advisor> int prove(Class<A> type, Predicate<A> proof, Object bean) {
		List<A> advisors = advisorsOf(bean).filter(type::isInstance).map(type::cast).toList();
		if (advisors.isEmpty()) {
			// One of another class than Spring AI's gets them with each question.
			return 0;
		}
		return (advisors.stream().allMatch(proof)) ? 1 : GuardedType.Proof.FAILED;
	}

	static Stream<Advisor> advisorsOf(Object guarded) {
		DefaultChatClientRequestSpec question = questionOf(guarded);
		return (question != null) ? question.getAdvisors().stream() : Stream.empty();
	}

	static Map<String, Object> parametersOf(ChatClient client) {
		DefaultChatClientRequestSpec question = (TestDoubles.isMock(client)) ? null : questionOf(client);
		return (question != null) ? question.getAdvisorParams() : Map.of();
	}

	private static @Nullable DefaultChatClientRequestSpec questionOf(Object guarded) {
		Object bean = behindAspects(guarded);
		ChatClient client = (bean instanceof ChatClient.Builder builder) ? builder.build()
				: (bean instanceof ChatClient made) ? made : null;
		return (client != null && client.prompt() instanceof DefaultChatClientRequestSpec question) ? question : null;
	}

	/**
	 * Aspects of the application, which may ask who is logged in, learn nothing of the
	 * start.
	 */
	private static Object behindAspects(Object bean) {
		Object target = AopProxyUtils.getSingletonTarget(bean);
		return (target == null || (bean instanceof Advised advised && Stream.of(advised.getAdvisors())
			.anyMatch((advisor) -> advisor.getAdvice() instanceof GuardInterceptor))) ? bean : behindAspects(target);
	}

	private record GuardInterceptor(Supplier<List<Advisor>> advisors) implements MethodInterceptor {

		@Override
		public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
			Object result = invocation.proceed();
			if (result instanceof ChatClientRequestSpec question) {
				return addTo(question);
			}
			return (result instanceof ChatClient.Builder builder) ? addTo(builder) : result;
		}

		boolean adds(Class<? extends Advisor> type) {
			return this.advisors.get().stream().anyMatch(type::isInstance);
		}

		DefaultChatClient guard(DefaultChatClient client, @Nullable String name) {
			DefaultChatClientRequestSpec defaults = (DefaultChatClientRequestSpec) client.prompt();
			List<Advisor> missing = missing(defaults);
			boolean unnamed = name != null && !defaults.getAdvisorParams().containsKey(AgentHooks.CONTINUATION);
			if (missing.isEmpty() && !unnamed) {
				return client;
			}
			if (unnamed) {
				defaults.advisors((advisors) -> advisors.param(AgentHooks.CONTINUATION, Objects.requireNonNull(name)));
			}
			defaults.advisors(missing);
			return new DefaultChatClient(defaults);
		}

		ChatClient.Builder addTo(ChatClient.Builder builder) {
			ChatClient client = builder.build();
			List<Advisor> missing = (client != null) ? missing(client.prompt()) : this.advisors.get();
			return (missing.isEmpty()) ? builder : orSame(builder.defaultAdvisors(missing), builder);
		}

		private ChatClientRequestSpec addTo(ChatClientRequestSpec question) {
			List<Advisor> missing = missing(question);
			return (missing.isEmpty()) ? question : orSame(question.advisors(missing), question);
		}

		/** A mock returns nothing unless somebody said what it returns. */
		private static <T> T orSame(@Nullable T made, T given) {
			return (made != null) ? made : given;
		}

		/**
		 * A question of another class does not tell; an advisor that is there twice works
		 * once.
		 */
		private List<Advisor> missing(ChatClientRequestSpec question) {
			List<Advisor> all = this.advisors.get();
			if (!(question instanceof DefaultChatClientRequestSpec known)) {
				return all;
			}
			return all.stream()
				.filter((advisor) -> known.getAdvisors()
					.stream()
					.noneMatch((present) -> present.getClass() == advisor.getClass()
							&& (ClientRunAdvisor.isForTools(present) || !ClientRunAdvisor.isForTools(advisor))))
				.toList();
		}

	}

}
