package io.agenthooks.spring.alert;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * The {@code config} of an {@code alert} hook, as written. What is {@code null} was not
 * written, and its default holds.
 *
 * @param outcomes How a call ended that is of interest: its status, or failed_open or
 * would_deny if any hook failed open or would have denied; however it ended unless set.
 * @param when Condition in CEL over how the call ended, as outcome.decided_by, and what
 * the rules of a policy see.
 * @param times Number of such calls after which there is an alert; 1 unless set.
 * @param within Time within which there have to be so many of them.
 * @param key Which calls are counted and silenced together: those of the same tool, hook,
 * session, run, user, agent or workspace, or of the same of several of them.
 * @param silence Time after an alert in which there is no other one; 0s for none.
 * @param webhook Endpoint that alerts are posted to.
 */
record AlertConfig(@Nullable List<Outcome> outcomes, @Nullable String when, @Nullable Integer times,
		@Nullable Duration within, @Nullable List<AlertKey> key, @Nullable Duration silence,
		@Nullable Webhook webhook) {

	/** The end of a call. */
	enum Outcome {

		/** The tool ran and succeeded. */
		SUCCEEDED,

		/** The tool ran and failed, or threw. */
		FAILED,

		/** A hook or a person denied the call. */
		DENIED,

		/** A hook answered in place of the tool. */
		ANSWERED,

		/** A hook ended the turn or the run. */
		ABORTED,

		/** The call waits for people. */
		PENDING,

		/**
		 * The time of a question to people was over before they had decided. Only if it
		 * is written.
		 */
		EXPIRED,

		/** Tools are switched off. */
		DISABLED,

		/** A hook failed, and the call passed nevertheless. */
		FAILED_OPEN,

		/** A hook that only observes would have denied the call. */
		WOULD_DENY

	}

	/**
	 * An endpoint that alerts are posted to.
	 *
	 * @param url Address of the endpoint; https, or http on this machine. Required.
	 * @param secret Secret that messages are signed with, as the Standard Webhooks
	 * specification says: 'whsec_' and 24 to 64 bytes in Base64.
	 * @param headers Headers that are sent as well.
	 */
	record Webhook(@Nullable String url, @Nullable String secret, @Nullable Map<String, String> headers) {

		/**
		 * No address, secret and header: each may be secret.
		 */
		@Override
		public String toString() {
			return "Webhook";
		}

	}

}
