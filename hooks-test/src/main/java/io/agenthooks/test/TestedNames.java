package io.agenthooks.test;

import io.agenthooks.spring.scope.KnownNames;
import io.agenthooks.spring.scope.NameSource;

/**
 * Who calls, and where tools are, is said by the test.
 */
final class TestedNames implements NameSource {

	@Override
	public void addTo(KnownNames names) {
		names.mayBeAnything();
	}

}
