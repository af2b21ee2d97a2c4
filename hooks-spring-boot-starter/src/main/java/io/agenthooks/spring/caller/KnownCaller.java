package io.agenthooks.spring.caller;

import io.agenthooks.CallContext;

/**
 * A caller of whom nothing more is known.
 */
record KnownCaller(CallContext context, Login login) implements Caller {
}
