package io.agenthooks.toolcall;

import java.math.BigDecimal;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import io.agenthooks.pattern.NumberText;

/**
 * Merges changes of masked arguments into the real ones. What is masked and came back as
 * it went out is the original again, and what was never sent stays. A mask is never an
 * argument: one that was changed or moved is refused. Elements of a list have no names,
 * so a list with something masked in it comes back as it went out or not at all.
 */
final class MaskedArguments {

	/** The beginnings of all our masks, also as they look in an address. */
	private static final List<String> MARKS = List.of("[redacted", "%5bredacted", ":hmac-");

	/** Further texts that stand for something masked. */
	private final Set<String> masks = new HashSet<>();

	private MaskedArguments() {
	}

	static Map<String, @Nullable Object> restore(Map<String, @Nullable Object> original,
			Map<String, @Nullable Object> view, Map<String, @Nullable Object> changed) {
		MaskedArguments restoring = new MaskedArguments();
		if (isSame(view, changed)) {
			return original;
		}
		restoring.collectMasks(original, view);
		return restoring.restoreMembers(original, view, changed, "");
	}

	private void collectMasks(@Nullable Object original, @Nullable Object view) {
		if (original instanceof Map<?, ?> members && view instanceof Map<?, ?> seen) {
			seen.forEach((name, value) -> collectMasks(members.get(name), value));
		}
		else if (original instanceof List<?> list && view instanceof List<?> seen && list.size() == seen.size()) {
			for (int i = 0; i < list.size(); i++) {
				collectMasks(list.get(i), seen.get(i));
			}
		}
		else if (view instanceof String text && !text.isBlank() && !view.equals(original)) {
			this.masks.add(text);
		}
	}

	private Map<String, @Nullable Object> restoreMembers(Map<?, ?> original, Map<?, ?> view, Map<?, ?> changed,
			String path) {
		for (Object name : view.keySet()) {
			if (!original.containsKey(name)) {
				// Which of the names it stands for, and whether one was removed, cannot
				// be told.
				throw new ChangedMaskException((path.isEmpty()) ? (String) name : path, "has names that are masked");
			}
		}
		Map<String, @Nullable Object> restored = new LinkedHashMap<>();
		changed.forEach((key, value) -> {
			String name = (String) key;
			String place = (path.isEmpty()) ? name : path + "." + name;
			if (view.containsKey(name)) {
				restored.put(name, restoreValue(original.get(name), view.get(name), value, place));
			}
			else if (original.containsKey(name)) {
				throw new ChangedMaskException(place, "was not sent out");
			}
			else {
				unmasked(name, place);
				restored.put(name, unmasked(value, place));
			}
		});
		original.forEach((name, value) -> {
			if (!view.containsKey(name)) {
				restored.putIfAbsent((String) name, value);
			}
		});
		return restored;
	}

	private @Nullable Object restoreValue(@Nullable Object original, @Nullable Object view, @Nullable Object changed,
			String path) {
		if (isSame(view, changed)) {
			return original;
		}
		if (Objects.equals(view, original)) {
			return unmasked(changed, path);
		}
		if (original instanceof Map<?, ?> members && view instanceof Map<?, ?> seen
				&& changed instanceof Map<?, ?> others) {
			return restoreMembers(members, seen, others, path);
		}
		throw new ChangedMaskException(path, "was sent out masked, and is changed");
	}

	private @Nullable Object unmasked(@Nullable Object value, String path) {
		if (value instanceof Map<?, ?> members) {
			members.forEach((name, member) -> {
				unmasked(name, path);
				unmasked(member, path);
			});
		}
		else if (value instanceof Collection<?> elements) {
			elements.forEach((element) -> unmasked(element, path));
		}
		else if (value instanceof String text && hasMask(text)) {
			throw new ChangedMaskException(path, "holds a mask that stood in another place");
		}
		return value;
	}

	private boolean hasMask(String text) {
		if (this.masks.contains(text)) {
			return true;
		}
		String plain = text.toLowerCase(Locale.ROOT);
		return MARKS.stream().anyMatch(plain::contains);
	}

	private static boolean isSame(@Nullable Object first, @Nullable Object second) {
		if (first instanceof Map<?, ?> members && second instanceof Map<?, ?> others) {
			return members.size() == others.size() && members.entrySet()
				.stream()
				.allMatch((member) -> others.containsKey(member.getKey())
						&& isSame(member.getValue(), others.get(member.getKey())));
		}
		if (first instanceof List<?> list && second instanceof List<?> others) {
			Iterator<?> other = others.iterator();
			return list.size() == others.size() && list.stream().allMatch((element) -> isSame(element, other.next()));
		}
		if (first instanceof Number number && second instanceof Number other) {
			return number.equals(other) || (NumberText.isWritable(number) && NumberText.isWritable(other)
					&& new BigDecimal(number.toString()).compareTo(new BigDecimal(other.toString())) == 0);
		}
		return Objects.equals(first, second);
	}

	static final class ChangedMaskException extends RuntimeException {

		ChangedMaskException(String path, String what) {
			super("The argument '%s' %s".formatted(path, what), null, false, false);
		}

	}

}
