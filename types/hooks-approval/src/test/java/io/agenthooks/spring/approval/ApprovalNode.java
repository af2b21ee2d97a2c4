package io.agenthooks.spring.approval;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Scanner;
import java.util.concurrent.locks.LockSupport;

import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import io.agenthooks.spring.suspend.ApprovalAnswer.Verdict;
import io.agenthooks.spring.suspend.ApprovalRefusedException;
import io.agenthooks.spring.suspend.ApprovalRequest;
import io.agenthooks.spring.suspend.ApprovalState;

/**
 * A node that answers, claims, expires and cancels questions until all are at an end, or
 * until it is killed.
 */
@SuppressWarnings("ReferenceEquality") // the same object says that nothing changed
public final class ApprovalNode {

	/** What a node waits before it asks again for a database that is away. */
	private static final long RETRY_NANOS = Duration.ofMillis(100).toNanos();

	private final ApprovalStore store;

	private final SingleConnectionDataSource dataSource;

	private final Random random;

	private final Duration skew;

	private final Scanner allowed = new Scanner(System.in, StandardCharsets.US_ASCII);

	private int steps;

	private ApprovalNode(SingleConnectionDataSource dataSource, Random random, Duration skew) {
		this.store = JdbcApprovalStore.open(dataSource, "shop");
		this.dataSource = dataSource;
		this.random = random;
		this.skew = skew;
	}

	/**
	 * Read how many steps to do next, print a line before each half of a step, one for
	 * each call that ran, and one whenever the database is away.
	 * @param arguments the address of the database, how many questions there are, the
	 * seed, and by how much the clock is wrong
	 */
	public static void main(String[] arguments) {
		SingleConnectionDataSource dataSource = new SingleConnectionDataSource(arguments[0], true);
		new ApprovalNode(dataSource, new Random(Long.parseLong(arguments[2])), Duration.parse(arguments[3]))
			.run(Integer.parseInt(arguments[1]));
		dataSource.destroy();
	}

	private void run(int questions) {
		List<String> open = new ArrayList<>();
		for (int i = 0; i < questions; i++) {
			open.add("q" + i);
		}
		System.out.println("ready");
		while (!open.isEmpty()) {
			Collections.shuffle(open, this.random);
			try {
				open.removeIf(this::isAtAnEndAfterAStep);
			}
			catch (RuntimeException ex) {
				System.out.println("away");
				LockSupport.parkNanos(RETRY_NANOS);
				this.dataSource.resetConnection();
			}
		}
		System.out.println("done");
	}

	private boolean isAtAnEndAfterAStep(String id) {
		ApprovalRequest read = this.store.find(id).orElseThrow();
		if (ApprovalRules.isEnd(read.state())) {
			return true;
		}
		while (this.steps == 0) {
			this.steps = this.allowed.nextInt();
		}
		this.steps--;
		System.out.println("step");
		try {
			ApprovalRequest next = step(read);
			System.out.println("step");
			boolean replaced = next != read && this.store.replace(read, next, now());
			if (replaced && next.state() == ApprovalState.CLAIMED) {
				// Here the tool would run.
				System.out.println("ran " + id + " " + next.arguments());
			}
		}
		catch (ApprovalRefusedException ex) {
			System.out.println("refused");
		}
		return false;
	}

	private ApprovalRequest step(ApprovalRequest read) {
		ApprovalRequest expired = ApprovalRules.expired(read, now());
		if (expired != read) {
			return expired;
		}
		int dice = this.random.nextInt(100);
		if (dice < 3) {
			return ApprovalRules.cancelled(read);
		}
		if (read.state() == ApprovalState.APPROVED) {
			return ApprovalRules.claimed(read, now());
		}
		Verdict verdict = (dice < 8) ? Verdict.DENY : (dice < 30) ? Verdict.EDIT : Verdict.APPROVE;
		return Questions.answered(read, (this.random.nextBoolean()) ? "ann" : "bob", verdict, now());
	}

	private Instant now() {
		return Instant.now().plus(this.skew);
	}

}
