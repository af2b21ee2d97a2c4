/**
 * Stands for the approval service of a company: another program, which knows of the hooks
 * only what arrives by HTTP.
 */
@NullMarked
package io.agenthooks.sample.approvals;

import org.jspecify.annotations.NullMarked;
