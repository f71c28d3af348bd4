import { describe, expect, test } from "vitest";
import { checkAddress, checkUrl } from "./address.ts";
import { EgressError, type EgressErrorCode } from "./egress-error.ts";

const refusal = (url: string, rules = {}): EgressErrorCode | "allowed" => {
	try {
		checkUrl(url, rules);
		return "allowed";
	} catch (error) {
		if (error instanceof EgressError) return error.code;
		throw error;
	}
};

describe("public https addresses are allowed", () => {
	test.each([
		"https://example.com/",
		"https://example.com:8443/mcp?x=1",
		"https://sub.domain.example.co.uk.",
		"https://münchen.example/",
		"https://8.8.8.8/",
		"https://100.63.255.255/",
		"https://172.32.0.1/",
		"https://[2606:4700:4700::1111]/",
		"https://my_service.example.com/",
		"https://localhost.example.com/",
		"https://internal.example.com/",
	])("%s", (url) => {
		expect(refusal(url)).toBe("allowed");
	});
});

describe("what is no absolute https URL without user info is invalid", () => {
	test.each([
		"",
		"example.com",
		"//example.com/",
		"http://example.com/",
		"ftp://example.com/",
		"file:///etc/passwd",
		"data:text/plain,x",
		"javascript:alert(1)",
		"gopher://127.0.0.1:70/",
		"ws://example.com/",
		"https://",
		"https:///",
		"https://user@example.com/",
		"https://user:pass@example.com/",
		"https://:pass@example.com/",
		"https://example.com@169.254.169.254/",
		"https://exa mple.com/",
		"https://a..example.com/",
		"https://example.com../",
		"https://.example.com/",
		"https://1.2.3.4.5/",
		"https://256.256.256.256/",
		"https://[fe80::1%25eth0]/",
		"https://[::1/",
		`https://${"a".repeat(64)}.example/`,
		`https://${"a.".repeat(130)}example/`,
	])("%s", (url) => {
		expect(refusal(url)).toBe("invalid_url");
		expect(refusal(url, { allowLoopback: true })).toBe("invalid_url");
	});
});

