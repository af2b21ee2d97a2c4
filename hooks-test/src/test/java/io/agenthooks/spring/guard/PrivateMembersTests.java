package io.agenthooks.spring.guard;

import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

import io.agenthooks.spring.Sources;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the list of private members of frameworks that are read: an update that
 * removes one fails here first, and code that reads another one has to be added.
 */
class PrivateMembersTests {

	/** These reach what the application, or this project, declares itself. */
	private static final List<String> OWN = List.of("BeanMethod", "OptionType", "PreviewValues");

	private static final Pattern READING = Pattern.compile("makeAccessible\\(|setAccessible\\(|privateLookupIn\\(");

	private static final Pattern MEMBER = Pattern.compile("`([\\w.]*)#(\\w+)`");

	private static String list() {
		String all = Sources.text("CONTRIBUTING.md");
		int begin = all.indexOf("## Private members that are read");
		return all.substring(begin, all.indexOf("\n## ", begin + 1));
	}

	static Stream<String> members() {
		Stream.Builder<String> members = Stream.builder();
		String type = "";
		for (MatchResult member : MEMBER.matcher(list()).results().toList()) {
			type = (member.group(1).isEmpty()) ? type : member.group(1);
			members.add(type + "#" + member.group(2));
		}
		return members.build();
	}

	@ParameterizedTest
	@MethodSource("members")
	void memberIsThere(String member) {
		String type = member.substring(0, member.indexOf('#'));
		String name = member.substring(member.indexOf('#') + 1);
		Field field = ReflectionUtils.findField(ClassUtils.resolveClassName(type, getClass().getClassLoader()), name);
		assertThat(field).as(member).isNotNull();
	}

	@Test
	void everyClassThatReadsMembersIsInTheList() {
		String list = list();
		List<String> reading = Sources.files()
			.stream()
			.filter(PrivateMembersTests::reads)
			.map((source) -> source.getFileName().toString().replace(".java", ""))
			.filter((name) -> !OWN.contains(name))
			.toList();
		assertThat(reading).isNotEmpty().allSatisfy((name) -> assertThat(list).contains("`" + name + "`"));
	}

	private static boolean reads(Path source) {
		try {
			return READING.matcher(Files.readString(source)).find();
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
