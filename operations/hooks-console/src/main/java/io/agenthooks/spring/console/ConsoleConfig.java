package io.agenthooks.spring.console;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;

/**
 * The options of {@code hooks.console}. The annotation is for the metadata of IDEs; it is
 * read by {@link io.agenthooks.spring.binding.HooksReader}.
 *
 * @param enabled Whether the page is served.
 * @param path Path of the page below the root of the application.
 * @param authority Authority that a user must have to open the page if no filter chain of
 * the application decides about its path.
 * @param insecure Whether the page is served although Spring Security does not protect
 * it.
 */
@ConfigurationProperties("hooks.console")
record ConsoleConfig(@Nullable Boolean enabled, @Nullable String path, @Nullable String authority,
		@Nullable Boolean insecure) {

	static final String DEFAULT_PATH = "/hooks";

	static final String DEFAULT_AUTHORITY = "HOOKS_CONSOLE";

	private static final Pattern PATH = Pattern.compile("(/[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}){1,8}");

	ConsoleConfig {
		List<Problem> problems = new ArrayList<>();
		if (path != null && !PATH.matcher(path).matches()) {
			problems.add(new Problem(List.of("path"), "is not a valid path of the console",
					"Write segments of letters, digits, dots, dashes and underscores with a slash before each and none "
							+ "at the end, such as '/hooks' or '/admin/hooks'."));
		}
		if (authority != null && (authority.isBlank() || !authority.equals(authority.strip()))) {
			problems.add(new Problem(List.of("authority"), "is not a valid authority",
					"Write it as users have it, such as 'ROLE_ADMIN'."));
		}
		if (!problems.isEmpty()) {
			throw new InvalidHookConfigException(problems);
		}
	}

	String pathOrDefault() {
		return Objects.requireNonNullElse(this.path, DEFAULT_PATH);
	}

	String authorityOrDefault() {
		return Objects.requireNonNullElse(this.authority, DEFAULT_AUTHORITY);
	}

	boolean isInsecure() {
		return Boolean.TRUE.equals(this.insecure);
	}

}
