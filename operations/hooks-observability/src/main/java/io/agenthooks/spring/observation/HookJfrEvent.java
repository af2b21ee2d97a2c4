package io.agenthooks.spring.observation;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

@Name("io.agenthooks.Hook")
@Label("Hook")
@Description("A hook that is asked about a call")
@Category("Agent Hooks")
@Enabled(false)
@StackTrace(false)
final class HookJfrEvent extends Event {

	@Label("Call Id")
	@Nullable String callId;

	@Label("Hook")
	@Nullable String hook;

	@Label("Part")
	@Nullable String part;

	@Label("Verdict")
	@Nullable String verdict;

}
