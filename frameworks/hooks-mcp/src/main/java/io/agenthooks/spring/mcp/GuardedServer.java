package io.agenthooks.spring.mcp;

import java.lang.reflect.Field;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

import io.modelcontextprotocol.server.McpServerFeatures;
import io.modelcontextprotocol.server.McpStatelessServerFeatures;
import io.modelcontextprotocol.server.McpStatelessSyncServer;
import io.modelcontextprotocol.server.McpSyncServer;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.core.NativeDetector;
import org.springframework.util.ReflectionUtils;

import io.agenthooks.spring.guard.KnownMethods;
import io.agenthooks.toolcall.ToolHookChain;

/**
 * A server does not tell its tools, so this reads private fields; and it may get more of
 * them later, so it becomes a proxy.
 */
final class GuardedServer {

	private static final Logger logger = LoggerFactory.getLogger(GuardedServer.class);

	private static final List<KnownMethods> KNOWN = McpToolGuard.SERVERS.stream()
		.map((type) -> KnownMethods.of(type, "addTool(SyncToolSpecification)", "addTool(AsyncToolSpecification)",
				"listTools()", "removeTool(String)", "notifyToolsListChanged()",
				"addResource(SyncResourceSpecification)", "addResource(AsyncResourceSpecification)", "listResources()",
				"removeResource(String)", "addResourceTemplate(SyncResourceTemplateSpecification)",
				"addResourceTemplate(AsyncResourceTemplateSpecification)", "listResourceTemplates()",
				"removeResourceTemplate(String)", "notifyResourcesListChanged()",
				"notifyResourcesUpdated(ResourcesUpdatedNotification)", "addPrompt(SyncPromptSpecification)",
				"addPrompt(AsyncPromptSpecification)", "listPrompts()", "removePrompt(String)",
				"notifyPromptsListChanged()", "getServerCapabilities()", "getServerInfo()",
				"sendElicitationComplete(String, ElicitationCompleteNotification)", "closeGracefully()", "close()",
				"getAsyncServer()"))
		.toList();

	/** The specifications of tools. What else one had would be called unguarded. */
	private static final List<KnownMethods> SPECIFICATIONS = McpToolGuard.TOOLS.stream()
		.map((type) -> KnownMethods.of(type, "tool()", "callHandler()", "toString()", "hashCode()", "equals(Object)"))
		.toList();

	private GuardedServer() {
	}

	static boolean isServer(Object bean) {
		return McpToolGuard.SERVERS.stream().anyMatch((type) -> type.isInstance(bean));
	}

	/** In a native image they cannot be, of which there is a warning. */
	static boolean guardsLaterTools(Object server) {
		return server instanceof Advised advised && Stream.of(advised.getAdvisors())
			.anyMatch((advisor) -> advisor.getAdvice() instanceof LaterToolsInterceptor);
	}

	static boolean isGuarded(Object server) {
		Object target = AopProxyUtils.getSingletonTarget(server);
		if (target == null) {
			return NativeDetector.inNativeImage() && toolsOf(server).stream().allMatch(McpToolHooks::isGuarded);
		}
		return (guardsLaterTools(server)) ? toolsOf(target).stream().allMatch(McpToolHooks::isGuarded)
				: isGuarded(target);
	}

	static List<Object> toolsOf(Object server) {
		Object target = AopProxyUtils.getSingletonTarget(server);
		if (target != null) {
			return toolsOf(target);
		}
		boolean waits = server instanceof McpSyncServer || server instanceof McpStatelessSyncServer;
		return List.copyOf(toolList((waits) ? read(server, "asyncServer") : server));
	}

	static <S> S of(S server, McpToolHooks hooks) {
		if (guardsLaterTools(server)) {
			return server;
		}
		KNOWN.forEach(KnownMethods::warn);
		try {
			SPECIFICATIONS.forEach(GuardedServer::require);
			guardPresentTools(server, hooks);
		}
		catch (RuntimeException ex) {
			throw new IllegalStateException("The tools of an MCP server cannot be put behind the hooks: "
					+ "this version of the MCP SDK is not known. Use the version that this starter was built with, "
					+ "or switch all hooks around tools off with 'hooks.tool_call.bypass_hooks: true'.", ex);
		}
		return guardLaterTools(server, hooks);
	}

	private static void require(KnownMethods specification) {
		if (!specification.areAll()) {
			throw new IllegalStateException("Unknown: " + specification.describeOthers());
		}
	}

	private static void guardPresentTools(Object server, McpToolHooks hooks) {
		Object async = server;
		boolean mayWait = false;
		if (server instanceof McpSyncServer || server instanceof McpStatelessSyncServer) {
			async = read(server, "asyncServer");
			mayWait = (boolean) read(server, "immediateExecution");
		}
		replaceTools(async, hooks, mayWait);
		ToolLists.hide(async, hooks, mayWait);
	}

	static void requireHiding(Object bean, ToolHookChain chain) {
		if (!isServer(bean) || !chain.isHiding()) {
			return;
		}
		Object server = AopProxyUtils.getSingletonTarget(bean);
		if (server != null) {
			requireHiding(server, chain);
		}
		else if (!ToolLists.isHiding((bean instanceof McpSyncServer || bean instanceof McpStatelessSyncServer)
				? read(bean, "asyncServer") : bean)) {
			throw new IllegalStateException(
					"Hooks hide tools ('hide: true'), but an MCP server of this application would "
							+ "list them: its transport is of a kind that is not known. Use a transport of the MCP SDK or of "
							+ "Spring AI, or remove 'hide'; calls are denied all the same.");
		}
	}

	@SuppressWarnings("unchecked")
	private static CopyOnWriteArrayList<Object> toolList(Object server) {
		return (CopyOnWriteArrayList<Object>) read(server, "tools");
	}

	private static void replaceTools(Object server, McpToolHooks hooks, boolean mayWait) {
		toolList(server).replaceAll((tool) -> (tool instanceof McpServerFeatures.AsyncToolSpecification specification)
				? hooks.wrap(specification, mayWait)
				: hooks.wrap((McpStatelessServerFeatures.AsyncToolSpecification) tool, mayWait));
	}

	private static Object read(Object server, String name) {
		Field field = Objects.requireNonNull(ReflectionUtils.findField(server.getClass(), name), name);
		ReflectionUtils.makeAccessible(field);
		return Objects.requireNonNull(ReflectionUtils.getField(field, server), name);
	}

	@SuppressWarnings("unchecked")
	private static <S> S guardLaterTools(S server, McpToolHooks hooks) {
		if (NativeDetector.inNativeImage()) {
			logger.warn("In a native image, calls of tools that are added to an MCP server later pass no hooks "
					+ "unless the McpToolHooks bean wraps them");
			return server;
		}
		ProxyFactory factory = new ProxyFactory(Objects.requireNonNull(server));
		factory.setProxyTargetClass(true);
		factory.addAdvice(new LaterToolsInterceptor(hooks));
		return (S) factory.getProxy(server.getClass().getClassLoader());
	}

	private record LaterToolsInterceptor(McpToolHooks hooks) implements MethodInterceptor {

		@Override
		public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
			KNOWN.forEach((known) -> known.check(invocation.getMethod()));
			if (invocation.getMethod().getName().equals("addTool")) {
				@Nullable Object[] arguments = invocation.getArguments();
				if (arguments[0] != null) {
					arguments[0] = this.hooks.wrapIfNeeded(arguments[0]);
				}
			}
			Object result = invocation.proceed();
			// The server below, whose present tools are guarded with this one's.
			return (result != null && isServer(result)) ? guardLaterTools(result, this.hooks) : result;
		}

	}

}
