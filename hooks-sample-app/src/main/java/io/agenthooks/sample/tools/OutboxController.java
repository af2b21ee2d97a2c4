package io.agenthooks.sample.tools;

import java.util.List;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Shows which e-mails the agent has sent. */
@RestController
class OutboxController {

	private final Outbox outbox;

	OutboxController(Outbox outbox) {
		this.outbox = outbox;
	}

	@GetMapping("/api/outbox")
	List<Outbox.Email> emails() {
		return this.outbox.emails();
	}

}
