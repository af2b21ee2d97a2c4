package io.agenthooks.spring.assembly;

import java.util.List;

import org.springframework.core.env.StandardEnvironment;

import io.agenthooks.spring.binding.HookPropertySources;

/**
 * Bounds of an application that configures none.
 */
final class Bounds {

	private Bounds() {
	}

	static HookBounds usual() {
		return new HookBounds(HookPropertySources.of(new StandardEnvironment()), List.of(), null);
	}

}
