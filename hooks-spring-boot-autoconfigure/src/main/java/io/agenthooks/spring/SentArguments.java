package io.agenthooks.spring;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.agenthooks.ArgumentsMask;
import io.agenthooks.InvalidHookConfigException.Problem;

/**
 * The arguments that a hook sends out of the application: only some, or some as a mask.
 * Both are about the arguments of a tool themselves, with everything in them.
 *
 * @param send names of the arguments that are sent, exactly as the tool calls them; the
 * others are not; {@code null} for all
 * @param mask names of arguments that are sent as a mask, however upper case, {@code _}
 * and {@code -} are used in them; {@code null} for none
 * @since 0.1.0
 */
public record SentArguments(@Nullable List<String> send, @Nullable List<String> mask) implements ArgumentsMask {

	private static final String SEND = "send";

	private static final String MASKED = "mask";

	/** Create what is sent; lists are copied. */
	public SentArguments {
		send = (send != null) ? List.copyOf(send) : null;
		mask = (mask != null) ? mask.stream().map(SentArguments::uniform).toList() : null;
	}

	/** Null if the options say nothing. */
	static @Nullable SentArguments of(@Nullable List<String> send, @Nullable List<String> mask) {
		return (send != null || mask != null) ? new SentArguments(send, mask) : null;
	}

	private static String uniform(String name) {
		return name.replaceAll("[_-]", "").toLowerCase(Locale.ROOT);
	}

	/**
	 * The options that are written.
	 * @return their names
	 */
	public List<String> options() {
		return Stream.of((this.send != null) ? SEND : "", (this.mask != null) ? MASKED : "")
			.filter((option) -> !option.isEmpty())
			.toList();
	}

	List<Problem> problems() {
		List<Problem> problems = new ArrayList<>();
		if (this.mask != null && this.mask.isEmpty()) {
			problems.add(new Problem(List.of(MASKED), "is empty, so nothing would be masked",
					"Write names of arguments, such as [password], or remove it."));
		}
		for (String option : options()) {
			List<String> names = (option.equals(SEND)) ? this.send : this.mask;
			if (names != null && names.stream().anyMatch(String::isBlank)) {
				problems.add(new Problem(List.of(option), "has a name without letters, which no argument has",
						"Write names of arguments, such as [path]."));
			}
			else if (names != null && names.stream().anyMatch((name) -> name.indexOf('*') >= 0)) {
				problems
					.add(new Problem(List.of(option), "has a name with a star, which no argument has: it is no glob",
							"Write the name of each argument, such as [path], or 'send: []' to send none."));
			}
		}
		if (this.send != null && this.mask != null) {
			Set<String> sent = this.send.stream().map(SentArguments::uniform).collect(Collectors.toSet());
			if (!sent.containsAll(new HashSet<>(this.mask))) {
				problems.add(new Problem(List.of(MASKED), "masks an argument that 'send' does not send",
						"Add it to 'send', to send its mask, or remove it here."));
			}
		}
		return problems;
	}

	@Override
	public Map<String, @Nullable Object> mask(Map<String, @Nullable Object> arguments) {
		Map<String, @Nullable Object> masked = new LinkedHashMap<>();
		arguments.forEach((name, value) -> {
			if (this.send == null || this.send.contains(name)) {
				masked.put(name, (this.mask != null && this.mask.contains(uniform(name))) ? MASK : value);
			}
		});
		return (masked.equals(arguments)) ? arguments : masked;
	}

}
