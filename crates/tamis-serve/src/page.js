// Runs in each archived page before anything else. It maps absolute URLs that scripts use to the hosts of the archive, so that they are found;
// what it misses, the policy of the server keeps inside. Scripts of the page are never edited.
(() => {
  "use strict";
  const me = document.currentScript;
  const suffix = me.dataset.suffix; // .t20200101000000.c1.localhost:8080
  const captured = Number(me.dataset.time); // milliseconds
  me.remove();
  const port = suffix.slice(suffix.lastIndexOf(":") + 1);
  const tail = suffix.slice(0, suffix.lastIndexOf(":"));

  const isHere = (host) => host.endsWith(tail) || host === "localhost";
  const map = (value) => {
    if (value === null || value === undefined) return value;
    const text = String(value);
    if (!/^[\s\0-\x1f]*(https?:|wss?:|[\/\\]{2})/i.test(text.replace(/[\t\n\r]/g, ""))) return value;
    let url;
    try { url = new URL(text, document.baseURI); } catch { return value; }
    if (!/^(http|ws)s?:$/.test(url.protocol) || isHere(url.hostname)) return value;
    const own = url.port && url.port !== "80" && url.port !== "443" ? `.p${url.port}` : "";
    const host = url.hostname.startsWith("[") ? null : url.hostname + own + tail;
    if (!host || host.length > 253) return value;
    const scheme = url.protocol.startsWith("ws") ? "ws" : "http";
    return `${scheme}://${host}:${port}${url.pathname}${url.search}${url.hash}`;
  };
  const mapSet = (value) =>
    String(value).replace(/(^|,)(\s*)([^\s,]\S*[^\s,]|[^\s,])/g, (_, comma, blank, url) => comma + blank + map(url));
  const mapCss = (value) =>
    String(value).replace(/(url\(\s*["']?)((?:https?:)?\/\/[^"')\s]+)/gi, (_, start, url) => start + map(url))
      .replace(/(@import\s+["'])((?:https?:)?\/\/[^"']+)/gi, (_, start, url) => start + map(url));

  const isUrl = new Set(["href", "src", "action", "formaction", "poster", "background", "data", "xlink:href", "codebase", "manifest"]);
  const isDropped = new Set(["integrity", "ping", "csp", "attributionsrc"]);
  const mapAttribute = (name, value) => {
    name = String(name).toLowerCase();
    if (isUrl.has(name)) return map(value);
    if (name === "srcset" || name === "imagesrcset") return mapSet(value);
    if (name === "style") return mapCss(value);
    if (name === "srcdoc") return mapMarkup(value);
    if (name === "target" && /^_(blank|top|parent)$/i.test(value)) return "_self";
    return value;
  };
  const parser = document.implementation.createHTMLDocument("");
  const mapTree = (root) => {
    for (const element of root.querySelectorAll("*")) {
      for (const { name, value } of [...element.attributes]) {
        if (isDropped.has(name)) { element.removeAttribute(name); continue; }
        const mapped = mapAttribute(name, value);
        if (mapped !== value) native.setAttribute.call(element, name, mapped);
      }
      if (element.localName === "style") element.textContent = mapCss(element.textContent);
      if (element.localName === "link" && /preconnect|dns-prefetch|prerender/i.test(element.rel)) element.remove();
      if (element.localName === "template") mapTree(element.content);
    }
  };
  const mapMarkup = (value) => {
    const text = String(value);
    if (!/\/\/|integrity|preconnect|dns-prefetch|target/i.test(text)) return value;
    const template = parser.createElement("template");
    native.innerHTML.call(template, text);
    mapTree(template.content);
    return native.getInnerHTML.call(template);
  };

  const native = {
    setAttribute: Element.prototype.setAttribute,
    innerHTML: Object.getOwnPropertyDescriptor(Element.prototype, "innerHTML").set,
    getInnerHTML: Object.getOwnPropertyDescriptor(Element.prototype, "innerHTML").get,
  };

  // A function or a setter of a prototype, with its arguments mapped before it is called.
  const wrap = (owner, name, change) => {
    if (!owner || typeof owner[name] !== "function") return;
    const before = owner[name];
    owner[name] = { [name](...given) { return before.apply(this, change(given, this)); } }[name];
  };
  const wrapSetter = (owner, name, change) => {
    const own = owner && Object.getOwnPropertyDescriptor(owner, name);
    if (!own || !own.set || !own.configurable) return;
    Object.defineProperty(owner, name, { ...own, set(value) { own.set.call(this, change(value, this)); } });
  };
  const first = (given) => [map(given[0]), ...given.slice(1)];
  const request = (given) => {
    const [what, ...rest] = given;
    if (what instanceof Request) return isHere(new URL(what.url).hostname) ? given : [new Request(map(what.url), what), ...rest];
    return [map(what), ...rest];
  };

  const prepare = (w) => {
    wrap(w, "fetch", request);
    wrap(w.XMLHttpRequest.prototype, "open", ([method, url, ...rest]) => [method, map(url), ...rest]);
    wrap(w.Navigator.prototype, "sendBeacon", first);
    wrap(w, "open", first);
    for (const name of ["EventSource", "WebSocket", "Worker", "SharedWorker", "FontFace", "Request"]) {
      const Before = w[name];
      if (!Before) continue;
      const at = name === "FontFace" ? 1 : 0;
      w[name] = new Proxy(Before, {
        construct(target, given, made) {
          const mapped = [...given];
          if (typeof mapped[at] === "string" || mapped[at] instanceof URL) {
            mapped[at] = name === "FontFace" ? mapCss(mapped[at]) : map(mapped[at]);
          }
          return Reflect.construct(target, mapped, made);
        },
      });
    }
    // Connections that no policy forbids.
    for (const name of ["RTCPeerConnection", "webkitRTCPeerConnection", "RTCDataChannel", "WebTransport", "WebSocketStream"]) {
      try { delete w[name]; } catch { w[name] = undefined; }
    }
    const E = w.Element.prototype;
    wrap(E, "setAttribute", ([name, value]) => [name, mapAttribute(name, value)]);
    wrap(E, "setAttributeNS", ([space, name, value]) => [space, name, mapAttribute(name, value)]);
    wrapSetter(E, "innerHTML", mapMarkup);
    wrapSetter(E, "outerHTML", mapMarkup);
    wrap(E, "insertAdjacentHTML", ([place, text]) => [place, mapMarkup(text)]);
    wrap(w.Range.prototype, "createContextualFragment", ([text]) => [mapMarkup(text)]);
    wrap(w.Document.prototype, "write", (given) => given.map(mapMarkup0));
    wrap(w.Document.prototype, "writeln", (given) => given.map(mapMarkup0));
    wrapSetter(w.HTMLIFrameElement.prototype, "srcdoc", mapMarkup);
    for (const [type, ...names] of [
      ["HTMLAnchorElement", "href"], ["HTMLAreaElement", "href"], ["HTMLLinkElement", "href"], ["HTMLBaseElement", "href"],
      ["HTMLImageElement", "src"], ["HTMLScriptElement", "src"], ["HTMLIFrameElement", "src"], ["HTMLFrameElement", "src"],
      ["HTMLEmbedElement", "src"], ["HTMLSourceElement", "src"], ["HTMLTrackElement", "src"], ["HTMLInputElement", "src", "formAction"],
      ["HTMLMediaElement", "src"], ["HTMLVideoElement", "poster"], ["HTMLFormElement", "action"], ["HTMLButtonElement", "formAction"],
      ["HTMLObjectElement", "data"],
    ]) {
      for (const name of names) wrapSetter(w[type]?.prototype, name, map);
    }
    for (const type of ["HTMLImageElement", "HTMLSourceElement"]) wrapSetter(w[type].prototype, "srcset", mapSet);
    wrapSetter(w.HTMLLinkElement.prototype, "imageSrcset", mapSet);
    wrapSetter(w.HTMLLinkElement.prototype, "rel", (value) => (/preconnect|dns-prefetch|prerender/i.test(value) ? "x" : value));
    for (const type of ["HTMLAnchorElement", "HTMLFormElement", "HTMLBaseElement", "HTMLAreaElement"]) {
      wrapSetter(w[type].prototype, "target", (value) => mapAttribute("target", value));
    }
    wrapSetter(w.CSSStyleDeclaration.prototype, "cssText", mapCss);
    wrap(w.CSSStyleDeclaration.prototype, "setProperty", ([name, value, ...rest]) => [name, mapCss(value), ...rest]);
    wrap(w.CSSStyleSheet.prototype, "insertRule", ([rule, ...rest]) => [mapCss(rule), ...rest]);
    wrap(w.CSSStyleSheet.prototype, "replace", ([text]) => [mapCss(text)]);
    wrap(w.CSSStyleSheet.prototype, "replaceSync", ([text]) => [mapCss(text)]);
    // Origins of the web are hosts here.
    wrap(w, "postMessage", ([data, target, ...rest]) => [data, typeof target === "string" ? origin(target) : target, ...rest]);
    if (w.navigator.serviceWorker) {
      const none = () => new Promise(() => {});
      w.navigator.serviceWorker.register = none;
    }
    // A blank frame has functions of its own.
    for (const name of ["contentWindow", "contentDocument"]) {
      const own = Object.getOwnPropertyDescriptor(w.HTMLIFrameElement.prototype, name);
      Object.defineProperty(w.HTMLIFrameElement.prototype, name, { ...own, get() { const found = own.get.call(this); enter(this); return found; } });
    }
    for (const name of ["appendChild", "insertBefore", "replaceChild", "append", "prepend", "before", "after", "replaceWith"]) {
      for (const owner of [w.Node.prototype, E, w.Document.prototype, w.DocumentFragment.prototype]) {
        if (!Object.hasOwn(owner, name)) continue;
        const before = owner[name];
        owner[name] = { [name](...given) { const made = before.apply(this, given); for (const node of given) frames(node); return made; } }[name];
      }
    }
  };
  const origin = (target) => (target === "*" || target === "/" ? target : new URL(map(target)).origin);
  const mapMarkup0 = (text) => (/<\s*(a|img|script|link|iframe|form|source|video|audio|embed|object|style)\b[^]*>/i.test(text) ? mapOpen(text) : text);
  // What is written may be half an element, so no parser must close it.
  const mapOpen = (text) =>
    String(text).replace(/(\s(?:href|src|action|poster|data)\s*=\s*["']?)((?:https?:)?\/\/[^"'\s>]+)/gi, (_, start, url) => start + map(url));
  const known = new WeakSet([window]);
  const enter = (frame) => {
    try {
      const inner = windowOf.call(frame);
      if (inner && inner.location.href === "about:blank" && !known.has(inner)) { known.add(inner); prepare(inner); }
    } catch { /* another origin */ }
  };
  const windowOf = Object.getOwnPropertyDescriptor(HTMLIFrameElement.prototype, "contentWindow").get;
  const frames = (node) => {
    if (!node || node.nodeType !== 1) return;
    if (node.localName === "iframe") enter(node);
    else if (node.firstElementChild) for (const frame of node.querySelectorAll("iframe")) enter(frame);
  };

  // Time stands where the page was captured and goes on from there; chance is the same each time.
  const moved = captured - Date.now();
  const Now = Date;
  const Then = new Proxy(Now, {
    construct: (target, given, made) => Reflect.construct(target, given.length ? given : [Now.now() + moved], made === Then ? target : made),
    apply: () => new Now(Now.now() + moved).toString(),
    get: (target, name) => (name === "now" ? () => Now.now() + moved : Reflect.get(target, name)),
  });
  Now.prototype.constructor = Then;
  window.Date = Then;
  let seed = (captured / 1000) >>> 0 || 1;
  Math.random = () => {
    seed = (seed + 0x6d2b79f5) >>> 0;
    let t = Math.imul(seed ^ (seed >>> 15), seed | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };

  prepare(window);
  if (me.dataset.top === "1" && window.parent === window.top && window !== window.top) {
    const bar = window.parent;
    addEventListener("DOMContentLoaded", () => bar.postMessage({ tamis: location.href, title: document.title }, "*"));
  }
})();
