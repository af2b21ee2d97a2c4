/**
 * Stands for the model, so that the sample needs none. Nothing in here knows of hooks.
 */
@NullMarked
package io.agenthooks.sample.model;

import org.jspecify.annotations.NullMarked;
