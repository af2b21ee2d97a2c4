package io.agenthooks.spring.console;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletMapping;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.MappingMatch;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.NativeDetector;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.access.WebInvocationPrivilegeEvaluator;

@FunctionalInterface
interface PathAccess {

	PathAccess UNKNOWN = (path) -> Access.UNKNOWN;

	Access of(String path);

	/** An object that answers what is known, and nothing else. */
	static <T> T stub(Class<T> type, Map<String, Object> known) {
		return type.cast(Proxy.newProxyInstance(PathAccess.class.getClassLoader(), new Class<?>[] { type },
				(proxy, method, arguments) -> answer(proxy, method, arguments, known)));
	}

	private static @Nullable Object answer(Object proxy, Method method, @Nullable Object[] arguments,
			Map<String, Object> known) throws Throwable {
		Object answer = known.get(method.getName());
		if (answer != null) {
			return answer;
		}
		if (method.isDefault()) {
			return InvocationHandler.invokeDefault(proxy, method, arguments);
		}
		throw new UnsupportedOperationException(method.getName());
	}

	enum Access {

		/** Everybody, also without a login. */
		EVERYBODY,

		/** Everybody who logs in. */
		ANY_USER,

		/** Some users, if any. */
		RESTRICTED,

		/** That is not known. */
		UNKNOWN

	}

	/** Asks as a visitor, and as a user without any authority. */
	final class OfFilterChains implements PathAccess {

		private static final Logger logger = LoggerFactory.getLogger(PathAccess.class);

		private static final String NAME = "agent-hooks-start";

		private static final Authentication VISITOR = new AnonymousAuthenticationToken(NAME, NAME,
				AuthorityUtils.createAuthorityList("ROLE_ANONYMOUS"));

		private static final Authentication USER = UsernamePasswordAuthenticationToken.authenticated(NAME, null,
				List.of());

		private final BeanFactory beanFactory;

		OfFilterChains(BeanFactory beanFactory) {
			this.beanFactory = beanFactory;
		}

		/** A path that no filter chain decides about is open. */
		private boolean isCovered(String path) {
			Map<String, Object> attributes = new HashMap<>();
			HttpServletRequest request = (HttpServletRequest) Proxy.newProxyInstance(getClass().getClassLoader(),
					new Class<?>[] { HttpServletRequest.class },
					(proxy, method, arguments) -> switch (method.getName()) {
						case "getMethod" -> "GET";
						case "getRequestURI", "getServletPath" -> path;
						case "getContextPath" -> "";
						case "getDispatcherType" -> DispatcherType.REQUEST;
						case "setAttribute" -> attributes.put((String) arguments[0], arguments[1]);
						case "getAttribute" -> attributes.get((String) arguments[0]);
						case "removeAttribute" -> attributes.remove((String) arguments[0]);
						case "getPathInfo", "getQueryString", "getHeader", "getParameter" -> null;
						case "getHttpServletMapping" -> stub(HttpServletMapping.class, Map.of("getMatchValue", "",
								"getPattern", "/", "getServletName", NAME, "getMappingMatch", MappingMatch.DEFAULT));
						default -> throw new UnsupportedOperationException(method.getName());
					});
			return this.beanFactory.getBeanProvider(SecurityFilterChain.class)
				.stream()
				.anyMatch((chain) -> chain.matches(request));
		}

		@Override
		public Access of(String path) {
			try {
				WebInvocationPrivilegeEvaluator chains = this.beanFactory
					.getBeanProvider(WebInvocationPrivilegeEvaluator.class)
					.getIfUnique();
				if (chains == null || NativeDetector.inNativeImage()) {
					return Access.UNKNOWN;
				}
				if (!isCovered(path) || chains.isAllowed("", path, "GET", VISITOR)) {
					return Access.EVERYBODY;
				}
				return (chains.isAllowed("", path, "GET", USER)) ? Access.ANY_USER : Access.RESTRICTED;
			}
			catch (RuntimeException ex) {
				// A rule of the application may want more than a path.
				logger.debug("Who may open {} could not be found", path, ex);
				return Access.UNKNOWN;
			}
		}

	}

}
