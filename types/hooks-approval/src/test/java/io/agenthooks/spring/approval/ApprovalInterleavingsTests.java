package io.agenthooks.spring.approval;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.agenthooks.spring.suspend.ApprovalAnswer.Verdict;
import io.agenthooks.spring.suspend.ApprovalRefusedException;
import io.agenthooks.spring.suspend.ApprovalRequest;
import io.agenthooks.spring.suspend.ApprovalRequest.Vote;
import io.agenthooks.spring.suspend.ApprovalState;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Explores every order in which two nodes can ask, read, answer, claim, expire and cancel
 * one question, each as two steps: read the row, and put the next one in its place if the
 * revision is still the same. Who claimed runs the tool, and then records the result; who
 * finds a denial records that. A node may stop for ever between any two steps, since no
 * other has to wait for it; clocks of nodes differ.
 */
@Timeout(660)
class ApprovalInterleavingsTests {

	private static final Instant IN_TIME = Questions.NOW.plusSeconds(1);

	private static final Instant OVER = Questions.NOW.plus(Questions.TIMEOUT);

	/** More votes than this make no new case, and the exploration has to end. */
	private static final int MAX_VOTES = 3;

	/** The tool runs. */
	private static final String RUN = "run";

	/** The tool ran, and its result is recorded. */
	private static final String RAN = "ran";

	/** The denial is recorded. */
	private static final String DENIED = "denied";

	private static final Map<String, BiFunction<ApprovalRequest, Instant, ApprovalRequest>> STEPS = steps();

	private static Map<String, BiFunction<ApprovalRequest, Instant, ApprovalRequest>> steps() {
		Map<String, BiFunction<ApprovalRequest, Instant, ApprovalRequest>> steps = new LinkedHashMap<>();
		for (String person : List.of("ann", "bob")) {
			for (Verdict verdict : Verdict.values()) {
				steps.put(person + " " + verdict, (request, now) -> Questions.answered(request, person, verdict, now));
			}
		}
		steps.put("claim", ApprovalRules::claimed);
		steps.put("expire", ApprovalRules::expired);
		steps.put("cancel", (request, now) -> ApprovalRules.cancelled(request));
		return steps;
	}

	@Test
	void noOrderOfTwoNodesClaimsTwiceOrWithoutApprovalOfTheseArguments() {
		assertNoOrderViolates(1);
	}

	@Test
	@Tag("slow")
	void noOrderOfTwoNodesClaimsTwiceOrWithoutBothApprovalsOfTheseArguments() {
		assertNoOrderViolates(2);
	}

	private static void assertNoOrderViolates(int approvals) {
		Exploration exploration = new Exploration(true);
		exploration.run(approvals);
		assertThat(exploration.violations).isEmpty();
		assertThat(exploration.ends.keySet()).containsExactlyInAnyOrder(ApprovalState.CLAIMED, ApprovalState.DENIED,
				ApprovalState.EXPIRED, ApprovalState.CANCELLED);
		assertThat(exploration.worlds()).hasSizeGreaterThan(1_000)
			.anyMatch((world) -> world.runs() == 1 && "ran".equals(world.result()))
			.anyMatch((world) -> world.runs() == 1 && world.result() == null)
			.anyMatch((world) -> world.runs() == 0 && "denied".equals(world.result()));
	}

	/**
	 * Else the test above could pass since it looks at nothing.
	 */
	@Test
	void storeWithoutCompareAndSetIsCaught() {
		Exploration exploration = new Exploration(false);
		assertThat(exploration.finds(1, "claimed twice", "ran twice", "left")).isTrue();
	}

	/**
	 * What the row says, what each node has read and wants to do, how often the call was
	 * claimed and ran, and the result that is recorded.
	 */
	private record World(@Nullable Row row, List<Node> nodes, int claims, int runs, @Nullable String result) {

		World with(int index, Node node) {
			List<Node> changed = new ArrayList<>(this.nodes);
			changed.set(index, node);
			return new World(this.row, changed, this.claims, this.runs, this.result);
		}

		/**
		 * The same world, with its nodes in an order of their own: which is the first one
		 * makes no difference.
		 */
		World inOrder() {
			return new World(this.row, this.nodes.stream().sorted(Node.ORDER).toList(), this.claims, this.runs,
					this.result);
		}

	}

	/**
	 * A question of which there is one object, so that many worlds are quickly compared.
	 */
	private static final class Row {

