/**
 * Calls of tools that this application offers as an MCP server pass the hooks. Start at
 * {@link io.agenthooks.spring.mcp.McpToolHooks}.
 */
@NullMarked
package io.agenthooks.spring.mcp;

import org.jspecify.annotations.NullMarked;
