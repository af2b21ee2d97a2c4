package io.agenthooks.spring.binding;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

final class PropertySegments {

	private PropertySegments() {
	}

	/** The segments of a property; a name in brackets keeps them. */
	static List<String> of(String property) {
		List<String> segments = new ArrayList<>();
		int start = 0;
		for (int i = 0; i < property.length(); i++) {
			char ch = property.charAt(i);
			if (ch == '.' || ch == '[') {
				addSegment(segments, property.substring(start, i));
				start = i + 1;
			}
			if (ch == '[') {
				int end = property.indexOf(']', i);
				end = (end != -1) ? end : property.length() - 1;
				segments.add(property.substring(i, end + 1));
				start = end + 1;
				i = end;
			}
		}
		addSegment(segments, property.substring(start));
		return segments;
	}

	private static void addSegment(List<String> segments, String segment) {
		if (!segment.isEmpty()) {
			segments.add(segment);
		}
	}

	/** In lower case; digits are a position. */
	static List<String> ofVariable(String variable) {
		return Arrays.stream(variable.toLowerCase(Locale.ROOT).split("_"))
			.map((element) -> (element.chars().allMatch(Character::isDigit)) ? "[" + element + "]" : element)
			.toList();
	}

}