		private final ApprovalRequest request;

		private final int number;

		Row(ApprovalRequest request, int number) {
			this.request = request;
			this.number = number;
		}

		static int numberOf(@Nullable Row row) {
			return (row != null) ? row.number : -1;
		}

		boolean isEnd() {
			return ApprovalRules.isEnd(this.request.state());
		}

	}

	/**
	 * A node between its two steps, or before the first one.
	 *
	 * @param step what it does, or {@code null}
	 * @param read what it has read, or {@code null} if there was no question
	 * @param late whether its clock says that the time is over
	 */
	private record Node(@Nullable String step, @Nullable Row read, boolean late) {

		static final Node IDLE = new Node(null, null, false);

		static final Comparator<Node> ORDER = Comparator
			.comparing(Node::step, Comparator.nullsFirst(Comparator.<String>naturalOrder()))
			.thenComparingInt((node) -> Row.numberOf(node.read()))
			.thenComparing(Node::late);

	}

	private static final class Exploration {

		private static final World START = new World(null, List.of(Node.IDLE, Node.IDLE), 0, 0, null);

		private final boolean comparing;

		private final Map<World, Integer> numbers = new HashMap<>();

		/** By their numbers. */
		private final List<World> worlds = new ArrayList<>();

		/** The numbers of those that follow each. */
		private final List<int[]> next = new ArrayList<>();

		private final Map<ApprovalRequest, Row> rows = new HashMap<>();

		private final Set<String> violations = new HashSet<>();

		private final Map<ApprovalState, Integer> ends = new EnumMap<>(ApprovalState.class);

		Exploration(boolean comparing) {
			this.comparing = comparing;
		}

		List<World> worlds() {
			return this.worlds;
		}

		void run(int approvals) {
			int unused = number(START);
			// They become more on the way.
			for (int i = 0; i < this.worlds.size(); i++) {
				this.next.add(following(this.worlds.get(i), approvals).stream().mapToInt(this::number).toArray());
			}
			for (World world : this.worlds) {
				if (world.row() != null && world.row().isEnd()) {
					this.ends.merge(world.row().request.state(), 1, Integer::sum);
				}
			}
			everyWorldReachesAnEnd();
		}

		/**
		 * Explore only until these are found.
		 */
		boolean finds(int approvals, String... beginnings) {
			int unused = number(START);
			boolean found = false;
			for (int i = 0; i < this.worlds.size() && !found; i++) {
				following(this.worlds.get(i), approvals).forEach(this::number);
				found = Arrays.stream(beginnings)
					.allMatch((beginning) -> this.violations.stream()
						.anyMatch((violation) -> violation.startsWith(beginning)));
			}
			return found;
		}

		private int number(World world) {
			World ordered = world.inOrder();
			Integer known = this.numbers.putIfAbsent(ordered, this.worlds.size());
			if (known != null) {
				return known;
			}
			this.worlds.add(ordered);
			return this.worlds.size() - 1;
		}

		private Set<World> following(World world, int approvals) {
			Set<World> following = new HashSet<>();
			for (int i = 0; i < world.nodes().size(); i++) {
				Node node = world.nodes().get(i);
				if (node.step() != null) {
					following.add(write(world, i, node, approvals));
					// Killed between its steps, and started again.
					following.add(world.with(i, Node.IDLE));
				}
				else if (world.row() == null) {
					following.add(world.with(i, new Node("ask", null, false)));
				}
				else {
					if (world.row().isEnd() && world.row().request.state() != ApprovalState.CLAIMED) {
						following.add(world.with(i, new Node(DENIED, world.row(), false)));
					}
					for (String step : STEPS.keySet()) {
						following.add(world.with(i, new Node(step, world.row(), false)));
						following.add(world.with(i, new Node(step, world.row(), true)));
					}
				}
			}
			return following;
		}

