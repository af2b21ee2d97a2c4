package io.agenthooks.flow;

import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import io.agenthooks.flow.ArgumentTexts.Asked;
import io.agenthooks.flow.Conversation.Turn;
import io.agenthooks.flow.FlowPlaces.Place;
import io.agenthooks.flow.FlowRules.Label;
import io.agenthooks.flow.FlowRules.Sink;
import io.agenthooks.flow.FlowSharing.Standing;
import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.RehearsedHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolCallStatus;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolIdentity;
import io.agenthooks.toolcall.ToolOutcome;
import io.agenthooks.toolcall.ToolResult;

/**
 * Asks a person, or denies, if a call with effects has values that nobody named who may,
 * once the agent has read what may be anyone's words. So a mail that says where to send
 * money to does not decide where it goes. What was read is remembered for a session, or
 * for a run that has none, as hashes. Calls of agents inside of tools belong to the
 * outermost one. A call that has neither session nor run counts as one after untrusted
 * data. The words of the user are those of the run that makes the call: two runs of a
 * session at once do not share them.
 *
 * @since 0.1.0
 */
public final class FlowToolHook implements RehearsedHook, PostToolHook {

	private final String name;

	private final FlowRules rules;

	private final FlowRuns runs;

	private final FlowSharing sharing;

	private final FlowPlaces places = new FlowPlaces();

	private final Launderers launderers = new Launderers();

