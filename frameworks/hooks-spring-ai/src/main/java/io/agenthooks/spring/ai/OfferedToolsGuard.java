package io.agenthooks.spring.ai;

import java.lang.reflect.Method;
import java.util.List;
import java.util.function.Supplier;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import reactor.core.publisher.Flux;

import io.agenthooks.spring.guard.BeanGuard;
import io.agenthooks.spring.guard.UnguardedConsequence;

/**
 * Looks, in front of models that are beans, which tools a prompt offers: those whose
 * calls pass no hooks are reported or forbidden, hidden ones are taken out.
 */
final class OfferedToolsGuard extends BeanGuard {

	private final UnguardedConsequence consequence;

	/** A final model stays as it is unless the consequence is to deny. */
	OfferedToolsGuard(Supplier<UnguardedTools> unguarded, Supplier<SpringAiToolHooks> hooks,
			UnguardedConsequence consequence) {
		super(new DefaultPointcutAdvisor(new GuardInterceptor(unguarded, hooks)));
		this.consequence = consequence;
	}

	static boolean isGuarded(Object model) {
		return isAdvised(model, GuardInterceptor.class::isInstance);
	}

	boolean isWanted() {
		return this.consequence.isDenial();
	}

	@Override
	protected boolean isEligible(Class<?> targetClass) {
		return ModelMethods.isModel(targetClass) && !this.consequence.isNothing()
				&& (isWanted() || isExtensible(targetClass));
	}

	@Override
	protected boolean mustBeGuarded(Method method) {
		return ModelMethods.asks(method);
	}

	private record GuardInterceptor(Supplier<UnguardedTools> unguarded,
			Supplier<SpringAiToolHooks> hooks) implements MethodInterceptor {

		@Override
		public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
			Prompt prompt = ModelMethods.promptOf(invocation);
			if (prompt == null) {
				return ModelMethods.proceedInFull(invocation);
			}
			OfferedTools known = OfferedTools.current();
			if (ModelMethods.isStream(invocation)) {
				return stream(invocation, prompt, known);
			}
			OfferedTools looked = look(invocation, prompt, known);
			Prompt offered = prompt;
			ChatOptions options = ModelMethods.optionsOf(prompt, invocation);
			if (HiddenTools.hasTools(options)) {
				SpringAiToolHooks hooks = this.hooks.get();
				offered = hooks.hiddenTools().offer(prompt, options, hooks.callers()::here);
			}
			return ask(invocation, offered, looked);
		}

		private static @Nullable Object ask(MethodInvocation invocation, Prompt offered, OfferedTools looked) {
			return looked.<@Nullable Object>during(() -> ModelMethods.proceed(invocation, offered));
		}

		private Flux<ChatResponse> stream(MethodInvocation invocation, Prompt prompt, OfferedTools ofThread) {
			return Flux.deferContextual((context) -> {
				OfferedTools looked = look(invocation, prompt, OfferedTools.of(context, ofThread));
				ChatOptions options = ModelMethods.optionsOf(prompt, invocation);
				SpringAiToolHooks hooks = (HiddenTools.hasTools(options)) ? this.hooks.get() : null;
				if (hooks == null || !hooks.hiddenTools().isHiding()) {
					return looked.during(ModelMethods.proceedStreaming(invocation, prompt));
				}
				return hooks.callers()
					.of(context)
					.flatMapMany((caller) -> looked.during(ModelMethods.proceedStreaming(invocation,
							hooks.hiddenTools().offer(prompt, options, () -> caller))));
			});
		}

		private OfferedTools look(MethodInvocation invocation, Prompt prompt, OfferedTools known) {
			List<ToolCallback> offered = OfferedTools.unguarded(ModelMethods.optionsOf(prompt, invocation));
			List<ToolCallback> unknown = known.unknown(offered);
			if (!unknown.isEmpty()) {
				this.unguarded.get().reportOffered(unknown);
			}
			return new OfferedTools(false, offered);
		}

	}

}
