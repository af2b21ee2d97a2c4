package io.agenthooks.spring;

import java.util.Collection;

/**
 * A tool of the application that says which tools it calls. Nothing is read from the
 * fields of a class of the application, so a tool of such a class that does not implement
 * this is of an unknown origin: whatever denies tools of an MCP server, or arguments and
 * rules of a method, holds for it, and nothing but {@code *} allows it where MCP clients
 * may be.
 * <p>
 * What Spring AI and LangChain4j make of a method or a function needs no such interface:
 * it is a tool of the application, whatever that method calls. For a {@code ToolCallback}
 * or {@code ToolExecutor} of your own: <pre class="code">
 * record Traced(ToolCallback tool) implements ToolCallback, WrapsTool {
 *
 *     &#64;Override
 *     public Collection&lt;?&gt; wrappedTools() {
 *         return List.of(this.tool);
 *     }
 *     ...
 * </pre>
 *
 * @since 0.1.0
 */
public interface WrapsTool {

	/**
	 * The tools that a call of this one may reach. It is asked with each call, and must
	 * not call a tool.
	 * @return the tools; empty if this is a tool of its own that calls no other
	 */
	Collection<?> wrappedTools();

}
