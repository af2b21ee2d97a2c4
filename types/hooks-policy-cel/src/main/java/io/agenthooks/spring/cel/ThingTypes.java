package io.agenthooks.spring.cel;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructTypeReference;

final class ThingTypes {

	/** Before their value. */
	static final List<String> FUNCTIONS = List.of("mails", "url", "path", "words", "money", "hasRole", "hasAnyRole",
			"hasAuthority", "hasAnyAuthority");

	/** Behind a value and a dot. */
	static final List<String> MEMBERS = List.of("under", "isInternal");

	private static final int MAX_NAMES = 10;

	private static final CelType MAIL = type("mail");

	private static final CelType URL = type("url");

	private static final CelType PATH = type("path");

	private ThingTypes() {
	}

	private static CelType type(String name) {
		return StructTypeReference.create("@" + name);
	}

	static Map<String, Map<String, CelType>> fields() {
		Map<String, CelType> mail = new LinkedHashMap<>();
		mail.put("address", SimpleType.STRING);
		mail.put("local", SimpleType.STRING);
		mail.put("domain", SimpleType.STRING);
		Map<String, CelType> url = new LinkedHashMap<>();
		url.put("scheme", SimpleType.STRING);
		url.put("host", SimpleType.STRING);
		url.put("port", SimpleType.INT);
		url.put("path", SimpleType.STRING);
		url.put("user", SimpleType.STRING);
		Map<String, Map<String, CelType>> fields = new LinkedHashMap<>();
		fields.put("mail", mail);
		fields.put("url", url);
		Map<String, CelType> path = new LinkedHashMap<>();
		path.put("name", SimpleType.STRING);
		path.put("ext", SimpleType.STRING);
		fields.put("path", path);
		return fields;
	}

	static List<CelFunctionDecl> functions() {
		List<CelFunctionDecl> functions = new ArrayList<>();
		functions.add(global("mails", ListType.create(MAIL), SimpleType.DYN));
		functions.add(global("url", URL, SimpleType.DYN));
		functions.add(CelFunctionDecl.newFunctionDeclaration("under",
				member("text_under", SimpleType.STRING, SimpleType.STRING),
				member("path_under", PATH, SimpleType.STRING)));
		functions.add(CelFunctionDecl.newFunctionDeclaration("path",
				CelOverloadDecl.newGlobalOverload("thing_path", PATH, SimpleType.DYN),
				CelOverloadDecl.newGlobalOverload("thing_path_base", PATH, SimpleType.DYN, SimpleType.STRING),
				CelOverloadDecl.newGlobalOverload("thing_path_real", PATH, SimpleType.DYN, SimpleType.STRING,
						SimpleType.BOOL)));
		functions.add(global("words", ListType.create(SimpleType.STRING), SimpleType.DYN));
		functions.add(global("money", SimpleType.DOUBLE, SimpleType.DYN));
		functions.add(CelFunctionDecl.newFunctionDeclaration("isInternal", member("text_isInternal", SimpleType.STRING),
				member("url_isInternal", URL)));
		functions.add(global("hasRole", SimpleType.BOOL, SimpleType.STRING));
		functions.add(global("hasAuthority", SimpleType.BOOL, SimpleType.STRING));
		functions.add(ofNames("hasAnyRole"));
		functions.add(ofNames("hasAnyAuthority"));
		return functions;
	}

	private static CelFunctionDecl global(String name, CelType result, CelType operand) {
		return CelFunctionDecl.newFunctionDeclaration(name,
				CelOverloadDecl.newGlobalOverload("thing_" + name, result, operand));
	}

	private static CelOverloadDecl member(String id, CelType... operands) {
		return CelOverloadDecl.newMemberOverload(id, SimpleType.BOOL, List.of(operands));
	}

	private static CelFunctionDecl ofNames(String name) {
		Set<CelOverloadDecl> overloads = new LinkedHashSet<>();
		for (int i = 1; i <= MAX_NAMES; i++) {
			overloads.add(CelOverloadDecl.newGlobalOverload("who_" + name + i, SimpleType.BOOL,
					Collections.<CelType>nCopies(i, SimpleType.STRING)));
		}
		return CelFunctionDecl.newFunctionDeclaration(name, overloads);
	}

}
