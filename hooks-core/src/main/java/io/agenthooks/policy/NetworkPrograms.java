package io.agenthooks.policy;

import java.util.Locale;
import java.util.Set;

final class NetworkPrograms {

	private static final int MAX_NAME = 32;

	private static final Set<String> PROGRAMS = Set.of("curl", "wget", "nc", "ncat", "netcat", "telnet", "ssh", "scp",
			"sftp", "ping", "ping6", "socat", "nmap", "traceroute", "iwr", "irm", "invoke-webrequest",
			"invoke-restmethod", "httpie", "xh", "lynx", "http_proxy", "https_proxy", "ftp_proxy", "all_proxy");

	private NetworkPrograms() {
	}

	static boolean isProgram(String text, int from, int end) {
		return end > from && end - from <= MAX_NAME
				&& PROGRAMS.contains(text.substring(from, end).toLowerCase(Locale.ROOT).replace(".exe", ""));
	}

	/** Whether the text is a single address, or a program that reads one is in it. */
	static boolean isForClient(String text) {
		if (UrlStart.isUrl(text) && text.trim().chars().allMatch((character) -> character > ' ')) {
			return true;
		}
		int from = 0;
		for (int i = 0; i <= text.length(); i++) {
			if (i == text.length() || !HostCharacters.isPart(text.charAt(i))) {
				if (isProgram(text, from, i)) {
					return true;
				}
				from = i + 1;
			}
		}
		return false;
	}

}
