package io.agenthooks.spring.observation;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.agenthooks.chain.HookAround;
import io.agenthooks.spring.HookAroundProvider;

/**
 * Remembers the types of hooks by their names.
 */
final class ObservedHooks implements HookAroundProvider {

	/** Hooks that applications register at run time may have ever new names. */
	private static final int MAX_HOOKS = 10_000;

	/** The hooks of this library that learn of every call; they would fill each trace. */
	private static final Set<String> OWN = Set.of("metrics", "audit", "actuator-journal");

	private final Map<String, String> types = new ConcurrentHashMap<>();

	@Override
	public HookAround around(String name, String type) {
		if (this.types.size() < MAX_HOOKS) {
			this.types.putIfAbsent(name, type);
		}
		return HookAround.NOTHING;
	}

	String typeOf(String hook) {
		return this.types.getOrDefault(hook, "unknown");
	}

	static boolean isOwn(String hook) {
		return OWN.contains(hook);
	}

}
