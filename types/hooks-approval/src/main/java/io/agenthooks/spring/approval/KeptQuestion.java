package io.agenthooks.spring.approval;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.regex.Pattern;

import io.agenthooks.SafeText;
import io.agenthooks.spring.json.InvalidJsonException;
import io.agenthooks.spring.suspend.ApprovalRequest;

/** One text, and beside it what is searched for. */
record KeptQuestion(String id, String state, int revision, String fingerprint, String request) {

	/** No person can judge a longer question, and all of it is written with each step. */
	static final int MAX_LENGTH = 4 * 1024 * 1024;

	private static final SecureRandom random = new SecureRandom();

	private static final Pattern ID = Pattern.compile("[A-Za-z0-9_-]{1,64}");

	static String newId() {
		byte[] id = new byte[16];
		random.nextBytes(id);
		return HexFormat.of().formatHex(id);
	}

	static boolean isId(String id) {
		return ID.matcher(id).matches();
	}

	static void checkId(String id) {
		if (!isId(id)) {
			throw new IllegalArgumentException("'id' must consist of 1 to 64 letters, digits, '-' and '_'");
		}
	}

	static String write(ApprovalRequest request) {
		String line = ApprovalJson.write(request);
		if (line.length() > MAX_LENGTH) {
			throw new IllegalArgumentException(
					"The question is longer than the %d characters that are kept".formatted(MAX_LENGTH));
		}
		return line;
	}

	/**
	 * A row that somebody changed by hand is no question any more, and above all no
	 * approval.
	 */
	ApprovalRequest read(String place) {
		try {
			ApprovalRequest read = ApprovalJson.read(this.request);
			if (read.id().equals(this.id) && read.state().name().equals(this.state) && read.revision() == this.revision
					&& read.fingerprint().equals(this.fingerprint)) {
				return read;
			}
			throw unreadable(place, "its parts disagree");
		}
		catch (InvalidJsonException ex) {
			throw unreadable(place, "its 'request' " + ex.getMessage());
		}
	}

	private UnreadableQuestionException unreadable(String place, String why) {
		return new UnreadableQuestionException(
				"The question '%s' in %s cannot be read: %s. Find out who changed it, and delete it."
					.formatted(SafeText.name(this.id), place, why));
	}

	/** Without the arguments. */
	@Override
	public String toString() {
		return "KeptQuestion[id=%s, state=%s, revision=%d]".formatted(SafeText.name(this.id), this.state,
				this.revision);
	}

}
