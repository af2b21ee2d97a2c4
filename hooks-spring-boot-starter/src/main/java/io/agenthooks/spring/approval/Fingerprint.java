package io.agenthooks.spring.approval;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.agenthooks.Sha256;
import io.agenthooks.spring.json.CanonicalJson;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolIdentity;

/**
 * Makes the hash of all that an approval is bound to. If anything of it is another one
 * later, the approval is void.
 */
final class Fingerprint {

	/** Told apart from later ways to make it. */
	private static final String FORMAT = "1";

	private final Function<ToolIdentity, String> schemas;

	private final Supplier<String> version;

	/**
	 * Create a maker of fingerprints.
	 * @param schemas knows the schema of a tool; empty if it is not known
	 * @param version tells the version of what decides about calls now
	 */
	Fingerprint(Function<ToolIdentity, String> schemas, Supplier<String> version) {
		this.schemas = schemas;
		this.version = version;
	}

	/**
	 * The arguments in their only form.
	 */
	static String argumentsOf(ToolCall call) {
		return CanonicalJson.writeExact(call.arguments());
	}

	/**
	 * Whether a call belongs to a session, which an empty text does not name.
	 */
	static boolean hasSession(ToolCall call) {
		String session = call.context().sessionId();
		return session != null && !session.isEmpty();
	}

	/**
	 * The fingerprint of a call.
	 * @param arguments its arguments in their only form
	 */
	String of(ToolCall call, String arguments) {
		ToolIdentity tool = call.identity();
		List<@Nullable Object> bound = new ArrayList<>();
		bound.add(FORMAT);
		bound.add(tool.server());
		bound.add(tool.name());
		bound.add(tool.modelName());
		bound.add(tool.otherNames());
		bound.add(this.schemas.apply(tool));
		bound.add(arguments);
		bound.add((hasSession(call)) ? call.context().sessionId() : null);
		// Nobody can say that two calls without a session belong together.
		bound.add((hasSession(call)) ? null : call.id());
		bound.add(call.context().user());
		bound.add(this.version.get());
		return Sha256.hex(CanonicalJson.write(bound));
	}

}
