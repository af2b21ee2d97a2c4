package io.agenthooks.policy;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.agenthooks.pattern.Budget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link InternalAddresses}: the spellings that get past filters, as people
 * report them.
 */
class InternalAddressesTests {

	private static final int ALL = (1 << InternalAddress.values().length) - 1;

	@ParameterizedTest
	@ValueSource(strings = { "http://127.0.0.1", "http://127.0.0.1:8080/admin", "HTTP://127.0.0.1/", "//127.0.0.1/x",
			"http://2130706433/", "http://2130706433:80", "http://017700000001", "http://0x7f000001/",
			"http://0x7F.0x0.0x0.0x1", "http://0177.0.0.1", "http://0177.0000.0000.0001", "http://0000177.0.0.1",
			"http://127.1", "http://127.0.1", "http://0x7f.1", "http://127.127.127.127", "http://127.0.0.1.",
			"http://383.0.0.1", "http://0/", "http://0.0.0.0:80", "http://[::1]/", "http://[::1]:25",
			"http://[0:0:0:0:0:0:0:1]", "http://[0000::0001]", "http://[::]:80/", "http://[::ffff:127.0.0.1]",
			"http://[::ffff:7f00:1]/", "http://[0:0:0:0:0:ffff:127.0.0.1]", "http://[::127.0.0.1]",
			"http://[64:ff9b::127.0.0.1]", "http://[64:ff9b::7f00:1]", "http://[2002:7f00:1::]",
			"http://[::ffff:0:7f00:1]", "http://localhost", "http://LOCALHOST:80", "http://localhost./",
			"http://app.localhost/", "http://localtest.me", "http://x.lvh.me", "http://127.0.0.1.nip.io",
			"http://www.127-0-0-1.sslip.io/", "http://0x7f000001.nip.io", "http://x@127.0.0.1",
			"http://user:secret@127.0.0.1:80/", "http://example.com@127.0.0.1", "http://127.0.0.1@example.com",
			"http://example.com\\@127.0.0.1/", "http://example.com\\@2130706433/", "http://example.com#@127.0.0.1/",
			"http:\\\\127.0.0.1", "http:/127.1", "http:127.1", "https:////2130706433",
			"http://%31%32%37%2e%30%2e%30%2e%31", "http://127%2e1", "http://%256cocalhost", "http://l%6fcalhost",
			"http://127\u30020\u30020\u30021", "http://\uFF11\uFF12\uFF17.0.0.1", "http://\u2460\u2461\u2466.0.0.1",
			"http://%EF%BC%91%EF%BC%92%EF%BC%97.1", "ftp://127.1/", "gopher://2130706433:70/_x",
			"jdbc:mysql://127.1/db", "see http://127.1, please", "url=http://127.1&x=1", "<a href='//127.1'>",
			"[x](http://127.1)", "127.0.0.1", "127.0.0.1:6379", "host:127.0.0.1", "socat - TCP:127.0.0.1:80",
			"ssh root@127.0.0.1", "0x7f.0.0.1", "localhost", "localhost:8080/x", "curl localhost", "curl -s 127.1/x",
			"curl 2130706433", "wget -qO- 0x7f000001", "nc 017700000001 80", "curl 0.0.0.0:80", "::1", "[::1]:80",
			"::ffff:127.0.0.1", "curl -g [::1]", "ping6 ::1", "http://host.docker.internal:2375",
			"http://7f000001.nip.io", "http://www-7F000001.nip.io:80/", "http://12\t7.0.0.1", "http://12\r\n7.1/",
			"http://x@12\n7.0.0.1", "curl 0", "wget 0:8080", "curl 0x0/x", "telnet 00 25", "curl.exe  0" })
	void loopbackIsFoundInEverySpelling(String text) {
		assertThat(find(text, false)).as(text).isEqualTo(InternalAddress.LOOPBACK.bit());
	}

