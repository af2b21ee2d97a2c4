package io.agenthooks.spring;

import java.util.Collection;
import java.util.List;

/**
 * A tool of the application that calls no other tool. A lambda may say so, too:
 * <pre class="code">
 * ToolExecutor weather = (ToolExecutor &amp; WrapsNoTool) (request, memoryId) -&gt; "sunny";
 * </pre>
 *
 * @since 0.1.0
 */
public interface WrapsNoTool extends WrapsTool {

	@Override
	default Collection<?> wrappedTools() {
		return List.of();
	}

}
