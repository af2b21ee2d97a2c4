package io.agenthooks.spring;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;

/**
 * Leaves out the tests of other modules, which come in a jar once these are packaged.
 */
public final class NoJarsOfTests implements ImportOption {

	@Override
	public boolean includes(Location location) {
		return !location.contains("-tests.jar");
	}

}
