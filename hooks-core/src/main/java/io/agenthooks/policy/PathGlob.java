package io.agenthooks.policy;

import java.text.Normalizer;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiPredicate;

import io.agenthooks.Glob;

/**
 * A glob for paths, as in the settings of coding agents: {@code *} is a part of a name,
 * <code>**</code> any folders. One that does not begin with a slash or {@code ~} is found
 * in any folder. A glob of a folder is for all that is in it.
 */
final class PathGlob {

	private static final String ANY_FOLDERS = "**";

	private static final String HOME = "~";

	private final List<Name> names;

	private final boolean isAnchored;

	private PathGlob(List<Name> names, boolean isAnchored) {
		this.names = names;
		this.isAnchored = isAnchored;
	}

	static PathGlob of(String written) throws UnreadableValueException {
		String glob = Normalizer.normalize(written.strip(), Normalizer.Form.NFC).replace('\\', '/');
		if (glob.isEmpty() || glob.chars().anyMatch(Character::isISOControl)) {
			throw new UnreadableValueException("it is blank");
		}
		if (glob.equals(HOME) || glob.startsWith(HOME + "/")) {
			glob = System.getProperty("user.home", HOME).replace('\\', '/') + glob.substring(1);
		}
		boolean isAnchored = glob.startsWith("/") || glob.matches("[A-Za-z]:/.*");
		String whole = (isAnchored) ? glob : ANY_FOLDERS + "/" + glob;
		List<String> names = Arrays.stream(whole.split("/", -1)).filter((name) -> !name.isEmpty()).toList();
		if (names.stream().anyMatch((name) -> name.equals("..") || name.equals("."))) {
			throw new UnreadableValueException("it has a '.' or '..' in it");
		}
		return new PathGlob(names.stream().map(Name::of).toList(), isAnchored);
	}

	/**
	 * Whether a path, which begins with a slash, or a folder around it is one of these.
	 */
	boolean matches(String path, boolean exactly) {
		return matches(path, (name, segment) -> name.matches(segment, exactly));
	}

	/**
	 * Whether a path may be one of these once a shell has put names of files into it. A
	 * lone {@code *} counts only for globs that say all folders.
	 */
	boolean mayMatch(String path) {
		return matches(path, (name, segment) -> name.mayMatch(segment, this.isAnchored));
	}

	private boolean matches(String path, BiPredicate<Name, String> isOf) {
		String[] segments = path.substring(path.startsWith("/") ? 1 : 0).split("/", -1);
		boolean[] reached = new boolean[this.names.size() + 1];
		reached[0] = true;
		skipFolders(reached);
		for (String segment : segments) {
			if (reached[this.names.size()]) {
				return true;
			}
			boolean[] next = new boolean[reached.length];
			for (int i = 0; i < this.names.size(); i++) {
				if (reached[i]) {
					Name name = this.names.get(i);
					next[i] |= name.isAnyFolders();
					next[i + 1] |= !name.isAnyFolders() && isOf.test(name, segment);
				}
			}
			skipFolders(next);
			reached = next;
		}
		return reached[this.names.size()];
	}

	private void skipFolders(boolean[] reached) {
		for (int i = 0; i < this.names.size(); i++) {
			reached[i + 1] |= reached[i] && this.names.get(i).isAnyFolders();
		}
	}

	/**
	 * A part between slashes: as it is, for names without case, and with {@code ?} for
	 * each set of characters.
	 */
	private record Name(Glob exact, Glob folded, String wildcards, boolean isAnyFolders) {

		static Name of(String written) {
			String glob = (written.equals(ANY_FOLDERS)) ? "*" : written;
			return new Name(Glob.of(glob), Glob.of(FilePath.fold(glob)), wildcards(FilePath.fold(glob)),
					written.equals(ANY_FOLDERS));
		}

		private static String wildcards(String written) {
			return written.replaceAll("\\{[^}]*}?|\\$\\w*", "*").replaceAll("\\[[^]]*]?", "?").replaceAll("\\*+", "*");
		}

		boolean matches(String segment, boolean exactly) {
			return (exactly) ? this.exact.test(segment) : this.folded.test(FilePath.fold(segment));
		}

		boolean mayMatch(String segment, boolean isAnchored) {
			if (segment.chars().noneMatch((character) -> "*?[{$".indexOf(character) >= 0)) {
				return matches(segment, false);
			}
			String other = wildcards(FilePath.fold(segment));
			boolean isHidden = this.wildcards.startsWith(".") && !other.startsWith(".");
			return !isHidden && (isAnchored || !other.matches("[*?]*")) && meet(this.wildcards, other);
		}

		/** Whether there is a name that is of both. */
		private static boolean meet(String one, String other) {
			boolean[] reached = new boolean[other.length() + 1];
			for (int i = 0; i <= one.length(); i++) {
				boolean[] next = new boolean[other.length() + 1];
				for (int j = 0; j <= other.length(); j++) {
					char mine = (i > 0) ? one.charAt(i - 1) : 0;
					char theirs = (j > 0) ? other.charAt(j - 1) : 0;
					boolean isSame = mine == theirs || mine == '?' || theirs == '?';
					next[j] = (i == 0 && j == 0) || (i > 0 && j > 0 && reached[j - 1] && isSame)
							|| (i > 0 && reached[j] && (mine == '*' || theirs == '*'))
							|| (j > 0 && next[j - 1] && (theirs == '*' || mine == '*'));
				}
				reached = next;
			}
			return reached[other.length()];
		}

	}

}
