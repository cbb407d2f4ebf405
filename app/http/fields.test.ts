import { expect, it } from "vitest";
import { isPublicHttpsUrl } from "./fields";

it.each([
  "https://fcm.googleapis.com/fcm/send/dI5c:APA91bE_x-y",
  "https://updates.push.services.mozilla.com/wpush/v2/gAAAAABk",
  "https://web.push.apple.com/QGuQyavXutnMH",
  "https://wns2-par02p.notify.windows.com/w/?token=BQYAAABi%2bQ%3d%3d",
])("isPublicHttpsUrl accepts %s", (url) => {
  expect(isPublicHttpsUrl(url)).toBe(true);
});

it.each([
  ["http", "http://fcm.googleapis.com/fcm/send/x"],
  ["another scheme", "wss://fcm.googleapis.com/x"],
  ["no URL", "fcm.googleapis.com/x"],
  ["localhost", "https://localhost/x"],
  ["localhost with a final dot", "https://localhost./x"],
  ["a name below localhost", "https://push.localhost/x"],
  ["one label", "https://intranet/x"],
  ["mDNS", "https://printer.local/x"],
  ["a private zone", "https://metadata.google.internal/x"],
  ["a name of no public network", "https://push.onion/x"],
  ["a name that is reserved", "https://push.test/x"],
  ["a home network", "https://router.home.arpa/x"],
  ["loopback", "https://127.0.0.1/x"],
  ["a short loopback address", "https://127.1/x"],
  ["a decimal address", "https://2130706433/x"],
  ["a hexadecimal address", "https://0x7f000001/x"],
  ["an octal address", "https://0177.0.0.1/x"],
  ["full-width digits", "https://１２７.0.0.1/x"],
  ["circled digits", "https://①②⑦.⓪.⓪.①/x"],
  ["a private network", "https://10.0.0.5/x"],
  ["another private network", "https://192.168.1.1/x"],
  ["link-local", "https://169.254.169.254/latest/meta-data"],
  ["a public address", "https://93.184.216.34/x"],
  ["IPv6 loopback", "https://[::1]/x"],
  ["a mapped address", "https://[::ffff:127.0.0.1]/x"],
  ["IPv6 link-local", "https://[fe80::1]/x"],
  ["a unique local address", "https://[fd00::1]/x"],
  ["an address in a name", "https://127.0.0.1.nip.io/x"],
  ["an address with dashes in a name", "https://10-0-0-5.sslip.io/x"],
  ["a port", "https://fcm.googleapis.com:8443/x"],
  ["the default port written out", "https://fcm.googleapis.com:443/x"],
  ["credentials", "https://a:b@fcm.googleapis.com/x"],
  ["a user", "https://127.0.0.1@fcm.googleapis.com/x"],
  ["a fragment", "https://fcm.googleapis.com/x#y"],
  ["capital letters", "https://FCM.googleapis.com/x"],
  ["a line break", "https://fcm.google\napis.com/x"],
  ["backslashes", "https:\\\\localhost\\x"],
  ["a space", " https://fcm.googleapis.com/x"],
])("isPublicHttpsUrl rejects %s", (_, url) => {
  expect(isPublicHttpsUrl(url)).toBe(false);
});
