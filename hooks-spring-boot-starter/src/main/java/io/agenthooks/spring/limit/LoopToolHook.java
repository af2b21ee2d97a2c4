package io.agenthooks.spring.limit;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;
import org.springframework.util.StringUtils;

import io.agenthooks.CallContext;
import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.Sha256;
import io.agenthooks.spring.ended.LimitedHook;
import io.agenthooks.spring.json.CanonicalJson;
import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.RehearsedHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolCallStatus;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolIdentity;
import io.agenthooks.toolcall.ToolOutcome;
import io.agenthooks.toolcall.ToolResult;

/**
 * Ends loops of an agent: the same call that has the same result again and again, two
 * calls that take turns, a tool that keeps failing, and runs of too many calls. It warns
 * the model first, then denies, then ends the turn.
 * <p>
 * A call is the same if it is of the same tool with the same arguments, as the hook gets
 * them. Calls of other tools in between make no difference; another result does, so an
 * agent that waits for something to happen is in no loop once it has.
 */
final class LoopToolHook implements RehearsedHook, PostToolHook, LimitedHook {

	private final String name;

	private final LoopSettings settings;

	private final LongSupplier nanos;

	private final Map<String, RunCalls> runs;

	private final OpenCalls<Entered> open = new OpenCalls<>();

	private final LeftNotes notes = new LeftNotes();

