package io.agenthooks.spring.web;

/**
 * An endpoint beside the console that its page shows.
 *
 * @param path the path below the root of the application
 * @param property the property that sets the path
 * @since 0.1.0
 */
public record ConsoleEndpoint(String path, String property) {
}
