package io.agenthooks.test;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;

import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the module {@code hooks-bom}. That its versions are found is shown by the
 * sample, which imports it.
 */
class BomTests {

	private static final Path ROOT = Path.of("..");

	private final XPath xpath = XPathFactory.newInstance().newXPath();

	private final Document parent = read("pom.xml");

	private final Document bom = read("hooks-bom/pom.xml");

	@Test
	void bomHasEveryModuleThatIsPublishedAndNoOther() throws Exception {
		List<String> published = new ArrayList<>();
		for (String module : texts(this.parent, "/project/modules/module")) {
			Document pom = read(module + "/pom.xml");
			if (!module.equals("hooks-bom") && texts(pom, "/project/properties/maven.deploy.skip").isEmpty()) {
				published.add(module.substring(module.lastIndexOf('/') + 1));
			}
		}
		assertThat(texts(this.bom, "/project/dependencyManagement//artifactId")).isNotEmpty()
			.containsExactlyInAnyOrderElementsOf(published);
		assertThat(texts(this.bom, "/project/dependencyManagement//version")).containsOnly("${project.version}");
	}

	@Test
	void bomHasTheVersionsOfTheParent() throws Exception {
		assertThat(texts(this.bom, "/project/version")).isEqualTo(texts(this.parent, "/project/version"));
		Map<String, String> versions = plugins(this.parent);
		assertThat(plugins(this.bom)).isNotEmpty()
			.allSatisfy((plugin, version) -> assertThat(version).as(plugin).isEqualTo(versions.get(plugin)));
	}

	@Test
	void bomBringsNoVersionsOfOthers() throws Exception {
		assertThat(texts(this.bom, "/project/parent")).isEmpty();
		assertThat(texts(this.bom, "/project/dependencyManagement//groupId")).containsOnly("io.agenthooks");
	}

	private Map<String, String> plugins(Document pom) throws Exception {
		Map<String, String> versions = new TreeMap<>();
		NodeList plugins = (NodeList) this.xpath.evaluate("/project/build//plugin[version]", pom,
				XPathConstants.NODESET);
		for (int i = 0; i < plugins.getLength(); i++) {
			Node plugin = plugins.item(i);
			String version = this.xpath.evaluate("version", plugin);
			if (version.startsWith("${")) {
				version = this.xpath.evaluate("/project/properties/" + version.substring(2, version.length() - 1), pom);
			}
			versions.put(this.xpath.evaluate("artifactId", plugin), version);
		}
		return versions;
	}

	private List<String> texts(Document pom, String path) throws XPathExpressionException {
		NodeList nodes = (NodeList) this.xpath.evaluate(path, pom, XPathConstants.NODESET);
		List<String> texts = new ArrayList<>();
		for (int i = 0; i < nodes.getLength(); i++) {
			texts.add(nodes.item(i).getTextContent());
		}
		return texts;
	}

	private static Document read(String pom) {
		try (var in = Files.newInputStream(ROOT.resolve(pom))) {
			return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(in);
		}
		catch (Exception ex) {
			throw new IllegalStateException("Cannot read " + pom, ex);
		}
	}

}
