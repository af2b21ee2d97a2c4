package io.agenthooks.spring.scope;

import java.util.List;

/**
 * A part of the configuration beside the lists of hooks that names users, agents or such.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface MentionSource {

	List<Mention> mentions();

}
