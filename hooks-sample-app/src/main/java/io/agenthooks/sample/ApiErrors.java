package io.agenthooks.sample;

import java.util.List;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** Answers in JSON if something cannot be done, whatever else the client accepts. */
@RestControllerAdvice
class ApiErrors {

	@ExceptionHandler
	ResponseEntity<ErrorReport> invalidCall(InvalidCallException ex) {
		return ResponseEntity.status(ex.getStatus())
			.contentType(MediaType.APPLICATION_JSON)
			.body(new ErrorReport(ex.getReason(), List.of()));
	}

	@ExceptionHandler
	ResponseEntity<ErrorReport> turnFailed(TurnFailedException ex) {
		return ResponseEntity.status(ex.getStatus()).contentType(MediaType.APPLICATION_JSON).body(ErrorReport.of(ex));
	}

	/** The answer if something cannot be done. */
	record ErrorReport(String error,
			@JsonInclude(JsonInclude.Include.NON_EMPTY) @JsonProperty("tool_calls") List<ToolCallReport> toolCalls) {

		static ErrorReport of(TurnFailedException ex) {
			return new ErrorReport(ex.getReason(), ex.getCalls());
		}

	}

}
