/**
 * Questions to people as calls, frameworks and those who answer know them, and turns of
 * agents that wait for the answers.
 */
@org.jspecify.annotations.NullMarked
package io.agenthooks.spring.suspend;
