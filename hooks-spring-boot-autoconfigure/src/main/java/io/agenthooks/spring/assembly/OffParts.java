package io.agenthooks.spring.assembly;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.agenthooks.UniqueId;
import io.agenthooks.spring.outcome.ToolSwitch;
import io.agenthooks.spring.outcome.ToolSwitch.Part;
import io.agenthooks.spring.outcome.ToolSwitch.Switched;
import io.agenthooks.spring.state.StateCodec;
import io.agenthooks.spring.state.UnusableAnswerException;

/**
 * The parts that are switched off, as nodes that share a switch know them.
 *
 * @param changes the ids of the last changes, the newest last: whoever lacks the newest
 * of another one follows something else, because the store had lost it
 * @param parts what is off
 */
record OffParts(List<String> changes, List<Switched> parts) {

	/** The most parts of two nodes that did not know of each other. */
	private static final int MAX_PARTS = 2 * ToolSwitch.MAX_PARTS;

	/** More than there are between two looks of a node. */
	private static final int MAX_CHANGES = 50;

	OffParts {
		changes = List.copyOf(changes);
		parts = List.copyOf(parts);
	}

	static OffParts none() {
		return new OffParts(List.of(UniqueId.next()), List.of());
	}

	/** Whether another one knows all of this, so that it may say that tools are on. */
	boolean isFollowedBy(OffParts other) {
		return other.changes.contains(this.changes.get(this.changes.size() - 1));
	}

	OffParts with(List<Switched> parts) {
		return new OffParts(Stream
			.concat(this.changes.stream().skip(Math.max(0, this.changes.size() - MAX_CHANGES + 1)),
					Stream.of(UniqueId.next()))
			.toList(), parts);
	}

	/** All that one of two lists has, or everything if that is too much. */
	static List<Switched> union(List<Switched> one, List<Switched> other) {
		List<Switched> all = Stream.concat(one.stream(), other.stream().filter((off) -> !has(one, off.part())))
			.toList();
		if (all.size() <= MAX_PARTS) {
			return all;
		}
		Switched last = all.get(all.size() - 1);
		return List.of(new Switched(Part.ALL, false, last.at(), last.user(), last.through()));
	}

	static boolean has(List<Switched> parts, Part part) {
		return parts.stream().anyMatch((off) -> off.part().equals(part));
	}

	static List<Switched> after(List<Switched> parts, Switched switched) {
		List<Switched> next = new ArrayList<>(parts);
		next.removeIf((off) -> off.part().equals(switched.part()));
		if (!switched.enabled()) {
			next.add(switched);
		}
		return next;
	}

	static final class Codec implements StateCodec<OffParts> {

		private static final String VERSION = "k1";

		private static final int MAX_USER = 100;

		private static final int HEAD = 2;

		private static final int MEMBERS = 5;

		@Override
		public String write(OffParts state) {
			return Stream
				.concat(Stream.of(VERSION, String.join(",", state.changes())), state.parts().stream().map(Codec::write))
				.collect(Collectors.joining(";"));
		}

		private static String write(Switched off) {
			String user = Objects.requireNonNullElse(off.user(), "");
			return Stream
				.of(off.part().kind().name(), off.part().glob(), String.valueOf(off.at().toEpochMilli()),
						(user.length() > MAX_USER) ? user.substring(0, MAX_USER) : user, off.through())
				.map((member) -> URLEncoder.encode(member, StandardCharsets.UTF_8))
				.collect(Collectors.joining(","));
		}

		@Override
		public OffParts read(int space, String text) {
			String[] members = text.split(";", -1);
			if (members.length < HEAD || !members[0].equals(VERSION) || members[1].isEmpty()) {
				throw unreadable();
			}
			try {
				return new OffParts(List.of(members[1].split(",", -1)),
						Stream.of(members).skip(HEAD).map(Codec::read).toList());
			}
			catch (IllegalArgumentException ex) {
				throw unreadable();
			}
		}

		private static Switched read(String text) {
			List<String> members = Stream.of(text.split(",", -1))
				.map((member) -> URLDecoder.decode(member, StandardCharsets.UTF_8))
				.toList();
			if (members.size() != MEMBERS) {
				throw unreadable();
			}
			@Nullable String user = (members.get(3).isEmpty()) ? null : members.get(3);
			return new Switched(new Part(Part.Kind.valueOf(members.get(0)), members.get(1)), false,
					Instant.ofEpochMilli(Long.parseLong(members.get(2))), user, members.get(4));
		}

		private static UnusableAnswerException unreadable() {
			return new UnusableAnswerException("What is kept of the kill switch cannot be read");
		}

	}

}
