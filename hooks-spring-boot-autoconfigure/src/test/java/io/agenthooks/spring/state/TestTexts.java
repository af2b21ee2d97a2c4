package io.agenthooks.spring.state;

import java.util.List;

/**
 * State that is a text.
 */
public final class TestTexts implements StateCodec<String> {

	@Override
	public String write(String state) {
		return "t1;" + state;
	}

	@Override
	public String read(int space, String text) {
		if (!text.startsWith("t1;")) {
			throw new UnusableAnswerException("What is kept cannot be read");
		}
		return text.substring(3);
	}

	public static StateTerms<String> terms(int maxKeys, String... spaces) {
		return new StateTerms<>((spaces.length > 0) ? List.of(spaces) : List.of("texts"), maxKeys,
				StateTerms.WhenFull.REFUSE, false, new TestTexts());
	}

}
