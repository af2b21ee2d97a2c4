package io.agenthooks.spring.assembly;

import java.util.List;
import java.util.function.Function;

import io.agenthooks.InvalidHookConfigException.Problem;

/** Finds what is wrong with the bound {@code config} of a hook. */
@FunctionalInterface
interface HookConfigValidation extends Function<Object, List<Problem>> {

}
