package io.agenthooks.sample;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;

/**
 * Starts an agent whose every tool call is decided by the hooks of its
 * {@code application.yaml}.
 *
 * @since 0.1.0
 */
@SpringBootApplication
@EnableConfigurationProperties(SampleProperties.class)
public class SampleApplication {

	/**
	 * Start the application.
	 * @param args options such as {@code --sample.workspace=/tmp/agent}
	 */
	public static void main(String[] args) {
		SpringApplication.run(SampleApplication.class, args);
	}

}
