package io.agenthooks.spring.mcp;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServlet;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.Wrapper;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;
import org.springframework.context.SmartLifecycle;

import io.agenthooks.spring.ThreadsOfTomcat;

/**
 * Serves the servlet of the MCP SDK on a free port.
 */
class WebServer implements SmartLifecycle {

	/**
	 * Tomcat tells of each start and stop. Kept here, or its level would be forgotten.
	 */
	private static final Logger logger = Logger.getLogger("org.apache");

	private final HttpServlet servlet;

	private final Tomcat tomcat = new Tomcat();

	private final List<Filter> filters;

	private boolean running;

	WebServer(HttpServlet servlet, List<Filter> filters) {
		this.servlet = servlet;
		this.filters = filters;
		logger.setLevel(Level.SEVERE);
	}

	@Override
	public void start() {
		try {
			Path directory = Files.createTempDirectory("mcp");
			directory.toFile().deleteOnExit();
			this.tomcat.setBaseDir(directory.toString());
			this.tomcat.setPort(0);
			this.tomcat.getConnector();
			StandardContext context = (StandardContext) this.tomcat.addContext("", directory.toString());
			// The streams of clients are open for ever; Tomcat would wait for them to
			// end.
			context.setUnloadDelay(1);
			Wrapper wrapper = Tomcat.addServlet(context, "mcp", this.servlet);
			wrapper.setAsyncSupported(true);
			wrapper.addMapping("/mcp");
			this.filters.forEach((filter) -> add(filter, context));
			this.tomcat.start();
			ThreadsOfTomcat.outlive(context.getLoader().getClassLoader());
			this.running = true;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (LifecycleException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static void add(Filter filter, StandardContext context) {
		FilterDef definition = new FilterDef();
		definition.setFilterName(filter.getClass().getName());
		definition.setFilter(filter);
		definition.setAsyncSupported("true");
		context.addFilterDef(definition);
		FilterMap mapping = new FilterMap();
		mapping.setFilterName(definition.getFilterName());
		mapping.addURLPatternDecoded("/*");
		context.addFilterMap(mapping);
	}

	@Override
	public void stop() {
		try {
			this.tomcat.stop();
			this.tomcat.destroy();
			this.running = false;
		}
		catch (LifecycleException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	String url() {
		return "http://localhost:" + this.tomcat.getConnector().getLocalPort();
	}

}
