package io.agenthooks.spring.limit;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;

import org.jspecify.annotations.Nullable;
import org.springframework.util.StringUtils;

import io.agenthooks.CallContext;
import io.agenthooks.Sha256;
import io.agenthooks.chain.CallNote;
import io.agenthooks.chain.CallNotes;
import io.agenthooks.spring.HookHealth;
import io.agenthooks.spring.json.CanonicalJson;
import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.RehearsedHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolCallStatus;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolOutcome;
import io.agenthooks.toolcall.ToolResult;

/**
 * Ends loops of an agent: the same call with the same result again and again, two calls
 * that take turns, a tool that keeps failing, too many calls. It warns the model first,
 * then denies, then ends the turn.
 * <p>
 * Calls of other tools in between make no difference; another result does, so an agent
 * that waits for something is in no loop once it has happened.
 */
final class LoopToolHook implements RehearsedHook, PostToolHook, CountingHook, HookHealth {

	static final String UNKNOWN_RUN = "The call has neither a run nor a session, so loops cannot be detected";

	private static final int DIGEST_BYTES = 16;

	private static final byte[] NOTHING = {};

	private final String name;

	private final LoopSettings settings;

	private final LoopStore store;

	private final CallNote<Open> open = new CallNote<>();

	private final CallsLeft left;

	LoopToolHook(String name, LoopConfig config, LimitStores stores) {
		this.name = name;
		this.settings = LoopSettings.of(config);
		this.store = stores.loops(name, this.settings);
		this.left = new CallsLeft(stores.kind());
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
	public boolean mayAsk() {
		return false;
	}

	@Override
	public ToolDecision preCall(ToolCall call) {
		Run run = Run.of(call.context(), this.settings.per());
		if (run == null) {
			return unknownRun();
		}
		String tool = run.toolOf(call);
		String key = Run.keyOf(call, tool);
		LoopStore.Entered answer = this.store.enter(run.key(), key, tool);
		int left = answer.looked().left();
		this.left.add((left < Integer.MAX_VALUE) ? left : -1, null);
		RunCalls.Finding finding = answer.looked().finding();
		if (finding.passes() && !this.open.leave(new Open(answer.run(), key, tool))) {
			this.store.leave(answer.run());
			return ToolDecision.deny(LimitKeys.ENDED);
		}
		return decision(finding);
	}

	@Override
	public CallsLeft left() {
		return this.left;
	}

	/** Each run has its own, and most end long before. */
	@Override
	public double remainingCalls() {
		return -1;
	}

	@Override
	public Report health() {
		return this.store.health();
	}

	/** A call that waits for a person is asked about again, and has been counted. */
	@Override
	public ToolDecision rehearse(ToolCall call) {
		if (CallNotes.ofThisThread().isResumed()) {
			return ToolDecision.approve();
		}
		Run run = Run.of(call.context(), this.settings.per());
		if (run == null) {
			return unknownRun();
		}
		String tool = run.toolOf(call);
		return decision(this.store.look(run.key(), Run.keyOf(call, tool), tool).finding());
	}

	private ToolDecision unknownRun() {
		return (this.settings.missing() == OnMissingKey.SKIP) ? ToolDecision.approve() : ToolDecision.deny(UNKNOWN_RUN);
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
		Open entered = this.open.take();
		if (entered == null) {
			return;
		}
		if (outcome.status() == ToolCallStatus.PENDING) {
			// It counts when it is resumed, if it is, on whatever node.
			this.store.leave(entered.run());
			return;
		}
		Boolean failed = switch (outcome.status()) {
			case SUCCEEDED, ANSWERED -> false;
			case FAILED -> true;
			default -> null;
		};
		String result = resultOf(outcome, this.settings.per());
		if (result != null) {
			this.store.end(entered.run(), entered.key(), entered.tool(), result, failed);
		}
	}

	/**
	 * That of the tool, which hooks may have replaced by something new each time;
	 * {@code null} if the agent learns of none.
	 */
	private static @Nullable String resultOf(ToolOutcome outcome, LoopConfig.Per per) {
		ToolResult result = (outcome.originalResult() != null) ? outcome.originalResult() : outcome.result();
		String id = String.valueOf(Run.idOf(outcome.effective().context(), per));
		return switch (outcome.status()) {
			case SUCCEEDED, FAILED, ANSWERED, DENIED -> (result != null)
					? digest(id, String.valueOf(result.succeeded()), result.content())
					: digest(id, "thrown", (outcome.failure() != null) ? outcome.failure().getClass().getName() : "");
			default -> null;
		};
	}

	/** So that a run needs little memory and keeps nothing secret. */
	static String digest(@Nullable String... texts) {
		MessageDigest digest = Sha256.digest();
		for (String text : texts) {
			byte[] bytes = (text != null) ? text.getBytes(StandardCharsets.UTF_16BE) : NOTHING;
			int length = (text != null) ? bytes.length : -1;
			// With its length no text can pass for another one, or for two.
			digest.update(new byte[] { (byte) (length >>> 24), (byte) (length >>> 16), (byte) (length >>> 8),
					(byte) length });
			digest.update(bytes);
		}
		return HexFormat.of().formatHex(digest.digest(), 0, DIGEST_BYTES);
	}

	/**
	 * The run, or the session of this user and agent if nobody counts runs. Digests have
	 * its id in them, so nobody sees whether two runs made the same call.
	 */
	record Run(String key, String id) {

		static @Nullable Run of(CallContext context, LoopConfig.Per per) {
			String id = idOf(context, per);
			if (id == null) {
				return null;
			}
			return new Run(StringUtils.hasLength(runOf(context, per)) ? digest("run", id)
					: digest("session", id, context.user(), context.agent()), id);
		}

		static @Nullable String idOf(CallContext context, LoopConfig.Per per) {
			String run = runOf(context, per);
			if (StringUtils.hasLength(run)) {
				return run;
			}
			return (StringUtils.hasLength(context.sessionId())) ? context.sessionId() : null;
		}

		private static @Nullable String runOf(CallContext context, LoopConfig.Per per) {
			return (per == LoopConfig.Per.RUN) ? context.rootRunId() : context.runId();
		}

		String toolOf(ToolCall call) {
			return digest(this.id, "tool", call.identity().server(), call.identity().name());
		}

		static String keyOf(ToolCall call, String tool) {
			return digest(tool, CanonicalJson.write(call.arguments()));
		}

	}

	private record Open(LoopStore.Run run, String key, String tool) {
	}

}
