package io.agenthooks.spring.langchain4j.app;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.langchain4j.agent.tool.Tool;
import org.springframework.stereotype.Component;

/**
 * The tools of the agent.
 */
@Component
class OrderTools {

	final List<String> done = new CopyOnWriteArrayList<>();

	@Tool(name = "find_order", value = "Finds an order")
	Order findOrder(String id) {
		this.done.add("find " + id);
		return new Order(id, "ann@example.com");
	}

	@Tool(name = "delete_order", value = "Deletes an order for ever")
	void deleteOrder(String id) {
		this.done.add("delete " + id);
	}

	record Order(String id, String customer) {
	}

}
