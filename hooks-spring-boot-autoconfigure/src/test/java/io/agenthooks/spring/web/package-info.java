@NullMarked
package io.agenthooks.spring.web;

import org.jspecify.annotations.NullMarked;
