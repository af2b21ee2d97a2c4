package io.agenthooks.spring.answer;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.util.unit.DataSize;

import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.llmcall.LlmDecision;
import io.agenthooks.llmcall.LlmResponseHook;
import io.agenthooks.toolcall.TruncateToolHook;

/**
 * The {@code config} of a {@code truncate} hook, as written.
 *
 * @param maxSize Size that a result may have, one byte for each character; required.
 * @param headShare Share of the head in what is left of a larger one, from 0 to 1.
 */
record TruncateConfig(@Nullable DataSize maxSize, @Nullable BigDecimal headShare) {

	private static final DataSize MIN = DataSize.ofKilobytes(1);

	private static final DataSize MAX = DataSize.ofMegabytes(64);

	TruncateToolHook forTools() {
		List<Problem> problems = new ArrayList<>();
		if (this.maxSize == null || this.maxSize.compareTo(MIN) < 0 || this.maxSize.compareTo(MAX) > 0) {
			problems.add(new Problem(List.of("max_size"), "There is no size between 1KB and 64MB.",
					"Write the size that a result may have, such as 'max_size: 20KB'."));
		}
		if (this.headShare != null && (this.headShare.signum() < 0 || this.headShare.compareTo(BigDecimal.ONE) > 0)) {
			problems.add(new Problem(List.of("head_share"), "The share is not between 0 and 1.",
					"Write how much of what is left is the head, such as 'head_share: 0.5'."));
		}
		if (this.maxSize == null || !problems.isEmpty()) {
			throw new InvalidHookConfigException(problems);
		}
		return new TruncateToolHook((int) this.maxSize.toBytes(),
				(this.headShare != null) ? this.headShare.doubleValue() : TruncateToolHook.HEAD_SHARE);
	}

	LlmResponseHook forModels() {
		TruncateToolHook truncate = forTools();
		return (call, response) -> {
			String text = truncate.cut(response.text());
			return (text.equals(response.text())) ? LlmDecision.approve()
					: LlmDecision.respond(response.withText(text));
		};
	}

}