	/**
	 * Create a hook.
	 * @param name the name of the hook
	 * @param config what a loop is
	 * @param nanos tells the time in nanoseconds
	 * @throws InvalidHookConfigException if the configuration has mistakes
	 */
	LoopToolHook(String name, LoopConfig config, LongSupplier nanos) {
		this.name = name;
		this.nanos = nanos;
		this.settings = LoopSettings.of(config);
		int maxRuns = this.settings.maxRuns();
		this.runs = new LinkedHashMap<>(16, 0.75f, true) {

			private static final long serialVersionUID = 1L;

			@Override
			protected boolean removeEldestEntry(Map.Entry<String, RunCalls> eldest) {
				return size() > maxRuns;
			}

		};
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public boolean isExplainable() {
		return true;
	}

	@Override
	public ToolDecision preCall(ToolCall call) {
		String run = runOf(call.context());
		if (run == null) {
			return unknownRun();
		}
		RunCalls calls = callsOf(run);
		String tool = toolOf(call.identity());
		String key = digest(tool, CanonicalJson.write(call.arguments()));
		if (this.notes.isHeard()) {
			noteLeft(call, calls.left(key, tool));
		}
		RunCalls.Finding finding = calls.enter(key, tool);
		if (finding.step() == LoopSteps.Step.NONE || finding.step() == LoopSteps.Step.WARN) {
			this.open.add(call, new Entered(calls, key, tool));
		}
		else {
			this.open.addNothing(call);
		}
		return decision(finding);
	}

	private void noteLeft(ToolCall call, int left) {
		this.notes.add(call, (left < Integer.MAX_VALUE) ? left : -1, null);
	}

	@Override
	public String limitStore() {
		return LimitConfig.Store.MEMORY.text();
	}

	@Override
	public void tellLeft(Listener listener) {
		this.notes.tell(listener);
	}

	private RunCalls callsOf(String run) {
		long now = this.nanos.getAsLong();
		synchronized (this.runs) {
			RunCalls known = this.runs.get(run);
			if (known == null || known.isOver(now)) {
				known = new RunCalls(this.settings, now);
				this.runs.put(run, known);
			}
			known.use(now);
			return known;
		}
	}

	/**
	 * A call that waits for a person is asked about again, and has been counted.
	 */
	@Override
	public ToolDecision rehearse(ToolCall call) {
		if (this.open.contains(call.id())) {
			return ToolDecision.approve();
		}
		String run = runOf(call.context());
		if (run == null) {
			return unknownRun();
		}
		RunCalls calls;
		synchronized (this.runs) {
			calls = this.runs.get(run);
		}
		String tool = toolOf(call.identity());
		return (calls != null && !calls.isOver(this.nanos.getAsLong()))
				? decision(calls.look(digest(tool, CanonicalJson.write(call.arguments())), tool))
				: ToolDecision.approve();
	}

	private ToolDecision unknownRun() {
		return (this.settings.missing() == Missing.SKIP) ? ToolDecision.approve()
				: ToolDecision.deny("The call has neither a run nor a session, so loops cannot be detected");
	}

	private static ToolDecision decision(RunCalls.Finding finding) {
		String text = switch (finding.kind()) {
			case REPEATS -> "This call, with the same arguments, has had the same result %d times.";
			case PING_PONG -> "Two calls take turns, and have had the same results in the last %d calls.";
			case FAILURES -> "This tool has failed %d times in a row.";
			case CALLS -> "This run has made %d calls of tools.";
		};
		String what = text.formatted(finding.count());
		return switch (finding.step()) {
			case NONE -> ToolDecision.approve();
			case WARN -> ToolDecision.approve()
				.withAdditionalContext(what + " If that does not help, try something else, or say what is in the way.");
			case DENY -> ToolDecision.deny(what + " Try something else, or say what is in the way.");
			case ABORT -> ToolDecision.abortTurn(what + " The agent is in a loop.");
		};
	}

	@Override
	public void postCall(ToolOutcome outcome) {
		Entered entered = this.open.remove(outcome.effective());
		if (entered == null) {
			return;
		}
		if (outcome.status() == ToolCallStatus.PENDING) {
			// It counts when it is resumed, if it is.
			entered.calls().leave();
		}
		Boolean failed = switch (outcome.status()) {
			case SUCCEEDED, ANSWERED -> false;
			case FAILED -> true;
			default -> null;
		};
		entered.calls().use(this.nanos.getAsLong());
		String result = resultOf(outcome);
		if (result != null) {
			entered.calls().end(entered.key(), entered.tool(), result, failed);
		}
	}

	/**
	 * Tells which result a call had that the agent learns of, or {@code null} if there is
	 * none. It is that of the tool, which others may have replaced by something new each
	 * time.
	 */
	private static @Nullable String resultOf(ToolOutcome outcome) {
		ToolResult result = (outcome.originalResult() != null) ? outcome.originalResult() : outcome.result();
		return switch (outcome.status()) {
			case SUCCEEDED, FAILED, ANSWERED, DENIED ->
				(result != null) ? digest(String.valueOf(result.succeeded()), result.content())
						: digest("thrown", (outcome.failure() != null) ? outcome.failure().getClass().getName() : "");
			default -> null;
		};
	}

	/**
	 * Tells the run, or the session of this user and agent if nobody counts runs.
	 */
	private static @Nullable String runOf(CallContext context) {
		if (StringUtils.hasLength(context.runId())) {
			return digest("run", context.runId());
		}
		return (StringUtils.hasLength(context.sessionId()))
				? digest("session", context.sessionId(), context.user(), context.agent()) : null;
	}

	private static String toolOf(ToolIdentity tool) {
		return digest("tool", tool.server(), tool.name());
	}

	/**
	 * A digest of texts, so that a run needs little memory and keeps nothing secret.
	 */
	private static String digest(@Nullable String... texts) {
		MessageDigest digest = Sha256.digest();
		for (String text : texts) {
			byte[] bytes = (text != null) ? text.getBytes(StandardCharsets.UTF_16BE) : new byte[0];
			digest.update(((text != null) ? bytes.length + ":" : "-").getBytes(StandardCharsets.US_ASCII));
			digest.update(bytes);
		}
		return HexFormat.of().formatHex(digest.digest(), 0, 16);
	}

	/**
	 * How many runs are remembered.
	 */
	int runs() {
		synchronized (this.runs) {
			return this.runs.size();
		}
	}

	/**
	 * A call that passed.
	 *
	 * @param calls those of its run
	 * @param key which call it is
	 * @param tool of which tool
	 */
	private record Entered(RunCalls calls, String key, String tool) {
	}

}
