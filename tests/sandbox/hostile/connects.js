// Expected: none, crash
// A call home, by stream, datagram and name.
function decide(view) {
  const { connect } = require("net");
  connect(Number("@PORT@"), "127.0.0.1").on("connect", () => console.log("ESCAPED")).on("error", () => {});
  const datagram = require("dgram").createSocket("udp4");
  datagram.on("error", () => {});
  datagram.send("soup", Number("@PORT@"), "127.0.0.1", (error) => error || console.log("ESCAPED"));
  require("dns").lookup("example.org", (error) => error || console.log("ESCAPED"));
  fetch("http://127.0.0.1:@PORT@/").then(() => console.log("ESCAPED"), () => {});
  return view.legal[0];
}
