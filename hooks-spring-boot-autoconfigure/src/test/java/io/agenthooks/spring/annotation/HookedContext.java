package io.agenthooks.spring.annotation;

import java.util.Comparator;
import java.util.List;
import java.util.Map;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolHook;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolResult;

/**
 * An application context whose annotated methods are the hooks of a chain, in order.
 */
final class HookedContext implements AutoCloseable {

	final GenericApplicationContext context;

	final AnnotatedToolHooks hooks;

	final ToolHookChain chain;

	private HookedContext(GenericApplicationContext context) {
		this.context = context;
		this.hooks = AnnotatedToolHooks.findIn(context.getBeanFactory());
		this.chain = new ToolHookChain(ofType(PreToolHook.class), ofType(PostToolHook.class));
	}

	static HookedContext of(Class<?>... components) {
		AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
		context.register(components);
		return of(context);
	}

	/**
	 * Refresh the context and verify it, as an application does at its start.
	 */
	static HookedContext of(GenericApplicationContext context) {
		context.refresh();
		HookedContext hooked = new HookedContext(context);
		hooked.hooks.verify();
		return hooked;
	}

	private <H extends ToolHook> List<H> ofType(Class<H> type) {
		return this.hooks.hooks()
			.stream()
			.sorted(Comparator.comparingInt((found) -> found.options().order()))
			.map(AnnotatedToolHook::hook)
			.filter(type::isInstance)
			.map(type::cast)
			.toList();
	}

	List<String> names() {
		return this.hooks.hooks().stream().map(AnnotatedToolHook::name).toList();
	}

	<T> T bean(Class<T> type) {
		return this.context.getBean(type);
	}

	ToolResult call(String tool) {
		return call(tool, (call) -> ToolResult.success("ran " + call.tool()));
	}

	ToolResult call(String tool, ToolExecutor executor) {
		return this.chain.execute(ToolCall.of(tool, Map.of()), executor);
	}

	@Override
	public void close() {
		this.context.close();
	}

}
