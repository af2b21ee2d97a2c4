package io.agenthooks.spring.guard;

import java.lang.reflect.Method;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Recognizes mocks, which tests put in place of beans. Mockito is there in tests only.
 *
 * @since 0.1.0
 */
public final class TestDoubles {

	private static final @Nullable Method DETAILS = method("org.mockito.Mockito", "mockingDetails", Object.class);

	private static final @Nullable Method IS_MOCK = method("org.mockito.MockingDetails", "isMock");

	private static final @Nullable Method IS_SPY = method("org.mockito.MockingDetails", "isSpy");

	private TestDoubles() {
	}

	private static @Nullable Method method(String type, String name, Class<?>... parameters) {
		ClassLoader classLoader = TestDoubles.class.getClassLoader();
		return (ClassUtils.isPresent(type, classLoader))
				? ClassUtils.getMethod(ClassUtils.resolveClassName(type, classLoader), name, parameters) : null;
	}

	/**
	 * Whether a bean is a mock with nothing behind it. A spy runs what it spies on.
	 * @param bean any bean
	 * @return whether it is one
	 */
	public static boolean isMock(Object bean) {
		if (DETAILS == null || IS_MOCK == null || IS_SPY == null) {
			return false;
		}
		Object details = Objects.requireNonNull(ReflectionUtils.invokeMethod(DETAILS, null, bean));
		return Boolean.TRUE.equals(ReflectionUtils.invokeMethod(IS_MOCK, details))
				&& Boolean.FALSE.equals(ReflectionUtils.invokeMethod(IS_SPY, details));
	}

}
