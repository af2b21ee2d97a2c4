package io.agenthooks.redact;

import java.util.List;
import java.util.Locale;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import io.agenthooks.pattern.Budget;

/**
 * Tells maps that describe a secret from those that hold one: its schema, where it is
 * kept, and how it is used. One member that may be the secret itself makes it none.
 */
final class Descriptions {

	/** Members of a schema, where it says of which type a secret is. */
	private static final Set<String> OF_SCHEMA = Set.of("type", "format", "minlength", "maxlength", "minimum",
			"maximum", "pattern", "nullable", "readonly", "writeonly", "deprecated", "required", "properties", "items",
			"additionalproperties", "ref", "anyof", "oneof", "allof", "in", "scheme", "bearerformat");

	/** Members that show a value, as public as the schema. */
	private static final Set<String> EXAMPLES = Set.of("example", "examples", "enum");

	/** Members that describe nothing by themselves. */
	private static final Set<String> OF_ANYTHING = Set.of("description", "title");

	/** Members that say where a secret is kept, and how it is used. */
	private static final Set<String> OF_USE = Set.of("name", "namespace", "secretname", "defaultmode", "mode",
			"optional", "path", "file", "external", "environment", "source", "target", "uid", "gid", "audience",
			"expirationseconds", "valuefrom", "secretref", "secretkeyref", "secure", "httponly", "samesite", "domain",
			"maxage", "enabled", "ttl", "header", "issuer", "algorithm", "expiration", "expiry", "policy", "length",
			"rotation", "lifetime", "fngetatt");

	/** Members that are either so or not: any other text there may be the secret. */
	private static final Set<String> FLAGS = Set.of("nullable", "readonly", "writeonly", "deprecated", "required",
			"optional", "secure", "httponly", "enabled");

	/** Where a secret is kept: words in a row are no such place. */
	private static final Set<String> PLACES = Set.of("path", "file");

	/** Below these, whatever there is refers to a secret. */
	private static final Set<String> REFERENCES = Set.of("valuefrom", "secretref", "secretkeyref");

	private static final Set<String> TYPES = Set.of("string", "integer", "number", "boolean", "object", "array",
			"null");

	/** Shorter words with digits are names. */
	private static final int MIN_SECRET = 6;

	/** The cost of looking at a value, compared to searching a character. */
	private static final int VALUE = 20;

	/**
	 * The cost of looking at a character of it: it is read once for each map around it.
	 */
	private static final int READING = 10;

	private Descriptions() {
	}

	static boolean isOfSchema(Members members, int position) {
		String plain = plain(members.name(position));
		return (OF_SCHEMA.contains(plain) || OF_ANYTHING.contains(plain) || EXAMPLES.contains(plain))
				&& !isOtherThanSaid(plain, members.value(position));
	}

	/** Whether a map says of which type a secret is, rather than being one. */
	static boolean isSchema(Members members) {
		for (int i = 0; i < members.size(); i++) {
			if (members.name(i).equals("type")) {
				return isType(members.value(i));
			}
		}
		return false;
	}

	private static boolean isType(@Nullable Object value) {
		String text = Members.textIn(value);
		List<?> list = Members.listIn(value);
		return (text != null) ? TYPES.contains(text) : !list.isEmpty()
				&& list.stream().allMatch((type) -> TYPES.contains(String.valueOf(Members.textIn(type))));
	}

	static boolean isOne(Members members, Budget budget) {
		boolean describes = false;
		for (int i = 0; i < members.size(); i++) {
			budget.spend(VALUE);
			String name = plain(members.name(i));
			boolean isOfAnything = OF_ANYTHING.contains(name) || (EXAMPLES.contains(name) && isSchema(members));
			if (OF_SCHEMA.contains(name) || OF_USE.contains(name) || isOfAnything) {
				describes |= !isOfAnything;
				if (isOtherThanSaid(name, members.value(i))) {
					return false;
				}
				if (!REFERENCES.contains(name) && !EXAMPLES.contains(name) && holdsOther(members.value(i), budget)) {
					return false;
				}
			}
			else if (name.equals("key") && members.has("path")) {
				describes = true;
			}
			else {
				Members inner = Members.in(members.value(i));
				if (inner == null || !isOne(inner, budget)) {
					return false;
				}
				describes = true;
			}
		}
		return describes;
	}

	/** Whether the value of a member is not of the kind that its name says. */
	private static boolean isOtherThanSaid(String name, @Nullable Object value) {
		String text = Members.textIn(value);
		if (FLAGS.contains(name)) {
			// A schema lists which of its properties are required.
			return (text != null) ? !isFlag(text) : !name.equals("required") && !Members.listIn(value).isEmpty();
		}
		return text != null && PLACES.contains(name) && text.indexOf('/') < 0 && text.indexOf('\\') < 0
				&& text.strip().chars().anyMatch((sign) -> " \t!#%^&*+=?@".indexOf(sign) >= 0);
	}

	private static boolean isFlag(String text) {
		String word = text.strip().toLowerCase(Locale.ROOT);
		return word.length() <= 1 || word.equals("on") || word.equals("off") || Harmless.WORDS.contains(word)
				|| Harmless.placeholder(text, 0, text.length());
	}

	/**
	 * Whether something is in a list, or is a map, that does not describe a secret, or
	 * looks like one.
	 */
	private static boolean holdsOther(@Nullable Object value, Budget budget) {
		budget.spend(VALUE);
		Members members = Members.in(value);
		if (members != null) {
			return members.size() > 0 && !isOne(members, budget);
		}
		for (Object element : Members.listIn(value)) {
			if (holdsOther(element, budget)) {
				return true;
			}
		}
		String text = Members.textIn(value);
		if (text == null) {
			return false;
		}
		budget.spend((long) READING * text.length());
		return Prose.holdsSecret(text, MIN_SECRET);
	}

	private static String plain(String name) {
		StringBuilder plain = new StringBuilder(name.length());
		for (int i = 0; i < Math.min(name.length(), 100); i++) {
			if (Character.isLetterOrDigit(name.charAt(i))) {
				plain.append(name.charAt(i));
			}
		}
		return plain.toString().toLowerCase(Locale.ROOT);
	}

}