describe("addresses that are not public are blocked in every notation", () => {
	test.each([
		// Loopback
		"https://127.0.0.1/",
		"https://127.1/",
		"https://127.255.255.254/",
		"https://2130706433/",
		"https://0x7f000001/",
		"https://0x7f.0.0.1/",
		"https://0177.0.0.1/",
		"https://017700000001/",
		"https://0177.0.0.0x1/",
		"https://127.0.0.1./",
		"https://%31%32%37.0.0.1/",
		"https://127%2e0%2e0%2e1/",
		"https://１２７.０.０.１/",
		"https://①②⑦.⓪.⓪.①/",
		"https://127。0。0。1/",
		"https://127.0.0.1\\@example.com/",
		"https:\\\\127.0.0.1/",
		"https:127.0.0.1",
		"https://\t127.0.0.\n1/",
		"  https://127.0.0.1/  ",
		"https://[::1]/",
		"https://[0:0:0:0:0:0:0:1]/",
		"https://[0000::0001]/",
		// Unspecified, private, link-local, shared, reserved
		"https://0.0.0.0/",
		"https://0/",
		"https://0.1.2.3/",
		"https://[::]/",
		"https://10.0.0.1/",
		"https://10.1/",
		"https://167772161/",
		"https://172.16.0.1/",
		"https://172.31.255.255/",
		"https://192.168.0.1/",
		"https://0xc0a80001/",
		"https://169.254.0.1/",
		"https://100.64.0.1/",
		"https://100.127.255.255/",
		"https://192.0.0.1/",
		"https://192.0.2.1/",
		"https://192.88.99.1/",
		"https://198.18.0.1/",
		"https://198.51.100.1/",
		"https://203.0.113.1/",
		"https://224.0.0.1/",
		"https://239.255.255.255/",
		"https://240.0.0.1/",
		"https://255.255.255.255/",
		// Metadata services
		"https://169.254.169.254/latest/meta-data/",
		"https://2852039166/",
		"https://0xa9fea9fe/",
		"https://0251.0376.0251.0376/",
		"https://169.254.43518/",
		"https://[fd00:ec2::254]/",
		"https://[::ffff:169.254.169.254]/",
		"https://100.100.100.200/",
		"https://192.0.0.192/",
		"https://168.63.129.16/",
		"https://metadata.google.internal/",
		"https://METADATA.GOOGLE.INTERNAL./",
		"https://metadata.goog/",
		"https://instance-data.ec2.internal/",
		"https://metadata/",
		// IPv6
		"https://[fc00::1]/",
		"https://[fd12:3456:789a::1]/",
		"https://[fe80::1]/",
		"https://[febf::1]/",
		"https://[fec0::1]/",
		"https://[ff02::1]/",
		"https://[2001:db8::1]/",
		"https://[3fff::1]/",
		"https://[100::1]/",
		"https://[5f00::1]/",
		"https://[2001:10::1]/",
		"https://[2001:20::1]/",
		"https://[4000::1]/",
		// IPv4 inside IPv6, of a private and of a public address
		"https://[::ffff:127.0.0.1]/",
		"https://[::ffff:7f00:1]/",
		"https://[::ffff:8.8.8.8]/",
		"https://[::127.0.0.1]/",
		"https://[::ffff:0:127.0.0.1]/",
		"https://[64:ff9b::127.0.0.1]/",
		"https://[64:ff9b::a9fe:a9fe]/",
		"https://[64:ff9b:1::1]/",
		"https://[2002:7f00:1::]/",
		"https://[2002:a9fe:a9fe::1]/",
		"https://[2001::7f00:1]/",
		"https://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/",
		// Names
		"https://localhost/",
		"https://LOCALHOST/",
		"https://localhost./",
		"https://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/",
		"https://loc%61lhost/",
		"https://loc\u00adalhost/",
		"https://api.localhost/",
		"https://localhost.localdomain/",
		"https://localhost4.localdomain4/",
		"https://localhost6.localdomain6./",
		"https://printer.local/",
		"https://db.internal/",
		"https://router.lan/",
		"https://router.home.arpa/",
		"https://kubernetes.default.svc/",
		"https://kubernetes.default.svc.cluster.local/",
		"https://intranet/",
		"https://com/",
		// Ports of other protocols
		"https://example.com:22/",
		"https://example.com:25/",
		"https://example.com:6667/",
		"https://example.com:0/",
	])("%s", (url) => {
		expect(refusal(url)).toBe("blocked_address");
	});
});

describe("allowLoopback", () => {
	test.each([
		"http://127.0.0.1:9999/",
		"http://127.1.2.3/",
		"https://[::1]:9999/",
		"http://localhost:3000/",
		"http://api.localhost/",
		"http://localhost./",
	])("lets %s through", (url) => {
		expect(refusal(url, { allowLoopback: true })).toBe("allowed");
		expect(refusal(url)).not.toBe("allowed");
	});

	test.each([
		"http://10.0.0.1/",
		"http://169.254.169.254/",
		"http://0.0.0.0/",
		"http://192.168.1.1/",
		"http://[fd00::1]/",
		"http://[fe80::1]/",
		"http://db.internal/",
		"http://intranet/",
		"http://localhost.localdomain/",
		"http://127.0.0.1:6379@10.0.0.1/",
		"http://127.0.0.1:22/",
		"http://example.com/",
		"http://8.8.8.8/",
		"http://localhost.example.com/",
		"http://127.0.0.1.example.com/",
		"http://[2606:4700:4700::1111]/",
	])("lets %s through no more than before", (url) => {
		expect(refusal(url, { allowLoopback: true })).not.toBe("allowed");
	});
});

