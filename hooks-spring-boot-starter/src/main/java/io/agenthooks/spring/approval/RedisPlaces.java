package io.agenthooks.spring.approval;

import java.util.ArrayList;
import java.util.List;

import io.agenthooks.Sha256;

/**
 * Knows where the id of a question is kept, even if the question was deleted: it must not
 * stay there for ever.
 *
 * @param steps run scripts
 */
record RedisPlaces(RedisSteps steps) {

	private static final String NO_RUN = "-";

	private static final int PARTS = 3;

	/**
	 * What is kept of a question beside it.
	 */
	static String of(ApprovalRequest asked) {
		String run = (asked.runId() != null) ? Sha256.hex(asked.runId()) : NO_RUN;
		return Sha256.hex(asked.sessionId()) + " " + run + " " + asked.fingerprint();
	}

	/**
	 * Remove the id of a question that is gone.
	 */
	void leave(String id) {
		String places = this.steps.run(RedisApprovalScripts.LOOK_UP, List.of(this.steps.key("places")), id);
		String[] parts = (places != null) ? places.split(" ", PARTS) : new String[0];
		List<String> keys = new ArrayList<>(List.of(this.steps.question(id), this.steps.key("places"),
				this.steps.key("open"), this.steps.key("approved"), this.steps.key("claimed"),
				this.steps.key("settled"), this.steps.key("due"), this.steps.key("pending")));
		if (parts.length == PARTS) {
			keys.add(this.steps.key("session:" + parts[0]));
			keys.add(this.steps.key("of-session:" + parts[0]));
			if (!parts[1].equals(NO_RUN)) {
				keys.add(this.steps.key("of-run:" + parts[1]));
			}
		}
		this.steps.run(RedisApprovalScripts.LEAVE, keys, id, (parts.length == PARTS) ? parts[2] : "");
	}

}
