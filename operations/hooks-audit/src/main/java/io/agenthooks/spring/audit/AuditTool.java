package io.agenthooks.spring.audit;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Verifies and exports the audit from a command line. Uses nothing but the JDK, so this
 * jar runs by itself.
 *
 * @since 0.1.0
 */
public final class AuditTool {

	static final int UNBROKEN = 0;

	static final int BROKEN = 1;

	static final int NOT_DONE = 2;

	private static final String USAGE = """
			Usage:
			  verify [OPTION]... FILE|DIRECTORY...
			  export [--from TIME] [--until TIME] [OPTION]... FILE|DIRECTORY...

			  --key ID=FILE        the file holds the secret of the key; without it, that of the
			                       environment variable HOOKS_AUDIT_KEY_SECRET for HOOKS_AUDIT_KEY_ID
			  --anchors FILE|DIR   the notes of the second place
			  --no-anchors         accept that records which are missing at the end are not missed
			  --plain              accept records without a key beside those with one
			  --start NODE=NUMBER  the first record of a node, if earlier files are elsewhere
			  --from, --until TIME as 2026-11-22T00:00:00Z
			'verify' ends with 0 if nothing was changed, removed, reordered or added, with 1 if something was or
			if a proof cannot be made (UNPROVED: a missing key, or no note of the second place), and with 2 if there
			is nothing that it could read. 'export' writes the records as JSON lines, and what 'verify' says to the
			standard error.""";

	private static final String UNPROVED = "UNPROVED: whether all is as it was written cannot be told";

	private static final String WITHOUT_ANCHORS = "UNPROVED: nobody can tell whether records are missing at the end. Give "
			+ "the second place with --anchors, or accept that with --no-anchors";

	private final PrintStream out;

	private final PrintStream err;

	private final AuditVerifier verifier = new AuditVerifier();

	private final List<Path> files = new ArrayList<>();

	private final List<Path> anchors = new ArrayList<>();

	private boolean keyed;

	private boolean withoutAnchors;

	private @Nullable Instant from;

	private @Nullable Instant until;

	AuditTool(PrintStream out, PrintStream err) {
		this.out = out;
		this.err = err;
	}

	/**
	 * Run the tool.
	 * @param arguments the command, its options and files
	 */
	public static void main(String[] arguments) {
		System.exit(new AuditTool(System.out, System.err).run(List.of(arguments)));
	}

	int run(List<String> arguments) {
		try {
			if (arguments.isEmpty() || !List.of("verify", "export").contains(arguments.get(0))) {
				throw new IllegalArgumentException("No command");
			}
			read(arguments.subList(1, arguments.size()));
			for (Path file : this.files) {
				this.verifier.records(file);
			}
			AuditVerification result = this.verifier.result();
			boolean export = arguments.get(0).equals("export");
			if (export) {
				export();
			}
			PrintStream told = (export) ? this.err : this.out;
			told.println((result.nodes().isEmpty()) ? "There are no records" : result);
			if (result.nodes().isEmpty()) {
				return NOT_DONE;
			}
			String unproved = (result.isBroken()) ? null : unproved(result, export);
			if (unproved != null) {
				told.println(unproved);
			}
			return (result.isBroken() || unproved != null || !result.isComplete()) ? BROKEN : UNBROKEN;
		}
		catch (IllegalArgumentException ex) {
			this.err.println(ex.getMessage());
			this.err.println(USAGE);
			return NOT_DONE;
		}
		catch (IOException ex) {
			this.err.println("Cannot read " + ex.getMessage() + " (" + ex.getClass().getSimpleName() + ")");
			return NOT_DONE;
		}
	}

	/**
	 * The proof that cannot be made, or {@code null} if there is none. A part that is
	 * exported has no second place.
	 */
	private @Nullable String unproved(AuditVerification result, boolean export) {
		if (!result.isUnbroken()) {
			return UNPROVED;
		}
		return (export || this.withoutAnchors || !this.anchors.isEmpty()) ? null : WITHOUT_ANCHORS;
	}

	private void read(List<String> arguments) throws IOException {
		for (int i = 0; i < arguments.size(); i++) {
			String argument = arguments.get(i);
			if (argument.equals("--plain")) {
				this.verifier.allowPlain();
			}
			else if (argument.equals("--no-anchors")) {
				this.withoutAnchors = true;
			}
			else if (argument.startsWith("--")) {
				if (i + 1 == arguments.size()) {
					throw new IllegalArgumentException("No value follows " + argument);
				}
				option(argument, arguments.get(++i));
			}
			else {
				this.files.add(Path.of(argument));
			}
		}
		if (this.files.isEmpty()) {
			throw new IllegalArgumentException("No file");
		}
		String id = System.getenv("HOOKS_AUDIT_KEY_ID");
		String secret = System.getenv("HOOKS_AUDIT_KEY_SECRET");
		if (!this.keyed && id != null && secret != null) {
			this.verifier.withKey(id, secret);
		}
		for (Path anchor : this.anchors) {
			this.verifier.anchors(anchor);
		}
	}

	private void option(String option, String value) throws IOException {
		switch (option) {
			case "--key" -> {
				this.verifier.withKey(name(option, value), Files.readString(Path.of(rest(value))).strip());
				this.keyed = true;
			}
			case "--anchors" -> this.anchors.add(Path.of(value));
			case "--start" -> this.verifier.startingAt(name(option, value), number(option, rest(value)));
			case "--from" -> {
				this.from = time(option, value);
			}
			case "--until" -> {
				this.until = time(option, value);
			}
			default -> throw new IllegalArgumentException("Unknown option " + option);
		}
	}

	private static Instant time(String option, String value) {
		try {
			return Instant.parse(value);
		}
		catch (DateTimeParseException ex) {
			throw new IllegalArgumentException(
					"'%s' after %s is not a time. Write the date, 'T', the time and the zone, as 2026-11-22T00:00:00Z"
						.formatted(value, option),
					ex);
		}
	}

	private static long number(String option, String value) {
		try {
			return Long.parseLong(value);
		}
		catch (NumberFormatException ex) {
			throw new IllegalArgumentException(
					"'%s' after %s is not a number. Write as shop-1=52001".formatted(value, option), ex);
		}
	}

	private static String name(String option, String value) {
		int end = value.indexOf('=');
		if (end < 1) {
			throw new IllegalArgumentException(option + " needs a name, '=' and a value");
		}
		return value.substring(0, end);
	}

	private static String rest(String value) {
		return value.substring(value.indexOf('=') + 1);
	}

	private void export() throws IOException {
		for (Path file : this.files) {
			for (Path part : (Files.isDirectory(file)) ? AuditFiles.all(file) : List.of(file)) {
				boolean unused = AuditFiles.read(part, (line, place, finished) -> {
					SealedLine sealed = SealedLine.read(line);
					if (sealed != null && sealed.isWithin(this.from, this.until)) {
						this.out.println(line);
					}
					return true;
				});
			}
		}
	}

}