	@ParameterizedTest
	@ValueSource(strings = { "http://a;b@2130706433/", "http://x,y@127.1/", "http://(@0x7f.1/", "http://a)b@127.1",
			"http://{x}@127.1:80/", "http://a'b@127.1/", "http://a\"b@127.1/", "http://a<b>@127.1/",
			"http://a|b@127.1/", "http://a`b@127.1/", "http://a\\b@127.1/", "http://a;b@127.1@example.com/",
			"http://a;@x;@127.1/", "http://example.com?@127.1/", "http://example.com#@2130706433/",
			"http://a;b@localhost/", "http://a;b:c@[::1]:80/", "http://a;b@%31%32%37.1/",
			"see http://a;b@127.1, please", "(see http://a;b@127.1/)", "'http://a;b@127.1/'", "\"http://a'b@127.1/\"",
			"<a href='//a;b@127.1'>", "http://a b@127.1/", "http://a b:c d@2130706433", "https://a, b@127.1?x",
			" \thttp://a b@127.1/ ", "ftp://a b@127.1/", "http:a b@127.1" })
	void loopbackIsFoundBehindAnyUserInfo(String text) {
		assertThat(find(text, false)).as(text).isEqualTo(InternalAddress.LOOPBACK.bit());
	}

	@ParameterizedTest
	@ValueSource(strings = { "http://\t2130706433/", "http:/\t/127.1", "http:\t//127.1", "http:\n2130706433/",
			"http:/\r\n/127.1:80", "see http://\t127.1/ now", "http://\n127.1?x", "https:\\\t\\127.1/",
			"ht\ttp:2130706433", "h\nttps:/127.1", "\nhttp:\n/\n/\n1\n2\n7.1", "http://a;b\n@127.1/",
			"http://a;b@12\t7.1/", "ws:/127.1", "wss:\\127.1", "ftp:2130706433/x", "ws:/\t/127.1" })
	void loopbackIsFoundWithTabsAndLineBreaksAroundTheSlashes(String text) {
		assertThat(find(text, false)).as(text).isEqualTo(InternalAddress.LOOPBACK.bit());
	}

	@ParameterizedTest
	@ValueSource(strings = { "http://[127.1]/", "http://[2130706433]", "[http://127.1]", "_http://127.1_",
			"**http://127.1**", "http://127.1!", "http://127.1:80:80/", "http://127.1%00.example.com/",
			"http://127.1%20.example.com/", "http://127.1%2f.example.com/", "http://example.com%40127.1/",
			"http://127.1%0d%0ax/" })
	void loopbackIsFoundWhereClientsCutAHost(String text) {
		assertThat(find(text, false)).as(text).isEqualTo(InternalAddress.LOOPBACK.bit());
	}

	@ParameterizedTest
	@ValueSource(strings = { "http://127.0.0.[1-1]/", "http://{127.0.0.1,x}/", "http://{x,127.0.0.1}/",
			"http://{x,127.1}:80/", "http://{x,2130706433}/", "http://[1-1]27.1/", "http://127.[0-0].0.1",
			"http://1{2,3}7.0.0.1/", "http://12[7-7].1/", "http://{local,x}host/", "http://localhos[t-t]/",
			"http://127.0.0.[01-10]/", "http://127.0.0.{1}/", "http://{127,x}.1/", "http://{127}.{0}.{0}.{1}/",
			"http://[126-130].1/", "http://127.0.0.[0-9:2]/", "http://[k-m]ocalhost/", "http://x@{127.1,y}/",
			"http://example.com:80@127.0.0.[1-2]/", "http://{x@127.1,y}/", "http://{127.1/a,y}",
			"http://127.0.0.{1..3}/", "http://{l..m}ocalhost", "http://%31[2-2]7.1/", "http://{127.1:80,x}",
			"curl 127.0.0.[1-1]", "curl {x,127.1}", "curl 127.0.0.{1,2}", "curl 127.{0..1}", "curl http://{0}/",
			"curl -g http://127.0.0.[1-1]", "curl http://[1-1]{2}7.1/", "nc {x,local}host 80" })
	void loopbackIsFoundInSetsAndRanges(String text) {
		assertThat(find(text, false)).as(text).isEqualTo(InternalAddress.LOOPBACK.bit());
	}

