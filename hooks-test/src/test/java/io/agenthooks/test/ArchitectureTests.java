package io.agenthooks.test;

import java.nio.file.Files;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import org.jspecify.annotations.NullMarked;

import io.agenthooks.spring.NoJarsOfTests;
import io.agenthooks.spring.Sources;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The rooms of all modules that are published.
 */
@AnalyzeClasses(packages = "io.agenthooks",
		importOptions = { ImportOption.DoNotIncludeTests.class, NoJarsOfTests.class })
class ArchitectureTests {

	@ArchTest
	static final ArchRule roomsHaveNoCycles = SlicesRuleDefinition.slices()
		.matching("io.agenthooks.(**)")
		.should()
		.beFreeOfCycles();

	@ArchTest
	static final ArchRule nobodyKnowsTheTestRoom = ArchRuleDefinition.noClasses()
		.that()
		.resideOutsideOfPackage("io.agenthooks.test..")
		.should()
		.dependOnClassesThat()
		.resideInAPackage("io.agenthooks.test..");

	@ArchTest
	static final ArchRule onlyItsRoomKnowsSpringAi = ArchRuleDefinition.noClasses()
		.that()
		.resideInAPackage("io.agenthooks.test..")
		.and()
		.resideOutsideOfPackage("io.agenthooks.test.ai")
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("org.springframework.ai..", "io.agenthooks.test.ai");

	@ArchTest
	static final ArchRule onlyItsRoomKnowsLangChain4j = ArchRuleDefinition.noClasses()
		.that()
		.resideInAPackage("io.agenthooks.test..")
		.and()
		.resideOutsideOfPackage("io.agenthooks.test.langchain4j")
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("dev.langchain4j..", "io.agenthooks.test.langchain4j");

	@ArchTest
	static final ArchRule testRoomNeedsNoTestFramework = ArchRuleDefinition.noClasses()
		.that()
		.resideInAPackage("io.agenthooks.test..")
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("org.junit..", "org.springframework.boot.test..", "org.springframework.test..");

	@ArchTest
	void testRoomIsWhatStandsInThisModule(JavaClasses classes) {
		Map<String, Set<String>> packages = packagesByModule(classes);
		assertThat(packages).containsOnlyKeys(Sources.modules()
			.filter((module) -> Files.isDirectory(module.resolve("src/main/java")))
			.map((module) -> module.getFileName().toString())
			.filter((module) -> !module.equals("hooks-sample-app") && !module.equals("hooks-benchmarks"))
			.toList()
			.toArray(String[]::new));
		assertThat(packages.get("hooks-test")).isNotEmpty().allMatch((name) -> name.startsWith("io.agenthooks.test"));
	}

	@ArchTest
	void noPackageStandsInTwoModules(JavaClasses classes) {
		Set<String> seen = new TreeSet<>();
		packagesByModule(classes).forEach((module, packages) -> {
			assertThat(packages).as(module).isNotEmpty().filteredOn(seen::contains).isEmpty();
			seen.addAll(packages);
		});
	}

	@ArchTest
	void everyPackageIsNullMarked(JavaClasses classes) {
		Set<String> packages = new TreeSet<>();
		classes.forEach((type) -> packages.add(type.getPackageName()));
		assertThat(packages).isNotEmpty()
			.filteredOn((name) -> !classes.getPackage(name).getPackageInfo().isAnnotatedWith(NullMarked.class))
			.isEmpty();
	}

	/**
	 * The name of a module stands in the path of its classes, and of its jar.
	 */
	private static Map<String, Set<String>> packagesByModule(JavaClasses classes) {
		Map<String, Set<String>> packages = new LinkedHashMap<>();
		for (JavaClass type : classes) {
			String location = type.getSource().orElseThrow().getUri().toString();
			String module = location.replaceFirst(".*/(hooks-[a-z0-9-]+)/target/.*", "$1");
			packages.computeIfAbsent(module, (name) -> new TreeSet<>()).add(type.getPackageName());
		}
		return packages;
	}

}
