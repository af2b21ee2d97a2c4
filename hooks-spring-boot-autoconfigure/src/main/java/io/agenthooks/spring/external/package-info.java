/**
 * The common parts of all deciders outside of the application, be they programs,
 * endpoints or models: what happens without a verdict, and what their words may look
 * like.
 */
@NullMarked
package io.agenthooks.spring.external;

import org.jspecify.annotations.NullMarked;
