package io.agenthooks.spring.guard;

import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Calls that a framework shows to nobody, so that no hook can see them and no guard can
 * find them. The start says which, where there are hooks that one might believe to see
 * them.
 *
 * @param wanted whether there are such hooks
 * @param text which calls are not seen, and what to do
 * @since 0.1.0
 */
public record BlindSpot(BooleanSupplier wanted, Supplier<String> text) {
}
