package io.agenthooks.spring.origin;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.ProxyFactory;

import io.agenthooks.spring.WrapsTool;

import static org.assertj.core.api.Assertions.assertThat;

class WrappedToolsTests {

	@Test
	void toolsAreFoundBehindWrappersThatSaySo() {
		assertThat(WrappedTools.behind("a")).containsExactly("a");
		assertThat(WrappedTools.behind(around(around("a"), "b", around("a")))).containsExactlyInAnyOrder("a", "b");
		assertThat(WrappedTools.behind(around())).isEmpty();
	}

	@Test
	void proxyLeadsToItsTarget() {
		Runnable target = () -> {
		};
		assertThat(WrappedTools.behind(around(new ProxyFactory(target).getProxy()))).containsExactly(target);
	}

	@Test
	void wrapperOfAFrameworkLeadsToWhatItIsKnownToWrap() {
		assertThat(WrappedTools.behind(around("a"), (tool) -> "a".equals(tool) ? List.of("b") : null))
			.containsExactly("b");
	}

	@Test
	void wrapperThatFailsOrNamesNothingIsAnEndItself() {
		WrapsTool failing = () -> {
			throw new IllegalStateException("not now");
		};
		WrapsTool empty = () -> Arrays.asList("a", null);
		assertThat(WrappedTools.behind(around(failing, empty))).containsExactlyInAnyOrder(failing, empty);
	}

	@Test
	void wrapperThatWrapsItselfEnds() {
		List<Object> tools = new ArrayList<>(List.of("a"));
		WrapsTool own = () -> tools;
		tools.add(own);
		assertThat(WrappedTools.behind(own)).containsExactly("a");
	}

	@Test
	void wrapperThatWrapsItselfAloneIsAnEndItself() {
		List<Object> tools = new ArrayList<>();
		WrapsTool own = () -> tools;
		tools.add(own);
		assertThat(WrappedTools.behind(own)).containsExactly(own);
	}

	@Test
	void wrapperThatAlwaysWrapsAnotherEndsInWrappers() {
		assertThat(WrappedTools.behind(new Endless())).isNotEmpty().hasOnlyElementsOfType(Endless.class);
	}

	private static WrapsTool around(Object... tools) {
		return () -> List.of(tools);
	}

	private static final class Endless implements WrapsTool {

		@Override
		public Collection<?> wrappedTools() {
			return List.of(new Endless());
		}

	}

}