	/**
	 * Create a hook. While its store does not answer, a session counts as one that has
	 * read untrusted and private data, and a call of a tool whose result other nodes
	 * would have to know of is denied.
	 * @param name the name of the hook
	 * @param rules where values may come from
	 * @param store keeps what nodes share, or {@code null} if they do not
	 */
	public FlowToolHook(String name, FlowRules rules, @Nullable FlowStore store) {
		this.name = Objects.requireNonNull(name, "'name' must not be null");
		this.rules = Objects.requireNonNull(rules, "'rules' must not be null");
		this.runs = new FlowRuns(rules.maxRuns());
		this.sharing = new FlowSharing(store);
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public boolean isRepeatable() {
		return true;
	}

	@Override
	public boolean mayAsk() {
		return !this.rules.deny();
	}

	@Override
	public ToolDecision preCall(ToolCall call) {
		Place place = this.places.find(call);
		FlowState state = (place.key() != null) ? begin(place.key(), place, call) : null;
		this.places.begin(call, place);
		ToolIdentity tool = call.identity();
		List<Sink> sinks = this.rules.sinksFor(tool);
		Standing standing = (place.key() != null && state != null) ? this.sharing.before(place.key(), state,
				!sinks.isEmpty(), this.rules.labelOf(tool) == Label.UNTRUSTED, this.rules.secret().test(tool))
				: Standing.CURRENT;
		if (place.key() != null && state != null && state.link() != null) {
			this.runs.update(place.key(), state);
		}
		if (standing == Standing.UNTOLD) {
			return ToolDecision.deny("The result of this tool has to be known on all nodes, and their store does not "
					+ "answer. Try again later");
		}
		if (sinks.isEmpty()) {
			return ToolDecision.approve();
		}
		return check(call, sinks, evidenceAt(place, state, standing == Standing.CURRENT)).decide();
	}

	@Override
	public ToolDecision rehearse(ToolCall call) {
		List<Sink> sinks = this.rules.sinksFor(call.identity());
		if (sinks.isEmpty()) {
			return ToolDecision.approve();
		}
		Place place = this.places.find(call);
		FlowState state = (place.key() != null) ? this.runs.find(place.key()) : null;
		boolean current = true;
		try {
			state = (place.key() != null) ? this.sharing.look(place.key(), state) : null;
		}
		catch (FlowSharing.UnknownException ex) {
			current = false;
		}
		return check(call, sinks, evidenceAt(place, state, current)).explain();
	}

	private SinkCheck check(ToolCall call, List<Sink> sinks, Evidence evidence) {
		return new SinkCheck(this.rules, call, sinks, evidence);
	}

	private FlowState begin(String key, Place place, ToolCall call) {
		Conversation conversation = place.conversation();
		FlowState state = stateOf(key, place);
		if (conversation != null && !place.inner() && state.meet() && place.goesOn()) {
			// Until now there were calls of which nobody said what was before.
			state.lose();
		}
		if (conversation != null && conversation.hasOthers()) {
			state.readPromptOfOthers(place.inside());
			this.launderers.addEnded(key, place.inside());
		}
		goOn(state, place);
		if (conversation != null && !place.inner()) {
			TextIndex words = conversation.words(this.sharing.fingerprint());
			if (words.size() > 0) {
				state.hear(place.run(), words);
			}
		}
		state.begin(call.id());
		this.runs.update(key, state);
		return state;
	}

	/**
	 * A turn that was resumed may have read something on another node of which this one
	 * does not know, although it knows the session.
	 */
	private void goOn(FlowState state, Place place) {
		Conversation conversation = place.conversation();
		if (conversation == null || !conversation.isResumed() || state.link() != null) {
			return;
		}
		List<Turn> results = conversation.results();
		if (results.isEmpty() && !state.hasHeard(place.run())) {
			state.lose();
		}
		for (Turn result : results) {
			ToolIdentity tool = Objects.requireNonNull(result.tool());
			state.lose(this.rules.labelOf(tool) == Label.UNTRUSTED, this.rules.secret().test(tool));
		}
	}

	/**
	 * Of what began elsewhere, or was forgotten, it is not known what was read before.
	 */
	private FlowState stateOf(String key, Place place) {
		return this.runs.get(key, (forgotten) -> {
			FlowState begun = this.sharing.begin(place.goesOn(), forgotten);
			if (place.conversation() != null && !place.inner()) {
				boolean unused = begun.meet();
			}
			return begun;
		});
	}

	private Evidence evidenceAt(Place place, @Nullable FlowState state, boolean current) {
		Conversation conversation = place.conversation();
		FlowState.View view = (state != null) ? state.view() : null;
		boolean untrusted = view == null
				&& (place.key() == null || place.inner() || this.runs.isForgotten(place.key()));
		boolean secret = untrusted;
		if (view != null) {
			untrusted = view.isUntrusted();
			secret = view.isSecret();
		}
		untrusted = untrusted || !current;
		secret = secret || !current;
		if (conversation != null) {
			untrusted = untrusted || conversation.hasOthers();
			for (Turn result : conversation.results()) {
				ToolIdentity tool = Objects.requireNonNull(result.tool());
				untrusted = untrusted || this.rules.labelOf(tool) == Label.UNTRUSTED;
				secret = secret || this.rules.secret().test(tool);
			}
		}
		Fingerprint fingerprint = this.sharing.fingerprint();
		return new Evidence(fingerprint, view, (state != null) ? wordsOf(place, state) : TextIndex.EMPTY,
				(conversation != null) ? conversation.others(fingerprint) : TextIndex.EMPTY, untrusted, secret);
	}

	@Override
	public void postCall(ToolOutcome outcome) {
		ToolCall call = outcome.effective();
		Place place = this.places.end(call);
		String key = place.key();
		if (key == null) {
			return;
		}
		if (!hasResult(outcome)) {
			// One that was refused need not say what was before.
			FlowState known = (place.conversation() != null) ? stateOf(key, place) : this.runs.find(key);
			if (known != null) {
				goOn(known, place);
				known.endWithout(call.id());
				this.runs.update(key, known);
			}
			return;
		}
		FlowState state = stateOf(key, place);
		ToolIdentity tool = call.identity();
		if (this.rules.labelOf(tool) == Label.TRUSTED) {
			// Before it is tested: an agent inside of it may read something now.
			this.launderers.remember(call.id(), key, tool);
		}
		Label label = labelOf(tool, outcome.status());
		ToolResult result = outcome.result();
		Fingerprint fingerprint = this.sharing.fingerprint();
		int room = state.room();
		Asked asked = (label == Label.TRUSTED)
				? ArgumentTexts.read(fingerprint, call.arguments(), wordsOf(place, state)) : null;
		FlowState.Ended ended = state.end(call.id(), tool, label, this.rules.secret().test(tool),
				(result != null && room > 0) ? read(result, label, asked, room) : TextIndex.EMPTY,
				(asked != null) ? asked.index() : TextIndex.EMPTY, place.inside());
		if (ended.laundered() && label == Label.TRUSTED) {
			this.launderers.add(tool);
		}
		if (ended.seen().label() == Label.UNTRUSTED) {
			this.launderers.addEnded(key, place.inside());
		}
		this.runs.update(key, state);
		if (this.sharing.after(key, state, ended.seen())) {
			this.runs.update(key, state);
		}
	}

	/**
	 * A trusted tool names nothing that it only says again, and nothing at all if it is
	 * not known what it was asked.
	 */
	private TextIndex read(ToolResult result, Label label, @Nullable Asked asked, int room) {
		// What does not fit is not remembered, and need not be read to its end.
		int max = Math.min(room + 1, FlowState.MAX_HASHES);
		String text = ArgumentTexts.unescaped(result.content());
		if (label != Label.TRUSTED) {
			return Tokens.read(this.sharing.fingerprint(), text, max);
		}
		return (asked != null) ? Tokens.readResult(this.sharing.fingerprint(), text, max, asked.echo())
				: TextIndex.EMPTY;
	}

	/** A failure names nothing. */
	private Label labelOf(ToolIdentity tool, ToolCallStatus status) {
		Label label = this.rules.labelOf(tool);
		if (label != Label.TRUSTED) {
			return label;
		}
		if (this.launderers.contain(tool)) {
			return Label.UNTRUSTED;
		}
		return (status != ToolCallStatus.FAILED) ? Label.TRUSTED : Label.NEUTRAL;
	}

	private TextIndex wordsOf(Place place, FlowState state) {
		Conversation conversation = place.conversation();
		TextIndex words = (conversation != null && !place.inner()) ? conversation.words(this.sharing.fingerprint())
				: TextIndex.EMPTY;
		return (words.size() > 0) ? words : state.words(place.run());
	}

	/**
	 * Whether the agent may have got something that a tool returned, or a hook in its
	 * place.
	 */
	private static boolean hasResult(ToolOutcome outcome) {
		return switch (outcome.status()) {
			case SUCCEEDED, FAILED, ANSWERED -> true;
			case ABORTED -> outcome.originalResult() != null;
			case DENIED, PENDING, DISABLED -> outcome.originalResult() != null;
		};
	}

	/**
	 * Forget a run that is over. What belongs to a session stays.
	 * @param run the id of the run
	 * @param late whether calls of it may still come; they then count as ones after
	 * untrusted data, if it has read something untrusted or private
	 */
	public void endRun(String run, boolean late) {
		this.runs.end(FlowPlaces.keyOfRun(run), late);
	}

	int runs() {
		return this.runs.size();
	}

	long hashes() {
		return this.runs.hashes();
	}

}
