package io.agenthooks.sample.approvals;

import java.util.Map;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/** The call to decide about. */
record ApprovalQuestion(@JsonProperty(value = "tool_name", required = true) String toolName,
		@JsonProperty(required = true) Map<String, @Nullable Object> arguments) {

}
