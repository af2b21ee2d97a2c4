/**
 * Tests of what an application offers to MCP clients, over HTTP with the client of the
 * MCP SDK.
 */
@NullMarked
package io.agenthooks.spring.mcp;

import org.jspecify.annotations.NullMarked;
