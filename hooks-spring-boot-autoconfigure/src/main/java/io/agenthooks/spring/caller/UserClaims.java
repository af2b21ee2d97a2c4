package io.agenthooks.spring.caller;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.net.URL;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.security.core.Authentication;
import org.springframework.security.oauth2.core.ClaimAccessor;
import org.springframework.security.oauth2.core.OAuth2AuthenticatedPrincipal;

/**
 * Takes claims out of the token that somebody logged in with: a JWT, the answer of an
 * authorization server about an opaque token, or an OpenID Connect user. What is no JSON
 * value, or too large, counts as not there. A class of its own, so that the OAuth 2.0
 * support of Spring Security need not be there.
 */
final class UserClaims {

	private static final Logger logger = LoggerFactory.getLogger(UserClaims.class);

	private static final int MAX_DEPTH = 8;

	private static final int MAX_VALUES = 5000;

	private static final Set<Class<?>> VALUES = Set.of(String.class, Boolean.class, Integer.class, Long.class,
			Short.class, Byte.class, BigInteger.class, BigDecimal.class);

	private static final Set<Class<?>> TEXTS = Set.of(Instant.class, URL.class, URI.class, UUID.class);

	/** The values that may come yet, of all claims together. */
	private int left = MAX_VALUES;

	private UserClaims() {
	}

	static Map<String, Object> of(Authentication authentication, Set<String> names) {
		Map<String, Object> claims = new LinkedHashMap<>();
		try {
			Map<String, Object> all = allOf(authentication);
			UserClaims values = new UserClaims();
			for (String name : names) {
				Object value = all.get(name);
				if (value != null) {
					claims.put(name, values.copy(value, 1));
				}
			}
		}
		catch (RuntimeException ex) {
			logger.debug("The claims of a user could not be read: {}", ex.getClass().getName());
			return Map.of();
		}
		claims.values().removeIf(NoValue.class::isInstance);
		return claims;
	}

	private static Map<String, Object> allOf(Authentication authentication) {
		for (Object source : new @Nullable Object[] { authentication.getPrincipal(),
				authentication.getCredentials() }) {
			Map<String, Object> claims = (source instanceof ClaimAccessor token) ? token.getClaims()
					: (source instanceof OAuth2AuthenticatedPrincipal user) ? user.getAttributes() : null;
			if (claims != null) {
				return claims;
			}
		}
		return Map.of();
	}

	private Object copy(Object value, int depth) {
		if (--this.left < 0 || depth > MAX_DEPTH) {
			return NoValue.INSTANCE;
		}
		if (VALUES.contains(value.getClass())) {
			return value;
		}
		if (value instanceof Double || value instanceof Float) {
			return (Double.isFinite(((Number) value).doubleValue())) ? value : NoValue.INSTANCE;
		}
		if (TEXTS.contains(value.getClass()) || value instanceof Enum<?>) {
			return value.toString();
		}
		if (value instanceof Date date) {
			return date.toInstant().toString();
		}
		if (value instanceof Map<?, ?> map) {
			return copyMap(map, depth);
		}
		return (value instanceof Collection<?> list) ? copyList(list, depth) : NoValue.INSTANCE;
	}

	private Object copyMap(Map<?, ?> map, int depth) {
		Map<String, @Nullable Object> copy = new LinkedHashMap<>();
		for (Map.Entry<?, ?> entry : map.entrySet()) {
			Object value = (entry.getValue() != null) ? copy(entry.getValue(), depth + 1) : null;
			if (!(entry.getKey() instanceof String name) || value instanceof NoValue) {
				return NoValue.INSTANCE;
			}
			copy.put(name, value);
		}
		return copy;
	}

	private Object copyList(Collection<?> list, int depth) {
		List<@Nullable Object> copy = new ArrayList<>();
		for (Object element : list) {
			Object value = (element != null) ? copy(element, depth + 1) : null;
			if (value instanceof NoValue) {
				return NoValue.INSTANCE;
			}
			copy.add(value);
		}
		return copy;
	}

	private enum NoValue {

		INSTANCE

	}

}
