package io.agenthooks;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import org.jspecify.annotations.NullMarked;

/**
 * The rooms of the core, and which of them may know which.
 */
@AnalyzeClasses(packages = "io.agenthooks", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTests {

	@ArchTest
	void coreIsPlainJava(JavaClasses core) {
		ArchRuleDefinition.classes()
			.should()
			.onlyDependOnClassesThat()
			.resideInAnyPackage("java..", "javax.crypto..", "org.jspecify..", "org.slf4j..", "io.agenthooks..")
			.check(core);
	}

	@ArchTest
	void roomsAreFreeOfTangles(JavaClasses core) {
		SlicesRuleDefinition.slices().matching("io.agenthooks.(*)..").should().beFreeOfCycles().check(core);
	}

	@ArchTest
	void sharedTypesKnowNoRoom(JavaClasses core) {
		ArchRuleDefinition.noClasses()
			.that()
			.resideInAPackage("io.agenthooks")
			.should()
			.dependOnClassesThat()
			.resideInAPackage("io.agenthooks.*..")
			.check(core);
	}

	@ArchTest
	void chainKnowsNoPolicy(JavaClasses core) {
		ArchRuleDefinition.noClasses()
			.that()
			.resideInAPackage("io.agenthooks.toolcall..")
			.should()
			.dependOnClassesThat()
			.resideInAPackage("io.agenthooks.policy..")
			.check(core);
	}

	@ArchTest
	void everyPackageSaysWhatMayBeNull(JavaClasses core) {
		ArchRuleDefinition.classes().should(new ArchCondition<>("be in a package that is @NullMarked") {
			@Override
			public void check(JavaClass type, ConditionEvents events) {
				JavaPackage room = type.getPackage();
				if (!room.isAnnotatedWith(NullMarked.class)) {
					events.add(SimpleConditionEvent.violated(type, room.getName() + " is not @NullMarked"));
				}
			}
		}).check(core);
	}

}
