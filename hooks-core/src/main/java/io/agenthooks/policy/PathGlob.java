package io.agenthooks.policy;

import java.text.Normalizer;
import java.util.Arrays;
import java.util.List;

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

	private PathGlob(List<Name> names) {
		this.names = names;
	}

	/**
	 * Read a glob.
	 * @throws UnreadableValueException if it is none
	 */
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
		return new PathGlob(names.stream().map(Name::of).toList());
	}

	/**
	 * Whether a path, or a folder that it is in, is one of these.
	 * @param path the path, which begins with a slash
	 */
	boolean matches(String path, boolean exactly) {
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
					next[i + 1] |= !name.isAnyFolders() && name.matches(segment, exactly);
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
	 * A part between slashes.
	 *
	 * @param exact the glob as it is
	 * @param folded the same for names in which case makes no difference
	 */
	private record Name(Glob exact, Glob folded, boolean isAnyFolders) {

		static Name of(String written) {
			return new Name(Glob.of((written.equals(ANY_FOLDERS)) ? "*" : written),
					Glob.of((written.equals(ANY_FOLDERS)) ? "*" : FilePath.fold(written)), written.equals(ANY_FOLDERS));
		}

		boolean matches(String segment, boolean exactly) {
			return (exactly) ? this.exact.test(segment) : this.folded.test(FilePath.fold(segment));
		}

	}

}
