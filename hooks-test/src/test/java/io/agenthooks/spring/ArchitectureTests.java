package io.agenthooks.spring;

import java.util.Map;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Executors;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.properties.HasOwner;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;

import io.agenthooks.spring.threads.HooksThreads;

/**
 * The rooms of the whole product. What holds for all modules alike is in
 * {@link io.agenthooks.test}.
 */
@AnalyzeClasses(packages = "io.agenthooks", importOptions = { ImportOption.DoNotIncludeTests.class, NoJarsOfTests.class,
		ArchitectureTests.NotOurTesters.class })
final class ArchitectureTests {

	/** What nodes share: other modules keep something there. */
	private static final String STORE = "store of ";

	/**
	 * Rooms that are modules of their own, or become that. All others are the kernel.
	 */
	private static final Map<String, String> MODULES = Map.ofEntries(Map.entry("ai", "spring-ai"),
			Map.entry("langchain4j", "langchain4j"), Map.entry("mcp", "mcp"), Map.entry("cel", "policy-cel"),
			Map.entry("jdbc", STORE + "jdbc"), Map.entry("redis", STORE + "redis"), Map.entry("webhook", "webhook"),
			Map.entry("program", "programs"), Map.entry("command", "programs"), Map.entry("process", "programs"),
			Map.entry("prompt", "judge"), Map.entry("limit", "limit"), Map.entry("alert", "limit"),
			Map.entry("approval", "approval"), Map.entry("audit", "audit"), Map.entry("observation", "observability"),
			Map.entry("health", "observability"), Map.entry("actuator", "console"), Map.entry("console", "console"));

	/**
	 * Whoever leaves a module out loses nothing of another one, but what that keeps in a
	 * store.
	 */
	@ArchTest
	static final ArchRule modulesKnowOnlyTheKernel = SlicesRuleDefinition.slices()
		.assignedFrom(modules())
		.should()
		.notDependOnEachOther()
		.ignoreDependency(DescribedPredicate.alwaysTrue(), isKernel().or(isStore()));

	/**
	 * What puts chains together knows neither a framework nor what decides.
	 */
	@ArchTest
	static final ArchRule assemblyKnowsNoFrameworkAndNoTypeOfHook = ArchRuleDefinition.noClasses()
		.that()
		.resideInAPackage("io.agenthooks.spring.assembly")
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("io.agenthooks.spring.ai", "io.agenthooks.spring.langchain4j", "io.agenthooks.spring.mcp",
				"io.agenthooks.spring.metrics", "io.agenthooks.spring.policy", "io.agenthooks.spring.cel",
				"io.agenthooks.spring.redact", "io.agenthooks.spring.answer", "io.agenthooks.spring.command",
				"io.agenthooks.spring.process", "io.agenthooks.spring.prompt", "io.agenthooks.spring.webhook",
				"io.agenthooks.spring.limit", "io.agenthooks.spring.alert", "io.agenthooks.spring.flow");

	@ArchTest
	static final ArchRule guardsKnowNoFramework = ArchRuleDefinition.noClasses()
		.that()
		.resideInAPackage("io.agenthooks.spring.guard")
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("io.agenthooks.spring.assembly", "io.agenthooks.spring.executor", "io.agenthooks.spring.ai",
				"io.agenthooks.spring.langchain4j", "io.agenthooks.spring.mcp");

	@ArchTest
	static final ArchRule onlyTheLangChain4jRoomKnowsLangChain4j = ArchRuleDefinition.noClasses()
		.that()
		.resideOutsideOfPackage("io.agenthooks.spring.langchain4j")
		.should()
		.dependOnClassesThat()
		.resideInAPackage("dev.langchain4j..");

	@ArchTest
	static final ArchRule onlyTheMetricsRoomKnowsMicrometer = ArchRuleDefinition.noClasses()
		.that()
		.resideOutsideOfPackages("io.agenthooks.spring.metrics", "io.agenthooks.spring.observation",
				"io.agenthooks.spring.ai")
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("io.micrometer.core..", "io.micrometer.common..");

	@ArchTest
	static final ArchRule onlyItsRoomsKnowSpringAi = ArchRuleDefinition.noClasses()
		.that()
		.resideOutsideOfPackages("io.agenthooks.spring.ai", "io.agenthooks.spring.prompt")
		.should()
		.dependOnClassesThat()
		.resideInAPackage("org.springframework.ai..");

	@ArchTest
	static final ArchRule onlyTheirRoomAndThatOfSpringAiKnowObservations = ArchRuleDefinition.noClasses()
		.that()
		.resideOutsideOfPackages("io.agenthooks.spring.ai", "io.agenthooks.spring.observation")
		.should()
		.dependOnClassesThat()
		.resideInAPackage("io.micrometer.observation..");

	@ArchTest
	static final ArchRule onlyRoomsThatTalkToOthersKnowMcp = ArchRuleDefinition.noClasses()
		.that()
		.resideOutsideOfPackages("io.agenthooks.spring.ai", "io.agenthooks.spring.mcp")
		.should()
		.dependOnClassesThat()
		.resideInAPackage("io.modelcontextprotocol..");

	/**
	 * An application that blocks needs no Reactor.
	 */
	@ArchTest
	static final ArchRule fewClassesOfTheKernelKnowReactor = ArchRuleDefinition.noClasses()
		.that(isKernel())
		.and()
		.resideOutsideOfPackage("io.agenthooks.spring.web")
		.and()
		.haveNameNotMatching("io\\.agenthooks\\.spring\\.(caller\\.(ReactiveCaller|SecurityUser\\$Propagated)"
				+ "|annotation\\.(ReturnedDecision|SuspendingMethods))(\\$.*)?")
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("reactor..", "org.reactivestreams..");

