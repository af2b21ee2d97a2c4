package io.agenthooks.spring.ai;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.client.advisor.DefaultAroundAdvisorChain;
import org.springframework.ai.chat.client.advisor.api.Advisor;
import org.springframework.ai.chat.client.advisor.api.CallAdvisor;
import org.springframework.ai.chat.client.advisor.api.CallAdvisorChain;
import org.springframework.ai.chat.client.advisor.api.StreamAdvisor;
import org.springframework.ai.chat.client.advisor.api.StreamAdvisorChain;
import org.springframework.util.ReflectionUtils;

/**
 * Makes sure that whoever asks a chain of advisors again meets the hooks again: Spring AI
 * takes each advisor out of its chain when it is asked, so {@code Flux.retry}, or who
 * reads a second thing from a response, would pass by the hooks that denied.
 */
final class RepeatableChain {

	private static final @Nullable Field calls = field("callAdvisors");

	private static final @Nullable Field streams = field("streamAdvisors");

	private RepeatableChain() {
	}

	private static @Nullable Field field(String name) {
		Field field = ReflectionUtils.findField(DefaultAroundAdvisorChain.class, name);
		if (field != null) {
			ReflectionUtils.makeAccessible(field);
		}
		return field;
	}

	/**
	 * The rest of a chain behind an advisor. The chain itself goes back to that advisor.
	 */
	static CallAdvisorChain behind(CallAdvisor advisor, CallAdvisorChain chain) {
		return behind(advisor, chain, UnaryOperator.identity());
	}

	static StreamAdvisorChain behind(StreamAdvisor advisor, StreamAdvisorChain chain) {
		return behind(advisor, chain, UnaryOperator.identity());
	}

	static CallAdvisorChain behind(CallAdvisor advisor, CallAdvisorChain chain,
			UnaryOperator<List<Advisor>> replacement) {
		return (rewind(calls, chain, chain.getCallAdvisors(), advisor)
				&& replace(chain, chain.getCallAdvisors(), advisor, replacement) instanceof CallAdvisorChain rest)
						? rest : chain;
	}

	static StreamAdvisorChain behind(StreamAdvisor advisor, StreamAdvisorChain chain,
			UnaryOperator<List<Advisor>> replacement) {
		return (rewind(streams, chain, chain.getStreamAdvisors(), advisor)
				&& replace(chain, chain.getStreamAdvisors(), advisor, replacement) instanceof StreamAdvisorChain rest)
						? rest : chain;
	}

	/** Of advisors of the same order, the last that is put in is the first. */
	private static Object replace(Object chain, List<? extends Advisor> advisors, Advisor behind,
			UnaryOperator<List<Advisor>> replacement) {
		List<Advisor> rest = new ArrayList<>(
				replacement.apply(List.copyOf(advisors.subList(advisors.indexOf(behind) + 1, advisors.size()))));
		Collections.reverse(rest);
		return empty((DefaultAroundAdvisorChain) chain).mutate().pushAll(rest).build();
	}

	private static DefaultAroundAdvisorChain empty(DefaultAroundAdvisorChain chain) {
		List<CallAdvisor> advisors = chain.getCallAdvisors();
		List<StreamAdvisor> streaming = chain.getStreamAdvisors();
		Object empty = (!advisors.isEmpty()) ? chain.copy(advisors.get(advisors.size() - 1))
				: chain.copy(streaming.get(streaming.size() - 1));
		return (DefaultAroundAdvisorChain) empty;
	}

	@SuppressWarnings("unchecked")
	private static boolean rewind(@Nullable Field field, Object chain, List<?> advisors, Object advisor) {
		if (!advisors.contains(advisor) || !(chain instanceof DefaultAroundAdvisorChain)) {
			return false;
		}
		if (field == null || !(ReflectionUtils.getField(field, chain) instanceof Collection<?> open)) {
			throw new IllegalStateException("This version of Spring AI is not known: who asks a ChatClient "
					+ "a second time could go past the hooks");
		}
		open.clear();
		((Collection<Object>) open).addAll(advisors.subList(advisors.indexOf(advisor), advisors.size()));
		return true;
	}

}
