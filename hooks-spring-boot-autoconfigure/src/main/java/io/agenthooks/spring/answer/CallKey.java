package io.agenthooks.spring.answer;

import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

import io.agenthooks.CallContext;
import io.agenthooks.Sha256;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolIdentity;

/**
 * Makes the key under which a result is kept: the SHA-256 digest of scope, tool and
 * arguments. Two calls have the same key only if
 * <ul>
 * <li>they are in the same scope,</li>
 * <li>they are for the same tool of the same server, whatever the model calls it,</li>
 * <li>and their arguments are the same JSON, whatever the order of names in maps: an
 * {@code int} 1 is a {@code long} 1, but not {@code 1.0} or {@code "1"}, and {@code null}
 * is not absent. Where one could argue, calls differ: that costs a run of the tool, and
 * is never a wrong answer.</li>
 * </ul>
 * Each part begins with its kind and length, so that no part can pass for another or for
 * two. Texts are taken char by char: in UTF-8 all unpaired surrogates would be the same.
 */
final class CallKey {

	private final MessageDigest digest = Sha256.digest();

	private final byte[] buffer = new byte[1024];

	private int used;

	private CallKey() {
	}

	/**
	 * The key of a call, or {@code null} if there is no session or user whose it is, or
	 * if it is not known on which server the tool is.
	 */
	static @Nullable String of(ToolCall call, CacheConfig.Scope scope) {
		CallContext context = call.context();
		ToolIdentity tool = call.identity();
		if (tool.server() == null) {
			return null;
		}
		String owner = switch (scope) {
			case GLOBAL -> "everybody";
			case SESSION -> context.sessionId();
			case USER -> context.user();
		};
		if (owner == null || owner.isEmpty()) {
			return null;
		}
		CallKey key = new CallKey();
		key.add(scope.name());
		key.add(owner);
		if (scope != CacheConfig.Scope.GLOBAL) {
			// A session may have several users, and a user several rights and places.
			key.add(context.user());
			key.add(context.agent());
			key.add(context.role());
			key.add(context.workspace());
			key.add(context.authorities().stream().sorted().toList());
			key.add(context.claims());
		}
		// Not the name that the model sees: tomorrow it may be that of another server.
		key.add(tool.server());
		key.add(tool.name());
		key.add(call.arguments());
		return key.digest();
	}

	private void add(@Nullable Object value) {
		if (value == null) {
			put('n');
		}
		else if (value instanceof String text) {
			put('s');
			putText(text);
		}
		else if (value instanceof Boolean bool) {
			put((bool) ? 't' : 'f');
		}
		else if (value instanceof Number number) {
			put('#');
			putText(number.toString());
		}
		else if (value instanceof List<?> list) {
			put('l');
			putNumber(list.size());
			list.forEach(this::add);
		}
		else if (value instanceof Map<?, ?> map) {
			put('m');
			putNumber(map.size());
			new TreeMap<>(map).forEach((name, element) -> {
				putText((String) name);
				add(element);
			});
		}
		else {
			throw new IllegalStateException("Arguments are JSON values");
		}
	}

	private void putText(String text) {
		putNumber(text.length());
		for (int i = 0; i < text.length(); i++) {
			put(text.charAt(i));
		}
	}

	private void putNumber(int number) {
		put((char) (number >>> 16));
		put((char) number);
	}

	/** Put a char: a byte for ASCII, otherwise three of which the first tells that. */
	private void put(char character) {
		if (this.used > this.buffer.length - 3) {
			flush();
		}
		if (character < 0x80) {
			this.buffer[this.used++] = (byte) character;
			return;
		}
		this.buffer[this.used++] = (byte) 0x80;
		this.buffer[this.used++] = (byte) (character >>> 8);
		this.buffer[this.used++] = (byte) character;
	}

	private void flush() {
		this.digest.update(this.buffer, 0, this.used);
		this.used = 0;
	}

	private String digest() {
		flush();
		return HexFormat.of().formatHex(this.digest.digest());
	}

}
