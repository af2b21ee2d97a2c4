package io.agenthooks.sample;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

import io.agenthooks.toolcall.ToolCallEvent;

/** Hears what happens to calls, step by step, and remembers it of the last ones. */
@Component
class SampleEvents {

	private static final String BY = " by ";

	private final Map<String, List<String>> stepsByCall = new LinkedHashMap<>() {

		@Override
		protected boolean removeEldestEntry(Map.Entry<String, List<String>> eldest) {
			return size() > SampleJournal.CAPACITY;
		}

	};

	@EventListener
	synchronized void hear(ToolCallEvent event) {
		this.stepsByCall.merge(event.call().id(), List.of(describe(event)),
				(known, added) -> Stream.of(known, added).flatMap(List::stream).toList());
	}

	/** The events of a call so far. */
	synchronized List<String> of(String callId) {
		return this.stepsByCall.getOrDefault(callId, List.of());
	}

	private static String describe(ToolCallEvent event) {
		if (event instanceof ToolCallEvent.Modified modified) {
			return "modified" + BY + modified.hook();
		}
		if (event instanceof ToolCallEvent.ResultReplaced replaced) {
			return "result replaced" + BY + replaced.hook();
		}
		if (event instanceof ToolCallEvent.FailedOpen failed) {
			return "failed open" + BY + failed.hook();
		}
		if (event instanceof ToolCallEvent.Ended ended) {
			return ended.outcome().status().value();
		}
		return event.getClass().getSimpleName().replaceAll("(?<=[a-z])(?=[A-Z])", " ").toLowerCase(Locale.ROOT);
	}

}