	@ParameterizedTest
	@ValueSource(strings = { "http://{0}/", "http://[0-9]/", "{127.1,x}", "127.0.0.[1-1]:80" })
	void loopbackIsFoundInSetsAndRangesOfAValue(String text) {
		assertThat(find(text, true)).as(text).isEqualTo(InternalAddress.LOOPBACK.bit());
	}

	@ParameterizedTest
	@ValueSource(strings = { "https://{0}/x", "https://{0}:{1}/", "https://{host}:0", "http://[0-9]+/",
			"https?://[^/]+", "https://[0-9]{1,3}/", "https://[a-z].example.com", "http://{a,b}/",
			"https://v{0,1}.example.com/", "https://file[0-9].example.com", "https://www{1,2,3}.example.com/",
			"https://example.com/[0-9]", "https://example.com/{0,127.1}", "\\d{0,1}//{0}", "//{", "//[", "//{}", "//[]",
			"//{a", "//[1-", "//[-1]", "//[1-]", "//[1-a]", "//[1..]", "//{..}", "a[0-1]", "curl x[0-9]",
			"curl -d {0} https://example.com", "127.0.0.[1-1]" })
	void whatOnlyLooksLikeASetOrRangeIsNotTakenForInternal(String text) {
		assertThat(find(text, false)).as(text).isZero();
	}

	@ParameterizedTest
	@ValueSource(strings = { "https://example.com/?u=http%3A%2F%2F127.0.0.1%2F",
			"https://example.com/?u=http%253A%252F%252F127.0.0.1%252F",
			"https://example.com/?u=http%3A%2F%2F2130706433",
			"https://example.com/?u=http%25253A%25252F%25252F127.1%25252F",
			"https://example.com/?u=http%3A%2F%2Flocalhost", "https://example.com/?u=%2F%2F127.1",
			"https://example.com/?u=%68ttp%3A//127.1/", "https://example.com/?u=127%252E0%252E0%252E1",
			"https://example.com/#http%3A%2F%2F127.1", "https://example.com/http%3A%2F%2F127.1", "http%3A%2F%2F127.1",
			"https://example.com/?a=1&u=http%3a%2f%2fa%40127.1&b=2",
			"https://example.com/?u=http%3A%2F%2Fa%3Bb%40127.1", "https://example.com/?u=http%3A%2F%2Fa%20b%40127.1",
			"https://example.com/?u=http%3A%2F%2F%5B%3A%3A1%5D%2F", "https://example.com/?u=http%3A%0A%2F%2F127.1",
			"https://example.com/?u=http%3A%2F%2F%EF%BC%91%EF%BC%92%EF%BC%97.1",
			"https://example.com/?u=http%3A%2F%2F127.0.0.%5B1-1%5D", "<a href='/go?to=http%3A%2F%2F127.1'>",
			"https://example.com/?u=https%3A%2F%2Fexample.com%2F%3Fu%3Dhttp%253A%252F%252F127.1",
			"https://example.com/?u=%2F%2F0", "https://example.com/?u=http%3A%2F%2F0",
			"https://example.com/?u=http%253A%2F%2F0", "https://example.com/?u=a%2F%2F127.1",
			"https://example.com/?u=a%2F%2F0%2Fx", "https://example.com/?u=a%2F%2F0%3A80",
			"https://example.com/?u=a%40b%2F%2F0" })
	void loopbackIsFoundEncodedInAnotherAddress(String text) {
		assertThat(find(text, false)).as(text).isEqualTo(InternalAddress.LOOPBACK.bit());
		assertThat(find(text, true)).as(text).isEqualTo(InternalAddress.LOOPBACK.bit());
	}

	@ParameterizedTest
	@ValueSource(strings = { "https://example.com/?u=http%3A%2F%2Fexample.org%2F", "100%", "%2F%2F", "50%25 of 10%",
			"https://example.com/?u=%2F%2F10%20x", "https://example.com/?v=npm%4010.2.3",
			"https://example.com/?q=%40metadata", "https://example.com/?t=2024%2F%2F10", "std%3A%3Avector",
			"https://example.com/?t=https%3A%2F%2Fexample.com%3A%20bump%20npm%4010.2.3",
			"https://example.com/?q=a%2F%2F0", "https://example.com/?q=src.a-b_1%2F%2F0&r=1", "a%252F%252F0" })
	void whatIsEncodedIsNotTakenForInternal(String text) {
		assertThat(find(text, false)).as(text).isZero();
	}

