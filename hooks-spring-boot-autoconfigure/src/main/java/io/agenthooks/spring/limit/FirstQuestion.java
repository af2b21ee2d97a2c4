package io.agenthooks.spring.limit;

import java.util.List;

import io.agenthooks.spring.state.KeyedState;
import io.agenthooks.spring.state.StateCodec;
import io.agenthooks.spring.state.StateTerms;

/**
 * Asks a store whether it can be written, and leaves nothing there for long.
 */
final class FirstQuestion {

	static final KeyedState.ChangeOfOne<String, String> CHANGE = (kept, now) -> {
		kept.keep("", now + 1);
		return "";
	};

	static final StateTerms<String> TERMS = new StateTerms<>(List.of("-"), Integer.MAX_VALUE,
			StateTerms.WhenFull.REFUSE, true, new StateCodec<>() {

				@Override
				public String write(String state) {
					return state;
				}

				@Override
				public String read(int space, String text) {
					return text;
				}

			});

	private FirstQuestion() {
	}

}
