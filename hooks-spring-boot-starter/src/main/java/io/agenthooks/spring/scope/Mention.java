package io.agenthooks.spring.scope;

/**
 * A name, or a glob of names, by which a hook chooses calls.
 *
 * @param kind what has such a name
 * @param name the name or the glob
 * @param property what is written there, in words or as a path
 * @param place where it is written
 * @since 0.1.0
 */
public record Mention(Named kind, String name, String property, String place) {

}
