/**
 * An application whose package is below Spring's.
 */
@NullMarked
package org.springframework.samples.clinic;

import org.jspecify.annotations.NullMarked;
