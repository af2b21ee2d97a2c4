package io.agenthooks.spring.guard;

import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import io.agenthooks.toolcall.ToolHookChain;

/**
 * Types of beans each of which must be guarded: what runs tools, asks models or begins
 * runs. Says how to see whether such a bean is guarded, and how to prove it.
 *
 * @param label what such beans are called in the log
 * @param types the types
 * @param guard tells whether what goes through a bean passes the hooks
 * @param proof sees whether calls of tools through a guarded bean pass the hooks
 * @param active whether the hooks that are meant are active, or {@code null} if those
 * around calls of tools are meant
 * @param advice what to do about a bean that cannot be guarded, or {@code null} if there
 * is nothing to say of it
 * @since 0.1.0
 */
public record GuardedType(String label, List<Class<?>> types, Predicate<Object> guard, Proof proof,
		@Nullable BooleanSupplier active, Function<Object, @Nullable String> advice) {

	public GuardedType(String label, List<Class<?>> types, Predicate<Object> guard, Proof proof,
			@Nullable BooleanSupplier active) {
		this(label, types, guard, proof, active, (bean) -> null);
	}

	public GuardedType(Class<?> type, Predicate<Object> guard, Proof proof) {
		this(type.getSimpleName(), List.of(type), guard, proof, null);
	}

	/**
	 * The same type, with something to say about beans that cannot be guarded.
	 * @param advice what to do about such a bean, or {@code null}
	 * @return the type
	 */
	public GuardedType withAdvice(Function<Object, @Nullable String> advice) {
		return new GuardedType(this.label, this.types, this.guard, this.proof, this.active, advice);
	}

	String describe(String name, Object bean) {
		String advice = this.advice.apply(bean);
		return (advice != null) ? name + " (" + advice + ")" : name;
	}

	/**
	 * Whether a bean is of these types.
	 * @param bean the bean
	 * @return whether it must be guarded
	 */
	public boolean matches(Object bean) {
		return this.types.stream().anyMatch((type) -> type.isInstance(bean));
	}

	public boolean isGuarded(Object bean) {
		return ScopedProxies.isOne(bean) || this.guard.test(bean) || TestDoubles.isMock(bean);
	}

	public boolean runsTools() {
		return this.active == null;
	}

	/**
	 * Sends calls, or runs, that must be denied through a bean. Nothing but its guard may
	 * see them.
	 */
	@FunctionalInterface
	public interface Proof {

		/** The result of a proof if a call came through. */
		int FAILED = -1;

		/**
		 * Prove that a guarded bean asks a chain.
		 * @param bean the bean
		 * @param chain the hooks around calls of tools; a type that is about other calls
		 * knows its own
		 * @return how many ways were proved, or {@link #FAILED}
		 */
		int prove(Object bean, ToolHookChain chain);

	}

}
