package io.agenthooks.sample.approvals;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

import io.agenthooks.policy.MailAddresses;
import io.agenthooks.sample.SampleProperties;

/**
 * Decides about e-mails: none leaves the company, none holds a password, and each ends
 * with a footer.
 */
@RestController
class ApprovalController {

	private static final String FOOTER = "\n--\nWritten by an agent.";

	private final byte[] authorization;

	private final String mailDomain;

	ApprovalController(SampleProperties properties) {
		this.authorization = ("Bearer " + properties.approvals().token()).getBytes(StandardCharsets.UTF_8);
		this.mailDomain = properties.approvals().mailDomain();
	}

	@PostMapping("/sample/approvals")
	ApprovalReply decide(@RequestHeader(name = HttpHeaders.AUTHORIZATION, defaultValue = "") String authorization,
			@RequestBody ApprovalQuestion question) {
		if (!MessageDigest.isEqual(this.authorization, authorization.getBytes(StandardCharsets.UTF_8))) {
			throw new ResponseStatusException(HttpStatus.UNAUTHORIZED);
		}
		return ("send_email".equals(question.toolName())) ? decideAboutEmail(question.arguments())
				: ApprovalReply.approve();
	}

	private ApprovalReply decideAboutEmail(Map<String, @Nullable Object> email) {
		if (!MailAddresses.areAllOf(email.get("to"), this.mailDomain)) {
			return ApprovalReply.deny("E-mails may only go to " + this.mailDomain);
		}
		String body = text(email, "body");
		if (body.toLowerCase(Locale.ROOT).contains("password")) {
			return ApprovalReply.abort("The agent tries to send a password");
		}
		if (!body.endsWith(FOOTER)) {
			Map<String, @Nullable Object> changed = new LinkedHashMap<>(email);
			changed.put("body", body + FOOTER);
			return ApprovalReply.modify("Added the footer", changed);
		}
		return ApprovalReply.approve();
	}

	private static String text(Map<String, @Nullable Object> email, String name) {
		return (email.get(name) instanceof String text) ? text : "";
	}

}
