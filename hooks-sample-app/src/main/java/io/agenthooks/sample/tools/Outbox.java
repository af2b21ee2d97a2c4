package io.agenthooks.sample.tools;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

import org.springframework.stereotype.Component;

/** Holds the last e-mails that were sent. They go nowhere. */
@Component
class Outbox {

	private static final int CAPACITY = 100;

	private final Deque<Email> emails = new ArrayDeque<>();

	synchronized void send(Email email) {
		if (this.emails.size() == CAPACITY) {
			this.emails.removeFirst();
		}
		this.emails.addLast(email);
	}

	synchronized List<Email> emails() {
		return List.copyOf(this.emails);
	}

	/** An e-mail. */
	record Email(String to, String subject, String body) {

	}

}
