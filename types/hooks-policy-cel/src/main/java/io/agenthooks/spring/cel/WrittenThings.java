package io.agenthooks.spring.cel;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;

import dev.cel.common.ast.CelExpr;
import org.jspecify.annotations.Nullable;

import io.agenthooks.SafeText;
import io.agenthooks.policy.HostName;
import io.agenthooks.policy.UnreadableValueException;

/** Domains, roles and such in conditions: one that nothing can be is a mistake. */
final class WrittenThings {

	private static final Set<String> OF_AUTHORITIES = Set.of("hasRole", "hasAnyRole", "hasAuthority",
			"hasAnyAuthority");

	private WrittenThings() {
	}

	static boolean isOfAuthorities(String function) {
		return OF_AUTHORITIES.contains(function);
	}

	static List<String> authorities(CelSource source, String function, List<CelExpr> parts) {
		boolean areRoles = function.endsWith("Role");
		List<String> authorities = new ArrayList<>();
		for (CelExpr part : parts) {
			if (!(CelSource.constant(part) instanceof String name) || name.isBlank()) {
				throw source.mistake(part, "A role or an authority cannot come from a call, and is not blank",
						"Write it in the rule, as in %s('%s').".formatted(function,
								(areRoles) ? "ADMIN" : "mail:send"));
			}
			if (areRoles) {
				checkRole(source, part, name);
			}
			authorities.add((areRoles) ? Roles.PREFIX + name : name);
		}
		return authorities;
	}

	private static void checkRole(CelSource source, CelExpr part, String name) {
		if (name.startsWith(Roles.PREFIX)) {
			throw source.mistake(part, "A role is written without 'ROLE_'",
					"Write '%s'.".formatted(SafeText.name(name.substring(Roles.PREFIX.length()))));
		}
	}

	static void checkRegex(CelSource source, CelExpr part, String regex) {
		if (WrittenPatterns.withoutBrackets(regex).indexOf('\b') >= 0) {
			throw source.mistake(part, "The regular expression has a backspace: in '...' that is what \\b means",
					"Write r'...', where \\b is the edge of a word.");
		}
		WrittenPatterns.checkInSomeText(source, part, regex);
	}

	static void checkRoles(CelSource source, ComparedNames.@Nullable Field field, CelExpr part,
			@Nullable Object value) {
		if (field != null && field.path().equals(ComparedNames.ROLES)) {
			for (Object each : (value instanceof List<?> list) ? list : Collections.singletonList(value)) {
				if (each instanceof String name) {
					checkRole(source, part, name);
				}
			}
		}
	}

	static void checkFolder(CelSource source, CelExpr part, @Nullable Expression written) {
		if (written == null || !written.isConstant()
				|| !(written.value(Scope.beforeCalls()) instanceof String folder)) {
			return;
		}
		if (!folder.matches("/.*|~(?:/.*)?|[A-Za-z]:[/\\\\].*") || folder.matches(".*[*?].*")) {
			throw source.mistake(part, "'%s' is no absolute path of a folder".formatted(SafeText.name(folder)),
					"Write it as in path(args.file, '/data').under('/data/reports'): that takes in all below it.");
		}
	}

	static void checkNotFolder(CelSource source, CelExpr part, Expression written) {
		if (written.isConstant() && written.value(Scope.beforeCalls()) instanceof String above
				&& (above.startsWith("/") || above.startsWith("~"))) {
			throw source.mistake(part, "A text is not below a folder",
					"Write path(..) around it: path(args.file).under('%s').".formatted(SafeText.name(above)));
		}
		checkAbove(source, part, written);
	}

	static void checkAbove(CelSource source, CelExpr part, Expression written) {
		if (!written.isConstant() || !(written.value(Scope.beforeCalls()) instanceof String domain)) {
			return;
		}
		try {
			HostName.of(domain);
		}
		catch (UnreadableValueException ex) {
			throw source.mistake(part, "'%s' is no domain: %s".formatted(SafeText.name(domain), ex.reason()),
					"Write it as in host.under('example.com'): that takes in the hosts below it.");
		}
	}

}
