package io.agenthooks.spring.ai;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

import org.springframework.ai.support.ToolCallbacks;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.annotation.Tool;

/**
 * Tools that remember what they were called with.
 */
class WeatherTools {

	final List<String> cities = Collections.synchronizedList(new ArrayList<>());

	/**
	 * The tool that works, by its name: methods come in no certain order.
	 */
	ToolCallback callback() {
		return Stream.of(ToolCallbacks.from(this))
			.filter((tool) -> tool.getToolDefinition().name().equals("weather"))
			.findFirst()
			.orElseThrow();
	}

	@Tool(description = "Weather of a city")
	String weather(String city) {
		this.cities.add(city);
		return "sunny in " + city;
	}

	@Tool(description = "Weather of a city for the user", returnDirect = true)
	String report(String city) {
		this.cities.add(city);
		return "Report for " + city;
	}

	@Tool(description = "Weather of a city that cannot be told")
	String broken(String city) {
		this.cities.add(city);
		throw new IllegalStateException("no network in " + city);
	}

}
