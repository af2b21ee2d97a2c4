package io.agenthooks.sample;

import org.springframework.boot.SpringApplication;

/**
 * Starts the sample as it is started, and ends it when its session is over.
 */
public final class AotStart {

	private AotStart() {
	}

	/**
	 * Start it.
	 */
	public static void main(String[] args) {
		SpringApplication application = new SpringApplication(SampleApplication.class);
		application.setMainApplicationClass(SampleApplication.class);
		application.run(args).close();
		System.exit(0);
	}

}
