package io.agenthooks.spring.autoconfigure;

import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.advisor.DefaultAroundAdvisorChain;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.util.ReflectionUtils;

/**
 * Lets the runs and the model calls of each {@code ChatClient} that is made by the
 * {@code ChatClient.Builder} bean pass the hooks.
 *
 * @since 0.1.0
 */
@AutoConfiguration
@ConditionalOnClass(ChatClient.class)
@Import(ClientAdvisors.Adding.class)
@ImportRuntimeHints(SpringAiModelCallsAutoConfiguration.ChainHints.class)
public final class SpringAiModelCallsAutoConfiguration {

	/**
	 * The fields by which a chain of advisors can be asked again.
	 */
	static final class ChainHints implements RuntimeHintsRegistrar {

		@Override
		public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
			for (String name : List.of("callAdvisors", "streamAdvisors")) {
				hints.reflection()
					.registerField(
							Objects.requireNonNull(ReflectionUtils.findField(DefaultAroundAdvisorChain.class, name)));
			}
		}

	}

}
