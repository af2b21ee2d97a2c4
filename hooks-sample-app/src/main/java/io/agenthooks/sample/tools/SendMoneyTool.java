package io.agenthooks.sample.tools;

import java.math.BigDecimal;

import org.springframework.ai.tool.annotation.Tool;
import org.springframework.ai.tool.annotation.ToolParam;
import org.springframework.stereotype.Component;

/** Sends money to an account. Nobody gets money here: it only says so. */
@Component
class SendMoneyTool {

	@Tool(name = "send_money", description = "Send money of the user to an account", resultConverter = PlainText.class)
	String send(@ToolParam(description = "The IBAN of the account") String recipient,
			@ToolParam(description = "The amount in EUR") BigDecimal amount) {
		PlainText.check("recipient", recipient);
		if (amount.signum() <= 0) {
			throw new ToolFailedException("The argument 'amount' must be above zero");
		}
		return "Sent %s EUR to %s".formatted(amount.toPlainString(), recipient);
	}

}
