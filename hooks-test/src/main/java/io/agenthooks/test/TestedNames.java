package io.agenthooks.test;

import io.agenthooks.spring.scope.KnownNames;
import io.agenthooks.spring.scope.NameSource;

/** The test says who calls, and where tools are. */
final class TestedNames implements NameSource {

	@Override
	public void addTo(KnownNames names) {
		names.mayBeAnything();
	}

}