	@ParameterizedTest
	@ValueSource(strings = { "https://example.com: bump npm@10.2.3", "https://example.com: npm@10.2.3",
			"see https://example.com,npm@10.2.3", "1,https://example.com,npm@10.2.3,ok",
			"1|https://example.com|npm@10.2|200", "1;https://example.com:8080;npm@10.2.3",
			"id,url,package\n1,https://example.com,npm@10.2.3\n", "https://example.com\tnpm@10.2.3",
			"https://example.com\tnpm@10.2.3\t200", "https://example.com\nnpm@10.2.3",
			"https://example.com:\nbump npm@10.2.3 and yarn@10.1", "//$0", "echo //$0", "sed s//$0/", "http://$0",
			"//*0", "//~0", "//!0", "//^0", "//+0" })
	void versionsAndVariablesAreNotTakenForInternal(String text) {
		assertThat(find(text, false)).as(text).isZero();
	}

	@ParameterizedTest
	@ValueSource(strings = { "https://example.com,npm@10.2.3", "https://example.com,npm@10.2.3\n",
			"curl https://example.com,npm@10.2.3 -s", "http://a b@10.2.3", "https://example.com: x@10.2.3/",
			"https://example.com: x@10.2.3:80", "https://example.com: x@10.2.0.3", "https://example.com: @10.2.3",
			"https://example.com: x@192.168.1", "https://npm@10.2.3", "https://example.com&npm@10.2.3",
			"https://example.com:x,y@10.2.3", "https://x@10.2.3 https://example.com: bump npm@10.2.3" })
	void privateNetworkIsFoundWhereItIsNoVersion(String text) {
		assertThat(find(text, false)).as(text).isEqualTo(InternalAddress.PRIVATE_NETWORK.bit());
	}

	@ParameterizedTest
	@ValueSource(strings = { "https://example.com: bump npm@10.2.3", "https://example.com, npm@10.2.3" })
	void valueThatIsAnAddressHoldsNoVersion(String text) {
		assertThat(find(text, true)).as(text).isEqualTo(InternalAddress.PRIVATE_NETWORK.bit());
	}

