package io.agenthooks.sample.approvals;

import java.util.Map;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/**
 * The decision of the service.
 *
 * @param reasoning why, or {@code null} if there is nothing to say
 * @param modifiedArguments all arguments of the changed call; {@code null} unless it is
 * to be changed
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record ApprovalReply(String verdict, @Nullable String reasoning,
		@JsonProperty("modified_arguments") @Nullable Map<String, @Nullable Object> modifiedArguments) {

	static ApprovalReply approve() {
		return new ApprovalReply("approve", null, null);
	}

	static ApprovalReply deny(String reasoning) {
		return new ApprovalReply("deny", reasoning, null);
	}

	static ApprovalReply abort(String reasoning) {
		return new ApprovalReply("abort", reasoning, null);
	}

	static ApprovalReply modify(String reasoning, Map<String, @Nullable Object> arguments) {
		return new ApprovalReply("modify", reasoning, arguments);
	}

}
