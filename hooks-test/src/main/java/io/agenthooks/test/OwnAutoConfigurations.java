package io.agenthooks.test;

import java.util.Map;
import java.util.stream.Stream;

import org.springframework.beans.factory.BeanClassLoaderAware;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.annotation.Configurations;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.AnnotationConfigUtils;
import org.springframework.context.annotation.DeferredImportSelector;
import org.springframework.context.annotation.Import;
import org.springframework.core.io.DefaultResourceLoader;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.core.type.classreading.CachingMetadataReaderFactory;
import org.springframework.core.type.classreading.MetadataReaderFactory;
import org.springframework.util.ClassUtils;
import org.springframework.util.ConcurrentReferenceHashMap;

/**
 * Imports our auto-configurations by name, as Spring Boot does: a condition that asks for
 * the class of an absent library cannot be read of a class that is loaded.
 */
@Import(OwnAutoConfigurations.Selector.class)
final class OwnAutoConfigurations {

	/**
	 * Guards AI services of the whole JVM, with the hooks of the application that started
	 * last; that must not be this one.
	 */
	private static final String AI_SERVICES = "io.agenthooks.spring.langchain4j.LangChain4jHooksAutoConfiguration";

	private static final String BEAN_VALIDATION = "org.springframework.boot.validation.autoconfigure.ValidationAutoConfiguration";

	private static final Map<ClassLoader, MetadataReaderFactory> readers = new ConcurrentReferenceHashMap<>();

	private OwnAutoConfigurations() {
	}

	/**
	 * Read the classes of configurations once for all small applications of a JVM.
	 */
	static void shareMetadata(AnnotationConfigApplicationContext context) {
		ClassLoader classLoader = context.getClassLoader();
		if (classLoader != null) {
			context.getBeanDefinition(AnnotationConfigUtils.CONFIGURATION_ANNOTATION_PROCESSOR_BEAN_NAME)
				.getPropertyValues()
				.add("metadataReaderFactory", readers.computeIfAbsent(classLoader,
						(loader) -> new CachingMetadataReaderFactory(new DefaultResourceLoader(loader))));
		}
	}

	/** After the beans of the test, in the order that they want. */
	static final class Selector implements DeferredImportSelector, BeanClassLoaderAware {

		/**
		 * Sorting them takes a good part of a start, and gives the same each time.
		 */
		private static final Map<ClassLoader, String[]> sorted = new ConcurrentReferenceHashMap<>();

		private ClassLoader classLoader = Selector.class.getClassLoader();

		@Override
		public void setBeanClassLoader(ClassLoader classLoader) {
			this.classLoader = classLoader;
		}

		@Override
		public String[] selectImports(AnnotationMetadata importing) {
			return sorted.computeIfAbsent(this.classLoader, Selector::ours).clone();
		}

		private static String[] ours(ClassLoader classLoader) {
			Class<?>[] ours = ImportCandidates.load(AutoConfiguration.class, classLoader)
				.getCandidates()
				.stream()
				.filter((name) -> (name.startsWith("io.agenthooks.") && !name.equals(AI_SERVICES))
						|| name.equals(BEAN_VALIDATION))
				.map((name) -> ClassUtils.resolveClassName(name, classLoader))
				.toArray(Class<?>[]::new);
			return Stream.of(Configurations.getClasses(AutoConfigurations.of(ours)))
				.map(Class::getName)
				.toArray(String[]::new);
		}

	}

}