describe("a stack's own ports", () => {
	const rules = { allowLoopback: true, ownPorts: new Set([8787, 443]) };

	test.each([
		"http://127.0.0.1:8787/",
		"http://127.1.2.3:8787/",
		"http://2130706433:8787/",
		"http://0x7f.1:08787/",
		"http://127.0.0.1.:8787/",
		"http://１２７.０.０.１:8787/",
		"http://localhost:8787/v1/me",
		"http://LOCALHOST.:8787/",
		"http://api.localhost:8787/",
		"http://[::1]:8787/",
		"http://[0:0:0:0:0:0:0:1]:8787/",
		"https://127.0.0.1:8787/",
		"https://localhost/",
	])("are not reached at %s", (url) => {
		expect(refusal(url, rules)).toBe("blocked_address");
		expect(refusal(url, { allowLoopback: true })).toBe("allowed");
	});

	test.each([
		"http://127.0.0.1:8788/",
		"http://localhost/",
		"https://example.com:8787/",
		"https://example.com/",
	])("leave %s open", (url) => {
		expect(refusal(url, rules)).toBe("allowed");
	});

	test("are not reached by a name that resolves to loopback", () => {
		expect(() => checkAddress("127.0.0.1", 8787, rules)).toThrow(
			expect.objectContaining({ code: "blocked_address" }),
		);
		expect(() => checkAddress("127.0.0.1", 8788, rules)).not.toThrow();
		expect(() => checkAddress("93.184.216.34", 8787, rules)).not.toThrow();
	});
});

describe("paths below /cdn-cgi/ are blocked on every host", () => {
	test.each([
		"/cdn-cgi/local/explorer/api/d1/database",
		"/cdn-cgi",
		"/CDN-CGI/trace",
		"/Cdn-Cgi/mf/scheduled",
		"//cdn-cgi/trace",
		"/./cdn-cgi/trace",
		"/a/../cdn-cgi/trace",
		"/a/%2e%2E/cdn-cgi/trace",
		"\\cdn-cgi\\trace",
		"/%63dn-cgi/trace",
		"/%43%44%4E%2D%43%47%49/trace",
		"/cdn%2Dcgi/trace",
		"/cdn-cgi%2Ftrace",
		"/%2Fcdn-cgi%2ftrace",
		"/a%2F..%2Fcdn-cgi/trace",
		"/a%5c..%5ccdn-cgi/trace",
		"/%2563dn-cgi/trace",
		"/%252563dn-cgi/trace",
		"/a%252F%252e%252e%252Fcdn-cgi/trace",
		"/cd\tn-c\ngi/trace",
		"/cdn-cgi/trace?query#fragment",
	])("%s", (path) => {
		for (const origin of ["http://127.0.0.1:9999", "https://example.com", "https://localhost"])
			expect(refusal(origin + path, { allowLoopback: true }), origin).toBe("blocked_address");
		expect(refusal(`https://example.com${path}`)).toBe("blocked_address");
		expect(refusal(`https://example.com${path}`, { allowControlPaths: true })).toBe("allowed");
	});

	test.each([
		"/cdn-cgis/x",
		"/a/cdn-cgi/x",
		"/cdn-cgi/../x",
		"/x?path=/cdn-cgi/trace",
		"/x#/cdn-cgi/trace",
		"/cdn%20cgi/",
		"/%zz/%e2%82%ac%",
		"/100%25",
	])("%s is none", (path) => {
		expect(refusal(`https://example.com${path}`)).toBe("allowed");
	});
});

test("the refusal names neither the host nor the path", () => {
	expect(() => checkUrl("https://10.11.12.13/token-abc")).toThrow(
		expect.objectContaining({ message: expect.not.stringMatching(/10\.11|token/) }),
	);
});

test.each([
	"10.0.0.1",
	"::1",
	"fe80::1%eth0",
	"2606:4700::1%eth0",
	"0x7f.1",
	"not an address",
	"",
	"::ffff:1.1.1.1",
])("a name that resolves to %s is blocked", (address) => {
	expect(() => checkAddress(address, 443)).toThrow(expect.objectContaining({ code: "blocked_address" }));
});

test("a resolver's public addresses pass", () => {
	expect(() => checkAddress("93.184.216.34", 443)).not.toThrow();
	expect(() => checkAddress("2606:2800:220:1::1", 443)).not.toThrow();
});
