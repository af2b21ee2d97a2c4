package io.agenthooks;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import org.jspecify.annotations.Nullable;

/**
 * Text that hooks add to what a model reads. It is marked by tags, the first of which has
 * an id that nobody knows before. Text of other origin, whose author may have read such a
 * tag, is {@linkplain #neutralize neutralized} where it meets ours, and so is what stands
 * inside of ours.
 *
 * @since 0.1.0
 */
public final class AdditionalContext {

	private static final String TAG = "additional_context";

	private static final String OPEN = "<" + TAG + " id=\"";

	private static final String CLOSE = "\n</" + TAG + ">";

	private static final int ID_LENGTH = 32;

	/** Every inner character may have become an entity of four. */
	private static final int MAX_INNER_LENGTH = 4 * SafeText.MAX_PARAGRAPH_CHARACTERS + ID_LENGTH;

	private static final int MAX_OWN_BLOCKS = 64;

	private static final SecureRandom random = new SecureRandom();

	/** Signs ids, so that own ids are recognized without remembering them. */
	private static final byte[] key = randomBytes(32);

	private AdditionalContext() {
	}

	/**
	 * Mark text as added by hooks. Each call has another mark.
	 * @param text the text
	 * @return the text between tags
	 */
	public static String mark(String text) {
		return mark(text, null);
	}

	/**
	 * Mark text as added by hooks, so that {@link #append(String, String, String)} knows
	 * it again in the same run.
	 * @param text the text
	 * @param run the id of the run, or {@code null} if there is none
	 * @return the text between tags
	 */
	public static String mark(String text, @Nullable String run) {
		String inner = neutralize(SafeText.paragraphs(text));
		String nonce = HexFormat.of().formatHex(randomBytes(ID_LENGTH / 4));
		return OPEN + nonce + sign(nonce, run, inner) + "\">\n" + inner + CLOSE;
	}

	/**
	 * Put what hooks add behind text of other origin, which is neutralized but for what
	 * hooks added to it in the same run.
	 * @param text the text of other origin
	 * @param added what hooks add, not yet marked
	 * @param run the id of the run, or {@code null} if there is none
	 * @return both
	 */
	public static String append(String text, String added, @Nullable String run) {
		return neutralizeOthers(text, run) + "\n\n" + mark(added, run);
	}

	private static String neutralizeOthers(String text, @Nullable String run) {
		if (run == null) {
			return neutralize(text);
		}
		StringBuilder result = new StringBuilder();
		int end = text.length();
		int start = text.lastIndexOf(OPEN);
		for (int i = 0; i < MAX_OWN_BLOCKS && start >= 0; i++) {
			int close = closeOfOwn(text, start, end, run);
			if (close >= 0) {
				result.insert(0, neutralize(text.substring(close, end)));
				result.insert(0, text, start, close);
				end = start;
			}
			start = (start > 0) ? text.lastIndexOf(OPEN, start - 1) : -1;
		}
		return result.insert(0, neutralize(text.substring(0, end))).toString();
	}

	/** Where a block ends that was marked in this run, or -1 if it was not. */
	private static int closeOfOwn(String text, int start, int end, String run) {
		int id = start + OPEN.length();
		int inner = id + ID_LENGTH + "\">\n".length();
		if (inner > end || !text.startsWith("\">\n", id + ID_LENGTH)) {
			return -1;
		}
		String near = text.substring(inner, Math.min(end, inner + MAX_INNER_LENGTH + CLOSE.length()));
		int close = near.indexOf(CLOSE);
		if (close < 0) {
			return -1;
		}
		String nonce = text.substring(id, id + ID_LENGTH / 2);
		String signature = text.substring(id + ID_LENGTH / 2, id + ID_LENGTH);
		boolean own = MessageDigest.isEqual(signature.getBytes(StandardCharsets.UTF_8),
				sign(nonce, run, near.substring(0, close)).getBytes(StandardCharsets.UTF_8));
		return (own) ? inner + close + CLOSE.length() : -1;
	}

	private static String sign(String nonce, @Nullable String run, String inner) {
		try {
			Mac mac = Mac.getInstance("HmacSHA256");
			mac.init(new SecretKeySpec(key, "HmacSHA256"));
			mac.update(nonce.getBytes(StandardCharsets.UTF_16LE));
			if (run != null) {
				mac.update((run.length() + ":" + run).getBytes(StandardCharsets.UTF_16LE));
			}
			byte[] signature = mac.doFinal(inner.getBytes(StandardCharsets.UTF_16LE));
			return HexFormat.of().formatHex(signature, 0, ID_LENGTH / 4);
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException("Every Java has HmacSHA256", ex);
		}
	}

	private static byte[] randomBytes(int count) {
		byte[] bytes = new byte[count];
		random.nextBytes(bytes);
		return bytes;
	}

	/**
	 * Take the brackets of what looks like a mark of ours out of text of other origin:
	 * tags in any case, with blanks, invisible characters or other separators in between,
	 * with look-alike brackets and letters.
	 * @param text the text
	 * @return the text itself if nothing looks like that
	 */
	public static String neutralize(String text) {
		return LookAlikeTags.neutralize(text);
	}

	/**
	 * The same for text in parts: a tag may begin in one and end in the next.
	 * @param parts the parts
	 * @return as many parts
	 */
	public static List<String> neutralizeAll(List<String> parts) {
		List<String> neutral = parts.stream().map(AdditionalContext::neutralize).toList();
		String together = String.join("", neutral);
		return (parts.size() < 2 || neutralize(together).equals(together)) ? neutral
				: neutral.stream().map(LookAlikeTags::withoutBrackets).toList();
	}

	/**
	 * Put the texts of two hooks one below the other.
	 * @param first what is there already, or {@code null}
	 * @param second what another hook adds
	 * @return both, or only the first if it says the second already
	 */
	public static String join(@Nullable String first, String second) {
		if (first == null) {
			return second;
		}
		return (first.equals(second) || first.lines().toList().contains(second)) ? first : first + "\n" + second;
	}

}
