package io.agenthooks.flow;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;

import io.agenthooks.CallContext;
import io.agenthooks.HookRule;
import io.agenthooks.SafeText;
import io.agenthooks.chain.HookedCall;
import io.agenthooks.chain.Nesting;
import io.agenthooks.flow.Conversation.Turn;
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
 * money to does not decide where it goes.
 * <p>
 * What was read is remembered for a session, or for a run that has none, as hashes. Calls
 * of agents inside of tools belong to the outermost one. Of a call that has neither
 * session nor run nothing is known: it counts as one after untrusted data, whose values
 * nobody has named. The words of the user are those of the run that makes the call, with
 * what it can see of earlier ones: two runs of a session at once do not share them.
 *
 * @since 0.1.0
 */
public final class FlowToolHook implements RehearsedHook, PostToolHook {

	private static final int MAX_LAUNDERERS = 10_000;

	private static final int MAX_CALLS = 10_000;

	private final String name;

	private final FlowRules rules;

	private final FlowRuns runs;

	private final FlowSharing sharing;

	/** Where the calls belong that began. */
	private final Map<Begun, Place> places = lastUsed();

	/** The tools of calls that ended, which an agent inside of them may outlive. */
	private final Map<Begun, String> ended = lastUsed();

	/** Tools inside of which an agent has read something untrusted. */
	private final Set<String> launderers = ConcurrentHashMap.newKeySet();

	/**
	 * Create a hook.
	 * @param name the name of the hook
	 * @param rules where values may come from
	 */
	public FlowToolHook(String name, FlowRules rules) {
		this(name, rules, null);
	}

	/**
	 * Create a hook that shares what it remembers with other nodes. While the store does
	 * not answer, a session counts as one that has read untrusted and private data, and a
	 * call of a tool whose result other nodes would have to know of is denied: a session
	 * may go on there.
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

	private static <K, V> Map<K, V> lastUsed() {
		return Collections.synchronizedMap(new LinkedHashMap<>(16, 0.75f, true) {

			private static final long serialVersionUID = 1L;

			@Override
			protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
				return size() > MAX_CALLS;
			}

		});
	}

	@Override
	public String name() {
		return this.name;
	}

	/**
	 * It is asked about the final arguments.
	 */
	@Override
	public boolean isRepeatable() {
		return true;
	}

	@Override
	public ToolDecision preCall(ToolCall call) {
		Place place = placeOf(call);
		FlowState state = (place.key() != null) ? begin(place.key(), place, call) : null;
		this.places.put(Begun.of(call), place.withoutConversation());
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
		Known known = knownTo(place, state, standing == Standing.CURRENT);
		return (isArmed(known)) ? decide(call, sinks, known).decision() : ToolDecision.approve();
	}

	@Override
	public ToolDecision rehearse(ToolCall call) {
		List<Sink> sinks = this.rules.sinksFor(call.identity());
		if (sinks.isEmpty()) {
			return ToolDecision.approve();
		}
		Place place = placeOf(call);
		FlowState state = (place.key() != null) ? this.runs.find(place.key()) : null;
		boolean current = true;
		try {
			state = (place.key() != null) ? this.sharing.look(place.key(), state) : null;
		}
		catch (FlowSharing.UnknownException ex) {
			current = false;
		}
		Finding finding = decide(call, sinks, knownTo(place, state, current));
		ToolDecision decision = finding.decision();
		HookRule rule = decision.rule();
		if (rule == null) {
			return (finding.origins().isEmpty()) ? decision
					: decision.withAdditionalContext(String.join("; ", finding.origins()));
		}
		return (finding.named().isEmpty()) ? decision
				: decision.withRule(HookRule.of(rule.name() + "; " + String.join("; ", finding.named())));
	}

	/**
	 * Where a call belongs: there where the calls of this thread do inside of which it is
	 * made. The outermost of them may be one of an agent that works inside of a tool on
	 * another thread.
	 */
	private Place placeOf(ToolCall call) {
		Conversation conversation = Conversation.ofThisThread();
		CallContext outermost = (conversation != null) ? conversation.within() : null;
		CallContext ofThread = null;
		Place known = null;
		Set<String> inside = (conversation != null) ? conversation.inside() : Set.of();
		for (HookedCall outer : Nesting.ofThisThread().calls()) {
			if (outer instanceof ToolCall && !outer.id().equals(call.id())) {
				ofThread = (ofThread != null) ? ofThread : outer.context();
				known = (known != null) ? known : this.places.get(Begun.of(outer));
				inside = new HashSet<>(inside);
				inside.add(outer.id());
			}
		}
		if (known != null) {
			if (known.inside() != null) {
				inside.addAll(known.inside());
			}
			return new Place(known.key(), known.run(), conversation, inside);
		}
		outermost = (outermost != null) ? outermost : ofThread;
		CallContext context = (outermost != null) ? outermost : call.context();
		String run = context.runId();
		return new Place(keyOf(context), (run != null) ? run : "", conversation, (outermost != null) ? inside : null);
	}

