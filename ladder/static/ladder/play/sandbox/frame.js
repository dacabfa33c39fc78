// Inside a frame of no origin, whose policy lets nothing out: it holds the worker in which a bot runs.
//
// The page sends the worker's script and one port. Each message on the port gets one reply: what the
// bot `told`, or why it was `stopped`. A bot that says more than that is ended.

addEventListener("message", ({ data: { script }, ports: [port] }) => {
  const worker = new Worker(URL.createObjectURL(new Blob([script], { type: "text/javascript" })));
  let isAsked = false;

  function reply(message) {
    isAsked = false;
    port.postMessage(message);
  }

  function end(kind, stopped) {
    worker.terminate();
    reply({ kind, stopped });
  }

  port.onmessage = ({ data }) => {
    isAsked = true;
    worker.postMessage(data, Object.values(data.given?.files ?? {})); // large, and not needed here
  };
  worker.onmessage = ({ data }) => (isAsked ? reply({ told: data }) : end("protocol", "the bot answered without being asked"));
  worker.onmessageerror = () => end("protocol", "the bot's answer cannot be read");
  worker.onerror = (event) => {
    event.preventDefault();
    end("crash", "the bot's program stopped");
  };
}, { once: true });