	@ArchTest
	static final ArchRule onlyTheAnswerRoomKnowsCaches = ArchRuleDefinition.noClasses()
		.that()
		.resideOutsideOfPackage("io.agenthooks.spring.answer")
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("com.github.benmanes.caffeine..", "org.springframework.cache..");

	/**
	 * What keeps state knows no hook that has any.
	 */
	@ArchTest
	static final ArchRule stateKnowsNoHooks = ArchRuleDefinition.noClasses()
		.that()
		.resideInAnyPackage("io.agenthooks.spring.state", "io.agenthooks.spring.jdbc", "io.agenthooks.spring.redis")
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("io.agenthooks.spring.limit", "io.agenthooks.spring.flow", "io.agenthooks.spring.alert",
				"io.agenthooks.spring.approval", "io.agenthooks.spring.binding", "io.agenthooks.spring.assembly");

	@ArchTest
	static final ArchRule onlyTheRoomsOfHttpKnowIt = ArchRuleDefinition.noClasses()
		.that()
		.resideOutsideOfPackages("io.agenthooks.spring.webhook", "io.agenthooks.spring.web",
				"io.agenthooks.spring.actuator", "io.agenthooks.spring.console", "io.agenthooks.spring.approval")
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("reactor.netty..", "io.netty..", "org.springframework.web..");

	@ArchTest
	static final ArchRule onlyTheRoomsOfJsonKnowJackson = ArchRuleDefinition.noClasses()
		.that()
		.resideOutsideOfPackages("io.agenthooks.spring.arguments", "io.agenthooks.spring.json")
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("tools.jackson..");

	/** Rooms of frameworks tell what they find, and somebody may count it. */
	@ArchTest
	static final ArchRule roomsOfFrameworksKnowNoMetrics = ArchRuleDefinition.noClasses()
		.that()
		.resideInAnyPackage("io.agenthooks.spring.ai", "io.agenthooks.spring.langchain4j", "io.agenthooks.spring.mcp",
				"io.agenthooks.spring.executor")
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("io.agenthooks.spring.metrics", "io.agenthooks.spring.observation",
				"io.agenthooks.spring.health");

	/**
	 * Others are made by {@link HooksThreads}. What stands here may only become less.
	 */
	@ArchTest
	static final ArchRule threadsAreMadeInOnePlace = ArchRuleDefinition.noClasses()
		.that()
		.doNotBelongToAnyOf(HooksThreads.class)
		.and()
		.haveNameNotMatching(".*\\.(LettuceLink|SharedSlots)")
		.and()
		.resideInAPackage("io.agenthooks.spring..")
		.should()
		.callConstructorWhere(JavaCall.Predicates
			.target(HasOwner.Predicates.With.owner(JavaClass.Predicates.assignableTo(Thread.class)
				.or(JavaClass.Predicates.assignableTo(AbstractExecutorService.class)))))
		.orShould()
		.callMethodWhere(
				JavaCall.Predicates.target(HasOwner.Predicates.With.owner(JavaClass.Predicates.type(Executors.class))));

	@ArchTest
	static final ArchRule mainCodeKnowsNoTests = ArchRuleDefinition.noClasses()
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("io.agenthooks.test..", "org.assertj..", "org.junit..");

	@ArchTest
	static final ArchRule autoConfigurationsArePublicAndFinalWithoutPublicMethods = ArchRuleDefinition.classes()
		.that()
		.areAnnotatedWith(AutoConfiguration.class)
		.should()
		.bePublic()
		.andShould()
		.haveModifier(JavaModifier.FINAL)
		.andShould(haveNoPublicMethods());

	@ArchTest
	static final ArchRule postProcessorBeansAreStatic = ArchRuleDefinition.methods()
		.that()
		.areAnnotatedWith(Bean.class)
		.and()
		.haveRawReturnType(postProcessor())
		.should()
		.beStatic();

	private ArchitectureTests() {
	}

	private static String moduleOf(JavaClass type) {
		String name = type.getPackageName();
		String spring = "io.agenthooks.spring.";
		return (name.startsWith(spring)) ? MODULES.getOrDefault(name.substring(spring.length()), "kernel") : "kernel";
	}

	private static SliceAssignment modules() {
		return new SliceAssignment() {

			@Override
			public String getDescription() {
				return "modules";
			}

			@Override
			public SliceIdentifier getIdentifierOf(JavaClass type) {
				return SliceIdentifier.of(moduleOf(type));
			}

		};
	}

	private static DescribedPredicate<JavaClass> isKernel() {
		return DescribedPredicate.describe("of the kernel", (type) -> moduleOf(type).equals("kernel"));
	}

	private static DescribedPredicate<JavaClass> isStore() {
		return DescribedPredicate.describe("of a store", (type) -> moduleOf(type).startsWith(STORE));
	}

	private static DescribedPredicate<JavaClass> postProcessor() {
		return JavaClass.Predicates.assignableTo(BeanPostProcessor.class)
			.or(JavaClass.Predicates.assignableTo(BeanFactoryPostProcessor.class));
	}

	private static ArchCondition<JavaClass> haveNoPublicMethods() {
		return new ArchCondition<>("have no public methods") {

			@Override
			public void check(JavaClass type, ConditionEvents events) {
				for (JavaMethod method : type.getMethods()) {
					if (method.getModifiers().contains(JavaModifier.PUBLIC)) {
						events.add(SimpleConditionEvent.violated(method, method.getFullName() + " is public"));
					}
				}
			}

		};
	}

	/**
	 * Leaves out the module of these tests.
	 */
	static final class NotOurTesters implements ImportOption {

		@Override
		public boolean includes(Location location) {
			return !location.contains("/hooks-test/");
		}

	}

}
