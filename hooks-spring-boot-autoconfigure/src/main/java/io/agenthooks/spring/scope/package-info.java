/**
 * Names of users, agents, servers and such by which hooks choose calls, and whether there
 * is anything of that name.
 */
@NullMarked
package io.agenthooks.spring.scope;

import org.jspecify.annotations.NullMarked;
