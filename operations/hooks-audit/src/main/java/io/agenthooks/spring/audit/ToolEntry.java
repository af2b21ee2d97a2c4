package io.agenthooks.spring.audit;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.agenthooks.CallContext;
import io.agenthooks.spring.outcome.AskedHook;
import io.agenthooks.spring.outcome.EndedCall;
import io.agenthooks.toolcall.Approval;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolOutcome;

record ToolEntry(ToolCall requested, ToolCall effective, EndedCall ended, @Nullable Approval approval,
		List<AskedHook> asked, long time, long weight, boolean hasBegun) implements CallEntry {

	static ToolEntry of(ToolOutcome outcome, List<AskedHook> asked, long time) {
		return new ToolEntry(outcome.requested(), outcome.effective(), EndedCall.of(outcome), outcome.approval(), asked,
				time, weigh(outcome.effective().arguments(), 0), CallEntry.hasBegun(outcome, outcome.originalResult()));
	}

	@Override
	public String kind() {
		return TOOL_CALL;
	}

	@Override
	public String id() {
		return this.effective.id();
	}

	@Override
	public CallContext context() {
		return this.effective.context();
	}

	static long weigh(@Nullable Object value, long before) {
		long sum = before + 1;
		if (value instanceof String text) {
			sum += text.length();
		}
		else if (value instanceof Map<?, ?> map) {
			for (Map.Entry<?, ?> member : map.entrySet()) {
				sum = weigh(member.getValue(), sum + String.valueOf(member.getKey()).length());
			}
		}
		else if (value instanceof List<?> list) {
			for (Object element : list) {
				sum = weigh(element, sum);
			}
		}
		return sum;
	}

}
