package io.agenthooks.redact;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * A built-in kind of what must not be seen. Its name in lower case is what configuration
 * writes, and what stands in place of what was found.
 */
enum Detector {

	/** A secret, told by its looks or by what stands around it. */
	SECRET,

	/** The value of what is named password, secret, token, or a key of some kind. */
	PASSWORD,

	/** Numbers of payment cards. */
	CARD,

	/** Addresses of e-mail. */
	EMAIL,

	/** Telephone numbers. */
	PHONE,

	/** Numbers of bank accounts. */
	IBAN,

	/** Social security numbers of the United States. */
	SSN,

	/** Addresses of the internet protocol. */
	IP;

	/** The detectors that search unless the configuration says which. */
	static final Set<Detector> DEFAULTS = Collections.unmodifiableSet(EnumSet.of(SECRET, PASSWORD, CARD, EMAIL));

	String id() {
		return name().toLowerCase(Locale.ROOT);
	}

	static List<String> ids() {
		return Arrays.stream(values()).map(Detector::id).toList();
	}

	static @Nullable Detector of(@Nullable String id) {
		return Arrays.stream(values()).filter((detector) -> detector.id().equals(id)).findFirst().orElse(null);
	}

}
