package io.agenthooks.test;

import java.util.EnumSet;

import io.agenthooks.spring.scope.KnownNames;
import io.agenthooks.spring.scope.NameSource;
import io.agenthooks.spring.scope.Named;

/**
 * Who calls, and where tools are, is said by the test.
 */
final class TestedNames implements NameSource {

	@Override
	public void addTo(KnownNames names) {
		names.mayCome(EnumSet.allOf(Named.class));
	}

}