	private static @Nullable String keyOf(CallContext context) {
		String session = context.sessionId();
		if (session != null && !session.isEmpty()) {
			String user = context.user();
			return "session " + session.length() + " " + session + " " + ((user != null) ? user : "");
		}
		String run = context.runId();
		return (run != null && !run.isEmpty()) ? keyOfRun(run) : null;
	}

	private static String keyOfRun(String run) {
		return "run " + run;
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
			distrust(key, place.inside());
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
	 * An agent that is a tool has read something untrusted. One that outlives its call
	 * may hand it on in a later call of the same tool.
	 */
	private void distrust(String key, @Nullable Set<String> inside) {
		if (inside != null) {
			for (String call : inside) {
				String tool = this.ended.get(new Begun(call, key, ""));
				if (tool != null) {
					this.launderers.add(tool);
				}
			}
		}
	}

	/**
	 * What is remembered. Of what began elsewhere, or was forgotten, it is not known what
	 * was read before.
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

	/**
	 * What is known at a call.
	 * @param current whether nobody else may know more
	 */
	private Known knownTo(Place place, @Nullable FlowState state, boolean current) {
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
		return new Known(fingerprint, view, (state != null) ? wordsOf(place, state) : TextIndex.EMPTY,
				(conversation != null) ? conversation.others(fingerprint) : TextIndex.EMPTY, untrusted, secret);
	}

	private boolean isTrusted(ToolIdentity tool) {
		return this.rules.labelOf(tool) == Label.TRUSTED && this.launderers.size() < MAX_LAUNDERERS
				&& !this.launderers.contains(tool.stableName());
	}

	/**
	 * Whether it matters who named the values of a call.
	 */
	private boolean isArmed(Known known) {
		return this.rules.always() || known.untrusted();
	}

	private Finding decide(ToolCall call, List<Sink> sinks, Known known) {
		List<String> origins = new ArrayList<>();
		List<String> named = new ArrayList<>();
		List<String> problems = new ArrayList<>();
		for (Sink sink : sinks) {
			if (sink.namedBy().isEmpty()) {
				problems.add(known.after());
			}
			ValueCheck check = new ValueCheck(known);
			sink.namedBy().forEach((argument, sources) -> {
				Object value = ValueCheck.find(call.arguments(), argument);
				String problem = check.problem(value, sources);
				String origin = "'" + SafeText.name(argument) + "': " + check.origin(value, problem);
				origins.add(origin);
				if (problem != null) {
					problems.add("'" + SafeText.name(argument) + "' is " + problem);
				}
				else {
					named.add(origin);
				}
			});
		}
		if (problems.isEmpty() || !isArmed(known)) {
			return new Finding(ToolDecision.approve(), origins, named);
		}
		String what = String.join("; ", problems.stream().distinct().toList());
		HookRule rule = HookRule.of(what);
		return new Finding(
				(this.rules.deny()) ? ToolDecision
					.deny("The agent has read untrusted data, and nobody who may has named the values of this call")
					.withRule(rule)
						: ToolDecision.ask("May '" + SafeText.name(call.tool()) + "' be called? " + what)
							.withRule(rule),
				origins, named);
	}

	@Override
	public void postCall(ToolOutcome outcome) {
		ToolCall call = outcome.effective();
		Place place = placeOf(call);
		this.places.remove(Begun.of(call));
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
		Label label = this.rules.labelOf(tool);
		if (label == Label.TRUSTED) {
			this.ended.put(new Begun(call.id(), key, ""), tool.stableName());
		}
		if (label == Label.TRUSTED && !(isTrusted(tool) && outcome.status() != ToolCallStatus.FAILED)) {
			label = (isTrusted(tool)) ? Label.NEUTRAL : Label.UNTRUSTED;
		}
		ToolResult result = outcome.result();
		Fingerprint fingerprint = this.sharing.fingerprint();
		int room = state.room();
		// What does not fit is not remembered, and need not be read to its end.
		TextIndex text = (result != null && room > 0) ? Tokens.read(fingerprint,
				ArgumentTexts.unescaped(result.content()), Math.min(room + 1, FlowState.MAX_HASHES)) : TextIndex.EMPTY;
		TextIndex asked = (label == Label.TRUSTED)
				? ArgumentTexts.read(fingerprint, call.arguments(), wordsOf(place, state)) : TextIndex.EMPTY;
		FlowState.Ended ended = state.end(call.id(), tool, label, this.rules.secret().test(tool),
				(asked != null) ? text : TextIndex.EMPTY, (asked != null) ? asked : TextIndex.EMPTY, place.inside());
		if (ended.laundered() && label == Label.TRUSTED) {
			this.launderers.add(tool.stableName());
		}
		if (ended.seen().label() == Label.UNTRUSTED) {
			distrust(key, place.inside());
		}
		this.runs.update(key, state);
		if (this.sharing.after(key, state, ended.seen())) {
			this.runs.update(key, state);
		}
	}

	private TextIndex wordsOf(Place place, FlowState state) {
		Conversation conversation = place.conversation();
		TextIndex words = (conversation != null && !place.inner()) ? conversation.words(this.sharing.fingerprint())
				: TextIndex.EMPTY;
		return (words.size() > 0) ? words : state.words(place.run());
	}

	/**
	 * Whether the agent may have got something that a tool returned, or somebody in its
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
		this.runs.end(keyOfRun(run), late);
	}

	int runs() {
		return this.runs.size();
	}

	long hashes() {
		return this.runs.hashes();
	}

	/**
	 * What a call is found by. Two calls of different callers may have the same id.
	 *
	 * @param id the id of the call
	 * @param key by what its caller is remembered, or {@code null} if by nothing
	 * @param run the run of its caller, or an empty text
	 */
	private record Begun(String id, @Nullable String key, String run) {

		static Begun of(HookedCall call) {
			CallContext context = call.context();
			return new Begun(call.id(), keyOf(context), Objects.requireNonNullElse(context.runId(), ""));
		}

	}

	/**
	 * Where a call belongs.
	 *
	 * @param key by what it is remembered, or {@code null} if by nothing
	 * @param run the run of the outermost agent, or an empty text
	 * @param conversation what the model read, or {@code null} if that is not known
	 * @param inside the calls inside of which it is made, as far as they are known, or
	 * {@code null} if it is made by the outermost agent
	 */
	private record Place(@Nullable String key, String run, @Nullable Conversation conversation,
			@Nullable Set<String> inside) {

		/**
		 * Whether the call is made by an agent inside of a tool.
		 */
		boolean inner() {
			return this.inside != null;
		}

		Place withoutConversation() {
			return new Place(this.key, this.run, null, this.inside);
		}

		/**
		 * Whether something may have been read before that is not known here.
		 */
		boolean goesOn() {
			return inner() || (this.conversation != null && this.conversation.hasEarlierTurns());
		}

	}

	/**
	 * What is known at a call.
	 *
	 * @param fingerprint what hashes are taken
	 * @param view what is remembered, or {@code null} if nothing is
	 * @param words what the user wrote, as far as this run can see it
	 * @param others what others wrote into the prompt
	 * @param untrusted whether there is something untrusted
	 * @param secret whether there is something private
	 */
	record Known(Fingerprint fingerprint, FlowState.@Nullable View view, TextIndex words, TextIndex others,
			boolean untrusted, boolean secret) {

		/**
		 * The result of a trusted tool that has named a value, in words, or {@code null}
		 * if there is none.
		 */
		@Nullable String trustedOrigin(Meaning value) {
			if (this.view == null || (this.secret && this.untrusted)) {
				return null;
			}
			for (FlowState.Seen seen : this.view.results()) {
				if (seen.names(value)) {
					return "the result of " + SafeText.name(seen.tool().modelName()) + ", call " + seen.call();
				}
			}
			return null;
		}

		/**
		 * After what a call comes, in words.
		 */
		String after() {
			if (this.view != null) {
				for (FlowState.Seen seen : this.view.results()) {
					if (seen.label() == Label.UNTRUSTED) {
						return "it comes after the result of %s, call %d, which is untrusted"
							.formatted(SafeText.name(seen.tool().modelName()), seen.call());
					}
				}
			}
			if (this.others.size() > 0) {
				return "it comes after what others wrote into the prompt";
			}
			return (this.untrusted) ? "it comes after untrusted data" : "every call of it is asked about";
		}

	}

	/**
	 * What was found.
	 *
	 * @param decision the decision
	 * @param origins where each argument comes from
	 * @param named the same of those that somebody named who may
	 */
	private record Finding(ToolDecision decision, List<String> origins, List<String> named) {
	}

}