		@SuppressWarnings("ReferenceEquality") // the same object says that nothing
												// changed
		private World write(World world, int index, Node node, int approvals) {
			World idle = world.with(index, Node.IDLE);
			Row row = world.row();
			if (RUN.equals(node.step())) {
				return run(world, index, node);
			}
			if (RAN.equals(node.step()) || DENIED.equals(node.step())) {
				return record(idle, Objects.requireNonNull(node.step()));
			}
			if ("ask".equals(node.step())) {
				ApprovalRequest asked = Questions.question("q", "asked", "s", approvals, Questions.NOW);
				return (row != null) ? idle : new World(row(asked), idle.nodes(), 0, 0, null);
			}
			Row read = node.read();
			ApprovalRequest changed = (read != null) ? apply(node, read.request) : null;
			if (row == null || read == null || changed == null || changed == read.request
					|| changed.votes().size() > MAX_VOTES) {
				return idle;
			}
			if (this.comparing && row.request.revision() != read.request.revision()) {
				return idle;
			}
			int claims = world.claims() + ((changed.state() == ApprovalState.CLAIMED) ? 1 : 0);
			check(row.request, changed, claims, node);
			// A third claim says nothing new.
			World after = new World(row(changed), idle.nodes(), Math.min(claims, 2), world.runs(), world.result());
			return (changed.state() == ApprovalState.CLAIMED)
					? after.with(index, new Node(RUN, row(changed), node.late())) : after;
		}

		/**
		 * Who claimed runs the tool, whatever others do meanwhile.
		 */
		private World run(World world, int index, Node node) {
			if (world.runs() > 0) {
				this.violations.add("ran twice");
			}
			if (world.result() != null) {
				this.violations.add("ran after its result was told");
			}
			World after = world.with(index, new Node(RAN, node.read(), node.late()));
			return new World(after.row(), after.nodes(), after.claims(), Math.min(after.runs() + 1, 2), after.result());
		}

		/**
		 * The first result stays.
		 */
		private World record(World idle, String result) {
			if (idle.result() != null) {
				return idle;
			}
			if (result.equals(DENIED) && this.comparing && idle.runs() > 0) {
				this.violations.add("told denied though it ran");
			}
			return new World(idle.row(), idle.nodes(), idle.claims(), idle.runs(), result);
		}

		private Row row(ApprovalRequest request) {
			return this.rows.computeIfAbsent(request, (key) -> new Row(key, this.rows.size()));
		}

		private static @Nullable ApprovalRequest apply(Node node, ApprovalRequest read) {
			try {
				return Objects.requireNonNull(STEPS.get(node.step())).apply(read, (node.late()) ? OVER : IN_TIME);
			}
			catch (ApprovalRefusedException ex) {
				return null;
			}
		}

		private void check(ApprovalRequest before, ApprovalRequest after, int claims, Node node) {
			if (ApprovalRules.isEnd(before.state())) {
				this.violations.add("left %s by %s".formatted(before.state(), node.step()));
			}
			if (this.comparing && after.revision() != before.revision() + 1) {
				this.violations.add("skipped a revision by " + node.step());
			}
			if (claims > 1) {
				this.violations.add("claimed twice");
			}
			if (after.state() == ApprovalState.CLAIMED || after.state() == ApprovalState.APPROVED) {
				checkApprovals(after);
			}
		}

		/**
		 * Counts in its own way, from the votes alone.
		 */
		private void checkApprovals(ApprovalRequest request) {
			String arguments = "{\"to\":\"a\"}";
			Map<String, Set<String>> approversOf = new HashMap<>();
			int edit = 0;
			for (Vote vote : request.votes()) {
				if (vote.verdict() == Verdict.EDIT) {
					// The test edits to the same, but each edit is for itself.
					edit++;
					arguments = Questions.EDIT.arguments();
				}
				if (vote.verdict() == Verdict.DENY) {
					this.violations.add("approved though denied");
				}
				approversOf.computeIfAbsent(arguments + edit, (key) -> new HashSet<>()).add(vote.person());
			}
			if (!request.arguments().equals(arguments)) {
				this.violations.add("approved other arguments");
			}
			if (approversOf.getOrDefault(arguments + edit, Set.of()).size() < request.approvals()) {
				this.violations.add("approved by too few");
			}
		}

		/**
		 * Goes back from the ends: whatever is not met could never come to one.
		 */
		private void everyWorldReachesAnEnd() {
			BitSet met = new BitSet();
			int before;
			do {
				before = met.cardinality();
				for (int i = this.worlds.size() - 1; i >= 0; i--) {
					Row row = this.worlds.get(i).row();
					if ((row != null && row.isEnd()) || Arrays.stream(this.next.get(i)).anyMatch(met::get)) {
						met.set(i);
					}
				}
			}
			while (met.cardinality() > before);
			if (before != this.worlds.size()) {
				this.violations.add("%d worlds never end".formatted(this.worlds.size() - before));
			}
		}

	}

}
