package io.agenthooks.spring.langchain4j;

import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.agent.tool.ToolSpecifications;
import dev.langchain4j.internal.JsonSchemaElementJsonUtils;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

import io.agenthooks.spring.json.StrictJson;
import io.agenthooks.spring.origin.KnownTools;
import io.agenthooks.spring.origin.KnownTools.Kind;
import io.agenthooks.spring.origin.KnownTools.Source;
import io.agenthooks.spring.origin.ToolSource;

final class LangChain4jToolSource implements ToolSource {

	@Override
	public List<String> dynamicTypes() {
		return List.of("dev.langchain4j.mcp.", "dev.langchain4j.service.tool.ToolProvider");
	}

	@Override
	public boolean isPresent(@Nullable ClassLoader classLoader) {
		return ClassUtils.isPresent("dev.langchain4j.agent.tool.ToolSpecifications", classLoader);
	}

	@Override
	public void find(ConfigurableListableBeanFactory beanFactory, KnownTools tools) {
		// None of them is a bean.
	}

	@Override
	public void findMethods(Class<?> type, String bean, KnownTools tools) {
		Methods.find(type, bean, tools);
	}

	private static final class Methods {

		static void find(Class<?> type, String bean, KnownTools tools) {
			for (Method method : ReflectionUtils.getUniqueDeclaredMethods(type,
					(each) -> AnnotatedElementUtils.hasAnnotation(each, Tool.class))) {
				ToolSpecification tool = ToolSpecifications.toolSpecificationFrom(method);
				tools.addLenient(tool.name(), () -> schemaOf(tool));
				tools.describe(tool.name(), tool::description);
				tools.addSource(new Source(tool.name(), bean, Kind.LANGCHAIN4J_METHOD));
			}
		}

		private static String schemaOf(ToolSpecification tool) {
			Map<String, Object> none = Map.of("type", "object", "properties", Map.of());
			return new String(
					StrictJson.write(
							(tool.parameters() != null) ? JsonSchemaElementJsonUtils.toMap(tool.parameters()) : none),
					StandardCharsets.UTF_8);
		}

	}

}
