package io.agenthooks.spring.security;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.env.Environment;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

import io.agenthooks.spring.scope.KnownNames;
import io.agenthooks.spring.scope.NameSource;
import io.agenthooks.spring.scope.Named;

/** If anything but the users in memory may log users in, there may be others. */
final class SecurityNames implements NameSource {

	private static final String JWT_PREFIX = "spring.security.oauth2.resourceserver.jwt.authority-prefix";

	private static final List<String> SERVICES = List.of(
			"org.springframework.security.core.userdetails.UserDetailsService",
			"org.springframework.security.core.userdetails.ReactiveUserDetailsService");

	private static final List<String> IN_MEMORY = List.of(
			"org.springframework.security.provisioning.InMemoryUserDetailsManager",
			"org.springframework.security.core.userdetails.MapReactiveUserDetailsService");

	/** Types whose beans log users in, or say what they may do. */
	private static final List<String> OTHERS = List.of(
			"org.springframework.security.authentication.AuthenticationManager",
			"org.springframework.security.authentication.AuthenticationProvider",
			"org.springframework.security.authentication.ReactiveAuthenticationManager",
			"org.springframework.security.core.authority.mapping.GrantedAuthoritiesMapper",
			"org.springframework.security.oauth2.jwt.JwtDecoder",
			"org.springframework.security.oauth2.jwt.ReactiveJwtDecoder",
			"org.springframework.security.oauth2.server.resource.introspection.OpaqueTokenIntrospector",
			"org.springframework.security.oauth2.server.resource.introspection.ReactiveOpaqueTokenIntrospector",
			"org.springframework.security.oauth2.client.registration.ClientRegistrationRepository",
			"org.springframework.security.oauth2.client.registration.ReactiveClientRegistrationRepository",
			"org.springframework.security.saml2.provider.service.registration.RelyingPartyRegistrationRepository");

	private static final String DEFAULTS = "org.springframework.security.config.core.GrantedAuthorityDefaults";

	private final ConfigurableListableBeanFactory beanFactory;

	private final Environment environment;

	SecurityNames(ConfigurableListableBeanFactory beanFactory, Environment environment) {
		this.beanFactory = beanFactory;
		this.environment = environment;
	}

	@Override
	public void addTo(KnownNames names) {
		List.of("ROLE_", "SCOPE_", "FACTOR_").forEach(names::addAuthorityPrefix);
		List.of("OIDC_USER", "OAUTH2_USER", "HOOKS_CONSOLE")
			.forEach((authority) -> names.add(Named.AUTHORITY, authority));
		String ofTokens = this.environment.getProperty(JWT_PREFIX);
		if (ofTokens != null) {
			names.addAuthorityPrefix(ofTokens);
		}
		for (Object defaults : beans(List.of(DEFAULTS))) {
			Object prefix = ReflectionUtils.invokeMethod(
					Objects.requireNonNull(ReflectionUtils.findMethod(defaults.getClass(), "getRolePrefix")), defaults);
			if (prefix != null) {
				names.addAuthorityPrefix(prefix.toString());
			}
		}
		List<Object> services = beans(SERVICES);
		List<Object> known = beans(IN_MEMORY);
		boolean all = !known.isEmpty() && services.size() == known.size() && beans(OTHERS).isEmpty();
		for (Object service : known) {
			Collection<?> users = usersOf(service);
			all &= users != null;
			for (Object user : (users != null) ? users : List.of()) {
				if (user instanceof UserDetails details) {
					add(details, names);
				}
			}
		}
		if (!all) {
			names.mayCome(EnumSet.of(Named.USER, Named.AUTHORITY));
		}
	}

	private static void add(UserDetails user, KnownNames names) {
		names.add(Named.USER, user.getUsername());
		user.getAuthorities()
			.stream()
			.map(GrantedAuthority::getAuthority)
			.filter(Objects::nonNull)
			.forEach((authority) -> names.add(Named.AUTHORITY, authority));
	}

	/** A service does not tell its users; {@code null} if they are not known. */
	private static @Nullable Collection<?> usersOf(Object service) {
		Field field = ReflectionUtils.findField(service.getClass(), "users", Map.class);
		if (field == null) {
			return null;
		}
		try {
			ReflectionUtils.makeAccessible(field);
			return (ReflectionUtils.getField(field, service) instanceof Map<?, ?> users) ? users.values() : null;
		}
		catch (RuntimeException ex) {
			return null;
		}
	}

	/** Also names that stand for beans that do not exist yet. */
	private List<Object> beans(List<String> types) {
		ClassLoader classLoader = this.beanFactory.getBeanClassLoader();
		List<Object> beans = new ArrayList<>();
		for (String type : types) {
			if (ClassUtils.isPresent(type, classLoader)) {
				Arrays
					.stream(this.beanFactory.getBeanNamesForType(ClassUtils.resolveClassName(type, classLoader), true,
							false))
					.map((name) -> Objects.requireNonNullElse(this.beanFactory.getSingleton(name), name))
					.forEach(beans::add);
			}
		}
		return beans;
	}

}
