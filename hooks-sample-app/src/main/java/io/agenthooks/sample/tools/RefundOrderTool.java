package io.agenthooks.sample.tools;

import java.math.BigDecimal;

import org.springframework.ai.tool.annotation.Tool;
import org.springframework.ai.tool.annotation.ToolParam;
import org.springframework.stereotype.Component;

/** Pays the price of an order back. Nobody gets money here: it only says so. */
@Component
class RefundOrderTool {

	@Tool(name = "refund_order", description = "Pay money back to the customer of an order",
			resultConverter = PlainText.class)
	String refund(@ToolParam(description = "The number of the order") String orderId,
			@ToolParam(description = "The amount in EUR") BigDecimal amount) {
		PlainText.check("orderId", orderId);
		if (amount.signum() <= 0) {
			throw new ToolFailedException("The argument 'amount' must be above zero");
		}
		return "Refunded %s EUR for the order %s".formatted(amount.toPlainString(), orderId);
	}

}
