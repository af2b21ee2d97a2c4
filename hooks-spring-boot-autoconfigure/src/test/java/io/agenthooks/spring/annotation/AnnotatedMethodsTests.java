package io.agenthooks.spring.annotation;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.framework.autoproxy.DefaultAdvisorAutoProxyCreator;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.NameMatchMethodPointcut;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionBuilder;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.context.support.SimpleThreadScope;
import org.springframework.samples.clinic.ClinicGuard;

import io.agenthooks.Verdict;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for where annotated methods are found, and on what they are called.
 */
class AnnotatedMethodsTests {

	@Test
	void classOfAnExampleOfSpringIsOneOfAnApplication() {
		DefaultListableBeanFactory beanFactory = new DefaultListableBeanFactory();
		beanFactory.registerBeanDefinition("clinic", new RootBeanDefinition(ClinicGuard.class));
		assertThat(AnnotatedToolHooks.findIn(beanFactory).hooks()).extracting(AnnotatedToolHook::name)
			.containsExactly("clinic.check");
		assertThat(ToolPolicies.findIn(beanFactory).mistakes()).singleElement().asString().contains("ClinicGuard");
	}

	@Test
	void methodsAreFoundWithoutMakingABean() {
		DefaultListableBeanFactory beanFactory = new DefaultListableBeanFactory();
		AtomicInteger made = new AtomicInteger();
		beanFactory.registerBeanDefinition("guard", new RootBeanDefinition(Guard.class, () -> {
			made.incrementAndGet();
			return new Guard();
		}));
		beanFactory.registerBeanDefinition("factory", new RootBeanDefinition(GuardFactory.class, () -> {
			made.incrementAndGet();
			return new GuardFactory();
		}));
		AnnotatedToolHooks hooks = AnnotatedToolHooks.findIn(beanFactory);
		assertThat(hooks.hooks()).extracting(AnnotatedToolHook::name).containsExactly("guard.check", "factory.check");
		hooks.verify();
		assertThat(made).hasValue(0);
		PreToolHook hook = (PreToolHook) hooks.hooks().get(0).hook();
		assertThat(hook.preCall(ToolCall.of("bad", Map.of())).verdict()).isEqualTo(Verdict.DENY);
		assertThat(hook.preCall(ToolCall.of("good", Map.of())).verdict()).isEqualTo(Verdict.APPROVE);
		assertThat(made).hasValue(1);
	}

