package io.agenthooks.spring.mcp;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

import io.modelcontextprotocol.server.transport.StdioServerTransportProvider;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.util.ReflectionUtils;

import io.agenthooks.spring.guard.TestDoubles;

/**
 * Lets a server that reads its standard input begin when the application has started: a
 * call that waits there would be carried out before the tools are behind the hooks.
 */
final class StandardInputGuard
		implements BeanPostProcessor, ApplicationListener<ContextRefreshedEvent>, DisposableBean {

	private final ApplicationContext context;

	private final CompletableFuture<Boolean> start = new CompletableFuture<>();

	StandardInputGuard(ApplicationContext context) {
		this.context = context;
	}

	@Override
	public Object postProcessBeforeInitialization(Object bean, String beanName) {
		if (bean instanceof StdioServerTransportProvider && !TestDoubles.isMock(bean) && !this.start.isDone()) {
			try {
				Field input = Objects
					.requireNonNull(ReflectionUtils.findField(bean.getClass(), "inputStream", InputStream.class));
				ReflectionUtils.makeAccessible(input);
				input.set(bean, new WaitingInput((InputStream) input.get(bean), this.start));
			}
			catch (ReflectiveOperationException | RuntimeException ex) {
				throw new IllegalStateException("An MCP server cannot be kept from reading before its tools are "
						+ "behind the hooks: this version of the MCP SDK is not known. Use the version that this "
						+ "starter was built with, or switch all hooks around tools off with "
						+ "'hooks.tool_call.bypass_hooks: true'.", ex);
			}
		}
		return bean;
	}

	@Override
	@SuppressWarnings("ReferenceEquality") // of the very context
	public void onApplicationEvent(ContextRefreshedEvent event) {
		if (event.getApplicationContext() == this.context) {
			this.start.complete(true);
		}
	}

	/** If the start failed, nobody would read any more. */
	@Override
	public void destroy() {
		this.start.complete(false);
	}

	/**
	 * Whether what was given is read can be seen only when the application has started.
	 */
	private static final class WaitingInput extends FilterInputStream {

		private final CompletableFuture<Boolean> start;

		WaitingInput(InputStream input, CompletableFuture<Boolean> start) {
			super(input);
			this.start = start;
		}

		@Override
		public int read() throws IOException {
			return (this.start.join()) ? super.read() : -1;
		}

		@Override
		public int read(byte[] bytes, int offset, int length) throws IOException {
			return (this.start.join()) ? super.read(bytes, offset, length) : -1;
		}

	}

}