	@ParameterizedTest
	@ValueSource(strings = { "curl -x127.0.0.1:80 http://example.com", "curl -x127.1:80 http://example.com",
			"curl -sx127.1 http://example.com", "curl -x2130706433:80 http://example.com",
			"curl -x0x7f000001 http://example.com", "curl -xlocalhost:80 http://example.com",
			"curl -x[::1]:80 http://example.com", "curl -4x127.1 http://example.com", "-x127.0.0.1:80",
			"ssh -L8080:127.1:80 example.com", "ssh -Wlocalhost:22 example.com",
			"curl --proxy=127.1 http://example.com", "http_proxy=127.1:80 curl http://example.com",
			"ALL_PROXY=2130706433 curl http://example.com" })
	void loopbackIsFoundBehindAnOption(String text) {
		assertThat(find(text, false)).as(text).isEqualTo(InternalAddress.LOOPBACK.bit());
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"url\":\"http://example.com\",\"by\":\"@metadata\"}",
			"[\"https://example.com\",\"npm@10.2.3\"]", "[x](http://example.com),npm@10.2.3",
			"<http://example.com>,npm@10.2.3", "https://medium.com/@metadata",
			"https://example.com: bump npm@10.2.3 now", "see https://example.com or npm@10.2.3",
			"// as in\nimport '@loopback/core'", "see http://example.com for '@loopback/core'",
			"{\\\"url\\\":\\\"http://example.com\\\",\\\"@metadata\\\"}", "http:\n- 0", "http:\nport: 0",
			"http:\t10\t20", "see\nhttps:\n0: x", "//\t0", "//\n127.1", "curl -m10.5 http://example.com",
			"curl -m30 http://example.com", "ls -l10", "curl -w%{http_code} http://example.com", "-x", "-", "--",
			"curl -r0-2130706433 http://example.com", "ping -i0.2 example.com", "http://a;b@example.com/",
			"http://a b@example.com/", "http://example.com, 0", "http://a;b@c;127.1/" })
	void whatOnlyLooksLikeUserInfoOrAnOptionIsNotTakenForInternal(String text) {
		assertThat(find(text, false)).as(text).isZero();
	}

	@ParameterizedTest
	@ValueSource(strings = { "http://169.254.169.254/latest/meta-data/", "http://2852039166/", "http://0xA9FEA9FE/",
			"http://025177524776", "http://0xA9.0xFE.0xA9.0xFE", "http://0251.0376.0251.0376", "http://169.254.43518",
			"http://0251.00376.000251.0000376/", "http://425.510.425.510/", "http://[::ffff:a9fe:a9fe]",
			"http://[fd00:ec2::254]/latest", "http://[fd00:ec2::23]/v1/credentials", "http://[fd20:ce::254]/",
			"http://[FD00:0EC2:0:0:0:0:0:23]:80/", "http://a;b@metadata/", "curl -x169.254.169.254 http://example.com",
			"http://metadata.google.internal/computeMetadata/v1/", "http://metadata/x",
			"http://METADATA.GOOGLE.INTERNAL.", "http://169.254.170.2/v2/credentials", "http://100.100.100.200/latest",
			"http://168.63.129.16/machine", "http://169.254.169.254.nip.io", "169.254.169.254", "curl 2852039166",
			"metadata.google.internal" })
	void metadataIsFoundInEverySpelling(String text) {
		assertThat(find(text, false) & InternalAddress.METADATA.bit()).as(text).isNotZero();
	}

	@ParameterizedTest
	@CsvSource({ "http://169.254.1.1, LINK_LOCAL", "http://[fe80::1%25eth0]/, LINK_LOCAL", "fe80::1%eth0, LINK_LOCAL",
			"http://[febf::1], LINK_LOCAL", "http://10.1.2.3, PRIVATE_NETWORK", "http://167772161, PRIVATE_NETWORK",
			"192.168.0.1, PRIVATE_NETWORK", "http://172.31.255.255, PRIVATE_NETWORK",
			"http://100.64.0.1, PRIVATE_NETWORK", "http://[fc00::1], PRIVATE_NETWORK",
			"http://010.0.0.1, PRIVATE_NETWORK", "http://10-0-0-1.sslip.io, PRIVATE_NETWORK" })
	void othersAreOfTheirKind(String text, InternalAddress kind) {
		assertThat(find(text, false)).as(text).isEqualTo(kind.bit());
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "http://example.com", "http://8.8.8.8", "http://172.32.0.1", "http://128.0.0.1",
			"http://[2001:db8::1]/", "http://localhost.example.com", "http://mylocalhost.com", "http://notlocalhost/",
			"http://127.0.0.1.example.com/", "2147483647", "2130706433", "order 2130706433", "version 127.1",
			"Chrome/127.0.1", "10.0", "1.10.0", "10.0.19041.1000", "curl -m 10.5 https://example.com",
			"curl -m 30 https://example.com", "curl --max-time 0 https://example.com", "uvicorn --host 0.0.0.0",
			"at 12:30:45", "std::vector", "Foo::bar", "::", "a :: b", "fe:80:00:00:00:01", "metadata",
			"the metadata of a file", "s3://metadata-bucket/x", "https://169.254.example.com", "0x7f000001",
			"//comment", "C:\\\\Users\\\\x", "http://", "@", "%", "%2", "http://%zz/", "https://example.com/?q=127",
			"127", "mailto:a@example.com", "user@10", "10.0.0", "192.168", "12:7::x", "http://08080808.nip.io",
			"http://example.com\n0", "http://example.com\r\n127", "//\n0", "http:\n  port: 0", "curl x 0", "0:8080",
			"wget 0.5", "exit 0", "curl --retry 0 https://example.com", "https://example.com\tlocal" })
	void othersAreNotTakenForInternal(String text) {
		assertThat(find(text, false)).as(text).isZero();
	}

	@ParameterizedTest
	@ValueSource(strings = { "2130706433", "127.1", "0x7f000001", "0", "localhost", "127.0.0.1:80", "[::1]:80", "::1",
			"017700000001", "x@127.1", " 2130706433", "2130706433\n", "21307\t06433", "a b@2130706433", "a;b@127.1:80",
			"\t[::1]", "//127.1", "a b@x c@127.1/y" })
	void wholeValueIsAHostInEverySpelling(String text) {
		assertThat(find(text, true)).as(text).isEqualTo(InternalAddress.LOOPBACK.bit());
	}

	@Test
	void kindThatIsNotWantedIsNotFound() {
		assertThat(InternalAddresses.find("http://10.0.0.1 http://127.1", InternalAddress.LOOPBACK.bit(), false,
				new Budget()))
			.isEqualTo(InternalAddress.LOOPBACK.bit());
		assertThat(InternalAddresses.find("http://10.0.0.1", InternalAddress.LOOPBACK.bit(), false, new Budget()))
			.isZero();
	}

	@ParameterizedTest
	@ValueSource(strings = { "//", "127.0.0.", "%2525", "{a}" })
	void hostileTextIsSearchedToItsEnd(String part) {
		searchToItsEnd(part);
	}

	@ParameterizedTest
	@Tag("slow")
	@ValueSource(strings = { "/", "//", "\\\\", ":", "%25", "a.", "1.", "::", "[", "127.0.0.", "\u3002", "curl 0x",
			"curl ", ";@", "-a0", "{", "{a}", "curl {", "%2525", "%252525" })
	@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
	void hostileTextOfEveryKindIsSearchedToItsEnd(String part) {
		searchToItsEnd(part);
	}

	private static void searchToItsEnd(String part) {
		String text = repeat(part);
		assertThat(find(text, false)).isZero();
		assertThat(find(text, true)).isZero();
		assertThat(find(text + " http://127.1/", false)).isEqualTo(InternalAddress.LOOPBACK.bit());
	}

	@ParameterizedTest
	@ValueSource(strings = { "http://", "//a\n@", "//[a:b", "//{a,b}" })
	void hostileTextThatCannotBeSearchedInTimeIsNotTakenForClean(String part) {
		isNotTakenForClean(part);
	}

	@ParameterizedTest
	@Tag("slow")
	@ValueSource(strings = { "\\\\@", "http:", "http://", "//a@", "http:\t", "//a\t", "//a\n@", "//;", "//;@",
			"http:\t;", "http:;a@", "//a%25", "//[a:b", " -x", " -x1", "//{a,b}", "//{a,", "//[1-9]",
			"//[0-9999999999]", "%2F%2Fa%40" })
	@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
	void hostileTextOfEveryKindThatCannotBeSearchedInTimeIsNotTakenForClean(String part) {
		isNotTakenForClean(part);
	}

	private static void isNotTakenForClean(String part) {
		String text = repeat(part);
		assertThatExceptionOfType(Budget.ExhaustedException.class).isThrownBy(() -> find(text, false));
		assertThatExceptionOfType(Budget.ExhaustedException.class).isThrownBy(() -> find(text, true));
	}

	@Test
	void valueOfUserNamesOnlyIsNotTakenForClean() {
		String text = repeat("@");
		assertThat(find(text, false)).isZero();
		assertThatExceptionOfType(Budget.ExhaustedException.class).isThrownBy(() -> find(text, true));
	}

	@Test
	void textThatIsTooLargeIsNotSearched() {
		String text = "x".repeat(20_000_000);
		assertThatExceptionOfType(Budget.ExhaustedException.class).isThrownBy(() -> find(text, false));
	}

	@Test
	@Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
	void manyVersionsBehindAnAddressAreLookedAtInTime() {
		String text = "https://example.com: " + "npm@10.2.3 ".repeat(90_000);
		assertThat(find(text, false)).isZero();
		assertThat(find(text + "http://127.1/", false)).isEqualTo(InternalAddress.LOOPBACK.bit());
	}

	private static String repeat(String part) {
		return part.repeat(1_000_000 / part.length());
	}

	private static int find(String text, boolean isValue) {
		return InternalAddresses.find(SearchText.clean(text, new Budget()), ALL, isValue, new Budget());
	}

}