	@Test
	void beanIsGotAtTheFirstCallSoThatItMayNeedWhatCallsTools() {
		try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext(Circle.class)) {
			Agent agent = context.getBean(NeedsAgent.class).agent();
			agent.hooks.verify();
			PreToolHook hook = (PreToolHook) agent.hooks.hooks().get(0).hook();
			assertThat(hook.preCall(ToolCall.of("bad", Map.of())).verdict()).isEqualTo(Verdict.DENY);
		}
	}

	@Test
	void beanThatIsBeingMadeDenies() {
		try (HookedContext context = HookedContext.of(CallsInItsConstructor.class)) {
			assertThat(context.bean(CallsInItsConstructor.class).result.content()).endsWith("The hook failed");
			assertThat(context.call("good").succeeded()).isTrue();
		}
	}

	@Test
	void beanThatCannotBeMadeDenies() {
		AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
		context.registerBean("guard", Guard.class, () -> {
			throw new IllegalStateException("cannot be made");
		}, (definition) -> definition.setLazyInit(true));
		try (HookedContext hooked = HookedContext.of(context)) {
			assertThat(hooked.call("good").content()).endsWith("The hook failed");
		}
	}

	@Test
	void beanThatIsNullStopsTheStart() {
		assertThatExceptionOfType(InvalidAnnotatedMethodsException.class)
			.isThrownBy(() -> HookedContext.of(NullBean.class))
			.withMessageContaining("Guard.check(ToolCall) cannot be called");
	}

	@Test
	void inheritedMethodsAreFoundOnce() {
		try (HookedContext context = HookedContext.of(Inheriting.class)) {
			assertThat(context.names()).containsExactly("annotatedMethodsTests.Inheriting.check");
			assertThat(context.call("bad").succeeded()).isFalse();
		}
	}

	@Test
	void overridingMethodNeedsNoAnnotation() {
		try (HookedContext context = HookedContext.of(Overriding.class)) {
			assertThat(context.names()).hasSize(1);
			assertThat(context.call("bad").succeeded()).isTrue();
			assertThat(context.call("worse").succeeded()).isFalse();
		}
	}

	@Test
	void overridingMethodMayChangeTheAnnotation() {
		try (HookedContext context = HookedContext.of(OverridingAnnotation.class)) {
			assertThat(context.names()).containsExactly("changed");
		}
	}

	@Test
	void methodsOfInterfacesAreFound() {
		try (HookedContext context = HookedContext.of(Implementing.class)) {
			assertThat(context.names()).containsExactly("annotatedMethodsTests.Implementing.byDefault",
					"annotatedMethodsTests.Implementing.check");
			assertThat(context.call("bad").succeeded()).isFalse();
		}
	}

	@Test
	void methodThatASuperclassHasAndOnlyTheSubclassPromisesIsFound() {
		try (HookedContext context = HookedContext.of(LateImplementing.class)) {
			assertThat(context.names()).hasSize(2);
			assertThat(context.call("bad").succeeded()).isFalse();
		}
	}

	@Test
	void typeVariablesAreResolvedByTheClassOfTheBean() {
		try (HookedContext context = HookedContext.of(Specific.class)) {
			assertThat(context.names()).hasSize(1);
			assertThat(context.call("bad").succeeded()).isFalse();
			assertThat(context.call("good").succeeded()).isTrue();
		}
	}

	@Test
	void methodIsCalledOnTheProxyOfTheClass() {
		AnnotationConfigApplicationContext context = proxying(true);
		context.registerBean("guard", Implementing.class);
		try (HookedContext hooked = HookedContext.of(context)) {
			assertThat(hooked.call("bad").succeeded()).isFalse();
			assertThat(hooked.bean(AtomicInteger.class)).hasValue(2);
		}
	}

	@Test
	void methodIsCalledOnTheProxyOfTheInterface() {
		AnnotationConfigApplicationContext context = proxying(false);
		context.registerBean("guard", Implementing.class);
		try (HookedContext hooked = HookedContext.of(context)) {
			assertThat(hooked.call("bad").succeeded()).isFalse();
			assertThat(hooked.bean(AtomicInteger.class)).hasValue(2);
		}
	}

	@Test
	void methodOfALazyBeanIsCalledOnItsProxy() {
		AnnotationConfigApplicationContext context = proxying(false);
		context.registerBean("guard", Implementing.class, (definition) -> definition.setLazyInit(true));
		try (HookedContext hooked = HookedContext.of(context)) {
			assertThat(hooked.call("bad").succeeded()).isFalse();
			assertThat(hooked.bean(AtomicInteger.class)).hasValue(2);
		}
	}

	@Test
	void methodThatAProxyOfTheInterfaceHidesStopsTheStart() {
		AnnotationConfigApplicationContext context = proxying(false);
		context.registerBean("guard", HiddenByProxy.class);
		assertThatExceptionOfType(InvalidAnnotatedMethodsException.class).isThrownBy(() -> HookedContext.of(context))
			.withMessageContaining("HiddenByProxy.check(ToolCall) cannot be called, because a proxy");
	}

	@Test
	void methodThatAProxyOfTheInterfaceHidesDeniesIfTheBeanIsLazy() {
		AnnotationConfigApplicationContext context = proxying(false);
		context.registerBean("guard", HiddenByProxy.class, (definition) -> definition.setLazyInit(true));
		try (HookedContext hooked = HookedContext.of(context)) {
			assertThat(hooked.call("good").content()).endsWith("The hook failed");
		}
	}

	@Test
	void finalMethodOfAProxiedClassStopsTheStart() {
		AnnotationConfigApplicationContext context = proxying(true);
		context.registerBean("guard", FinalMethod.class);
		assertThatExceptionOfType(InvalidAnnotatedMethodsException.class).isThrownBy(() -> HookedContext.of(context))
			.withMessageContaining("FinalMethod.check(ToolCall) cannot be called");
	}

	@Test
	void finalMethodOfAPlainClassIsCalled() {
		try (HookedContext context = HookedContext.of(FinalMethod.class)) {
			assertThat(context.call("bad").succeeded()).isFalse();
			assertThat(context.call("good").succeeded()).isTrue();
		}
	}

	@Test
	void methodBehindAProxyOfTheApplicationIsFound() {
		AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
		context.registerBean(BeanPostProcessor.class, OwnProxies::new);
		context.registerBean("guard", Implementing.class);
		try (HookedContext hooked = HookedContext.of(context)) {
			assertThat(hooked.names()).containsExactly("guard.byDefault", "guard.check");
			assertThat(hooked.call("bad").succeeded()).isFalse();
		}
	}

	@Test
	void annotatedMethodsOfAnInterfaceWithoutAnyClassAreFound() {
		AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
		context.registerBean("guard", Checks.class,
				() -> (Checks) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { Checks.class },
						(proxy, method, arguments) -> !((ToolCall) arguments[0]).tool().equals("bad")));
		context.refresh();
		context.getBean("guard");
		AnnotatedToolHooks hooks = AnnotatedToolHooks.findIn(context.getBeanFactory());
		assertThat(hooks.hooks()).extracting(AnnotatedToolHook::name)
			.containsExactlyInAnyOrder("guard.check", "guard.byDefault");
		hooks.verify();
		context.close();
	}

	@Test
	void prototypeIsMadeForEachCall() {
		try (HookedContext context = HookedContext.of(Prototype.class)) {
			Prototype.made.set(0);
			context.call("t");
			context.call("t");
			assertThat(Prototype.made).hasValue(2);
		}
	}

	@Test
	void scopedBeanIsFoundOnceAndEachScopeHasItsOwn() throws Exception {
		AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
		context.getBeanFactory().registerScope("thread", new SimpleThreadScope());
		context.register(Scoped.class);
		try (HookedContext hooked = HookedContext.of(context)) {
			assertThat(hooked.names()).containsExactly("annotatedMethodsTests.Scoped.count");
			assertThat(hooked.call("t").succeeded()).isTrue();
			assertThat(hooked.call("t").succeeded()).isFalse();
			Thread other = new Thread(() -> hooked.bean(Scoped.class).other = hooked.call("t").succeeded());
			other.start();
			other.join();
			assertThat(hooked.call("t").succeeded()).isFalse();
			assertThat(AnnotatedToolHooks.findIn(hooked.context.getBeanFactory()).hooks()).hasSize(1);
		}
	}

	@Test
	void beansOfParentContextsAreFoundUnlessHidden() {
		AnnotationConfigApplicationContext parent = new AnnotationConfigApplicationContext();
		parent.registerBean("guard", Guard.class);
		parent.registerBean("hidden", Guard.class);
		parent.refresh();
		AnnotationConfigApplicationContext child = new AnnotationConfigApplicationContext();
		child.setParent(parent);
		child.registerBean("own", Guard.class);
		child.registerBean("hidden", String.class, () -> "not a guard");
		try (parent; HookedContext hooked = HookedContext.of(child)) {
			assertThat(hooked.names()).containsExactly("own.check", "guard.check");
			assertThat(hooked.call("bad").succeeded()).isFalse();
		}
	}

	@Test
	void factoryBeanMayHaveMethodsItself() {
		AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
		context.registerBean("made", AnnotatedFactory.class);
		try (HookedContext hooked = HookedContext.of(context)) {
			assertThat(hooked.names()).containsExactly("&made.check");
			assertThat(hooked.call("bad").succeeded()).isFalse();
		}
	}

	@Test
	void templateOfBeansIsNoBean() {
		GenericApplicationContext context = new AnnotationConfigApplicationContext();
		context.registerBeanDefinition("template",
				BeanDefinitionBuilder.genericBeanDefinition(Guard.class).setAbstract(true).getBeanDefinition());
		try (HookedContext hooked = HookedContext.of(context)) {
			assertThat(hooked.names()).isEmpty();
		}
	}

	@Test
	void methodOfAClassThatIsOnlyKnownLaterStopsTheStart() {
		AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
		context.register(Undeclared.class);
		context.addBeanFactoryPostProcessor(
				(beanFactory) -> beanFactory.registerSingleton("early", AnnotatedToolHooks.findIn(beanFactory)));
		context.refresh();
		AnnotatedToolHooks early = context.getBean(AnnotatedToolHooks.class);
		assertThat(early.hooks()).isEmpty();
		assertThatExceptionOfType(InvalidAnnotatedMethodsException.class).isThrownBy(early::verify)
			.withMessageContaining("Guard.check(ToolCall) was not known as a hook")
			.satisfies((ex) -> assertThat(ex.getProblems().get(0).action()).contains("'object'"));
		context.close();
	}

	@Test
	void methodOfADeclaredInterfaceIsTheSameOnceTheClassIsKnown() {
		AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
		context.registerBean("guard", Checks.class, Implementing::new);
		context.addBeanFactoryPostProcessor(
				(beanFactory) -> beanFactory.registerSingleton("early", AnnotatedToolHooks.findIn(beanFactory)));
		context.refresh();
		AnnotatedToolHooks early = context.getBean(AnnotatedToolHooks.class);
		assertThat(early.hooks()).hasSize(2);
		early.verify();
		context.close();
	}

	private static AnnotationConfigApplicationContext proxying(boolean targetClass) {
		AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
		AtomicInteger passed = new AtomicInteger();
		context.registerBean(AtomicInteger.class, () -> passed);
		context.registerBean(DefaultAdvisorAutoProxyCreator.class, () -> {
			DefaultAdvisorAutoProxyCreator creator = new DefaultAdvisorAutoProxyCreator();
			creator.setProxyTargetClass(targetClass);
			return creator;
		});
		context.registerBean(DefaultPointcutAdvisor.class, () -> {
			NameMatchMethodPointcut pointcut = new NameMatchMethodPointcut();
			pointcut.setMappedNames("check", "byDefault");
			return new DefaultPointcutAdvisor(pointcut, (MethodInterceptor) (invocation) -> {
				passed.incrementAndGet();
				return invocation.proceed();
			});
		});
		return context;
	}

	static class Guard {

		@BeforeToolCall
		boolean check(ToolCall call) {
			return !call.tool().equals("bad");
		}

	}

	static class GuardFactory implements FactoryBean<Guard> {

		@Override
		public Guard getObject() {
			return new Guard();
		}

		@Override
		public Class<?> getObjectType() {
			return Guard.class;
		}

	}

	static class AnnotatedFactory implements FactoryBean<String> {

		@BeforeToolCall
		boolean check(ToolCall call) {
			return !call.tool().equals("bad");
		}

		@Override
		public String getObject() {
			return "made";
		}

		@Override
		public Class<?> getObjectType() {
			return String.class;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Circle {

		@Bean
		Agent agent(ConfigurableListableBeanFactory beanFactory) {
			return new Agent(AnnotatedToolHooks.findIn(beanFactory));
		}

		@Bean
		NeedsAgent guard(Agent agent) {
			return new NeedsAgent(agent);
		}

	}

	static class Agent {

		final AnnotatedToolHooks hooks;

		Agent(AnnotatedToolHooks hooks) {
			this.hooks = hooks;
		}

	}

	static class CallsInItsConstructor {

		final ToolResult result;

		CallsInItsConstructor(ConfigurableListableBeanFactory beanFactory) {
			List<PreToolHook> hooks = AnnotatedToolHooks.findIn(beanFactory)
				.hooks()
				.stream()
				.map((found) -> (PreToolHook) found.hook())
				.toList();
			this.result = new ToolHookChain(hooks, List.of()).execute(ToolCall.of("good", Map.of()),
					(call) -> ToolResult.success("ran"));
		}

		@BeforeToolCall
		boolean check(ToolCall call) {
			return !call.tool().equals("bad");
		}

	}

	record NeedsAgent(Agent agent) {

		@BeforeToolCall
		boolean check(ToolCall call) {
			return !call.tool().equals("bad");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class NullBean {

		@Bean
		@Nullable Guard guard() {
			return null;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Undeclared {

		@Bean
		Object object() {
			return new Guard();
		}

	}

	static class Inheriting extends Guard {

	}

	static class Overriding extends Guard {

		@Override
		boolean check(ToolCall call) {
			return !call.tool().equals("worse");
		}

	}

	static class OverridingAnnotation extends Guard {

		@Override
		@BeforeToolCall(name = "changed")
		boolean check(ToolCall call) {
			return true;
		}

	}

	interface Checks {

		@BeforeToolCall
		boolean check(ToolCall call);

		@BeforeToolCall
		default ToolDecision byDefault() {
			return ToolDecision.approve();
		}

	}

	static class Implementing implements Checks {

		@Override
		public boolean check(ToolCall call) {
			return !call.tool().equals("bad");
		}

	}

	interface PlainChecks {

		boolean check(ToolCall call);

	}

	static class Unaware implements PlainChecks {

		@Override
		public boolean check(ToolCall call) {
			return !call.tool().equals("bad");
		}

	}

	static class LateImplementing extends Unaware implements Checks {

	}

	abstract static class General<C, R> {

		@BeforeToolCall
		abstract R check(C call);

	}

	static class Specific extends General<ToolCall, Boolean> {

		@Override
		Boolean check(ToolCall call) {
			return !call.tool().equals("bad");
		}

	}

	static class HiddenByProxy implements Runnable {

		@Override
		public void run() {
		}

		@BeforeToolCall
		boolean check(ToolCall call) {
			return true;
		}

	}

	static class FinalMethod {

		private final String bad = String.valueOf("bad");

		@BeforeToolCall
		final boolean check(ToolCall call) {
			return !call.tool().equals(this.bad);
		}

	}

	/**
	 * Proxies as an application makes them, of which Spring knows nothing.
	 */
	static class OwnProxies implements BeanPostProcessor {

		@Override
		public Object postProcessAfterInitialization(Object bean, String beanName) {
			return (bean instanceof Checks) ? new ProxyFactory(bean).getProxy() : bean;
		}

	}

	@Scope("prototype")
	static class Prototype {

		static final AtomicInteger made = new AtomicInteger();

		Prototype() {
			made.incrementAndGet();
		}

		@BeforeToolCall
		void check() {
		}

	}

	@Scope(scopeName = "thread", proxyMode = ScopedProxyMode.TARGET_CLASS)
	static class Scoped {

		int calls;

		boolean other;

		@BeforeToolCall
		boolean count() {
			this.calls++;
			return this.calls == 1;
		}

	}

}
