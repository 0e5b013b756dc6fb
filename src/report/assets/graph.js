"use strict";
// Graphs side by side: what is chosen in one is marked in the other, and a panel tells of it.
(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const SMALLEST = 0.002, LARGEST = 4, READABLE = 0.42, MARGIN = 16, MAP = 66;

  function element(name, attributes = {}, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
      else made.setAttribute(key, value);
    }
    made.append(...children);
    return made;
  }

  function drawn(name, attributes = {}) {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  }

  const limited = (value, low, high) => Math.max(low, Math.min(high, value));

  /// The first point, then curves of three points each.
  function curve(points) {
    if (points.length < 8) return "M" + points.slice(0, 2) + "L" + points.slice(-2);
    return "M" + points.slice(0, 2) + "C" + points.slice(2);
  }

  const rulers = new Map();
  function width_of(text, font) {
    if (!rulers.has(font)) {
      const ruler = document.createElement("canvas").getContext("2d");
      ruler.font = font;
      rulers.set(font, ruler);
    }
    return rulers.get(font).measureText(text).width;
  }

  /// A graph in its frame: its viewport, and which of its nodes are marked.
  class Pane {
    constructor(view, graph, index) {
      this.view = view;
      this.graph = graph;
      this.index = index;
      this.at = { x: 0, y: 0, k: 1 };
      this.incoming = graph.nodes.map(() => []);
      this.outgoing = graph.nodes.map(() => []);
      graph.edges.forEach(([from, to], edge) => {
        this.outgoing[from].push(edge);
        this.incoming[to].push(edge);
      });
      this.build();
      this.draw();
      this.listen();
    }

    build() {
      const button = (label, title, action) => element("button", { type: "button", title, onclick: action }, label);
      this.svg = drawn("svg", { role: "img", "aria-label": this.graph.title });
      this.world = drawn("g");
      this.svg.append(this.world);
      this.map = element("canvas", { title: "the whole graph; click to go there" });
      this.stage = element("div", { class: "stage" }, this.svg, this.map);
      this.frame = element("section", { class: "pane", tabindex: "0", "aria-label": this.graph.title },
        element("header", {},
          element("b", {}, this.graph.title + " ", element("span", {}, this.graph.nodes.length + " nodes")),
          button("−", "smaller (-)", () => this.zoom(1 / 1.4)),
          button("+", "larger (+)", () => this.zoom(1.4)),
          button("1:1", "text at its size (1)", () => this.zoom(1 / this.at.k)),
          button("fit", "the whole graph (0)", () => this.fit())),
        this.stage);
    }

    draw() {
      for (const cluster of this.graph.clusters) {
        const [x, y, width, height] = cluster.box;
        const frame = drawn("rect", { class: "cluster", x, y, width, height, rx: 8 });
        const title = drawn("title");
        title.textContent = cluster.name;
        frame.append(title);
        this.world.append(frame);
      }
      this.world.append(drawn("path", { class: "edges", d: this.graph.edges.map((edge) => curve(edge[2])).join("") }));
      this.hot = drawn("path", { class: "hot" });
      this.world.append(this.hot);
      this.nodes = this.graph.nodes.map((node, i) => this.drawNode(node, i));
      this.world.append(...this.nodes);
    }

    drawNode(node, index) {
      const [x, y, width, height] = node.box;
      const color = this.view.data.categories[node.category].color;
      const group = drawn("g", { class: node.faint ? "node faint" : "node", "data-node": this.index + "." + index });
      const box = { x, y, width, height, rx: 6 };
      group.append(drawn("rect", { ...box, class: "paper" }), drawn("rect", { ...box, class: "face", fill: color, stroke: color }));
      node.text.forEach((line, i) => {
        if (!line) return;
        const top = node.text[1] ? [15.5, 30][i] : 23;
        const text = drawn("text", { x: x + width / 2, y: y + top });
        text.textContent = line;
        // Other machines have other fonts: what would be too wide is drawn narrower.
        const font = (i ? "10.5px " : "600 12px ") + this.view.font;
        if (width_of(line, font) > width - 8) {
          text.setAttribute("textLength", width - 8);
          text.setAttribute("lengthAdjust", "spacingAndGlyphs");
        }
        group.append(text);
      });
      const title = drawn("title");
      title.textContent = node.name;
      group.append(title);
      return group;
    }

    listen() {
      const pointers = new Map();
      let moved = 0, pressed = null;
      this.svg.addEventListener("pointerdown", (event) => {
        this.svg.setPointerCapture(event.pointerId);
        pointers.set(event.pointerId, [event.offsetX, event.offsetY]);
        pressed = event.target.closest(".node");
        moved = 0;
        this.frame.focus({ preventScroll: true });
      });
      this.svg.addEventListener("pointermove", (event) => {
        const before = pointers.get(event.pointerId);
        if (!before) return;
        const others = [...pointers].filter(([id]) => id !== event.pointerId).map(([, place]) => place);
        const now = [event.offsetX, event.offsetY];
        moved += Math.hypot(now[0] - before[0], now[1] - before[1]);
        if (others.length) {
          const far = (place) => Math.max(1, Math.hypot(place[0] - others[0][0], place[1] - others[0][1]));
          this.zoom(far(now) / far(before), others[0]);
        } else {
          this.look(this.at.x + now[0] - before[0], this.at.y + now[1] - before[1], this.at.k);
        }
        pointers.set(event.pointerId, now);
        this.svg.classList.add("moving");
      });
      const release = (event) => {
        if (!pointers.delete(event.pointerId)) return;
        this.svg.classList.remove("moving");
        if (moved > 4 || event.type === "pointercancel") return;
        if (pressed) this.view.choose(this.index, Number(pressed.dataset.node.split(".")[1]));
        else this.view.clear();
      };
      this.svg.addEventListener("pointerup", release);
      this.svg.addEventListener("pointercancel", release);
      this.svg.addEventListener("wheel", (event) => {
        event.preventDefault();
        const lines = event.deltaMode === 1 ? 18 : 1;
        if (event.shiftKey) this.look(this.at.x - event.deltaX * lines, this.at.y - event.deltaY * lines, this.at.k);
        else this.zoom(Math.exp(-limited(event.deltaY * lines, -300, 300) / 420), [event.offsetX, event.offsetY]);
      }, { passive: false });
      const jump = (event) => {
        if (event.buttons === 0) return;
        const scale = this.mapScale();
        this.center((event.offsetX - scale.left) / scale.x, event.offsetY / scale.y, this.at.k);
      };
      this.map.addEventListener("pointerdown", (event) => {
        this.map.setPointerCapture(event.pointerId);
        jump(event);
      });
      this.map.addEventListener("pointermove", jump);
      this.frame.addEventListener("keydown", (event) => this.key(event));
      new ResizeObserver(() => this.resized()).observe(this.stage);
    }

    key(event) {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const step = 80;
      const actions = {
        "+": () => this.zoom(1.4), "=": () => this.zoom(1.4), "-": () => this.zoom(1 / 1.4),
        0: () => this.fit(), 1: () => this.zoom(1 / this.at.k),
        ArrowDown: () => this.walk(this.outgoing, 1) || this.look(this.at.x, this.at.y - step, this.at.k),
        ArrowUp: () => this.walk(this.incoming, 0) || this.look(this.at.x, this.at.y + step, this.at.k),
        ArrowLeft: () => this.look(this.at.x + step, this.at.y, this.at.k),
        ArrowRight: () => this.look(this.at.x - step, this.at.y, this.at.k),
        Escape: () => this.view.clear(),
      };
      const action = actions[event.key];
      if (!action) return;
      event.preventDefault();
      action();
    }

    /// From the chosen node along its first edge. Gives whether there is a chosen one.
    walk(edges, end) {
      const { chosen } = this.view;
      if (!chosen || chosen.pane !== this.index) return false;
      const [edge] = edges[chosen.node];
      if (edge !== undefined) this.view.choose(this.index, this.graph.edges[edge][end]);
      return true;
    }

    size() {
      return [Math.max(1, this.stage.clientWidth), Math.max(1, this.stage.clientHeight)];
    }

    look(x, y, k) {
      const [width, height] = this.size(), room = 60;
      k = limited(k, SMALLEST, LARGEST);
      // Something of the graph stays in sight.
      x = limited(x, room - this.graph.width * k, width - room);
      y = limited(y, room - this.graph.height * k, height - room);
      this.at = { x, y, k };
      this.world.setAttribute("transform", `translate(${x} ${y}) scale(${k})`);
      this.svg.classList.toggle("far", k < READABLE);
      if (!this.waits) {
        this.waits = true;
        requestAnimationFrame(() => {
          this.waits = false;
          this.drawMap();
        });
      }
    }

    zoom(factor, [x, y] = this.size().map((side) => side / 2)) {
      const k = limited(this.at.k * factor, SMALLEST, LARGEST);
      this.look(x - (x - this.at.x) * k / this.at.k, y - (y - this.at.y) * k / this.at.k, k);
    }

    center(x, y, k) {
      const [width, height] = this.size();
      this.look((width - MAP) / 2 - x * k, height / 2 - y * k, k);
    }

    fit() {
      const [width, height] = this.size();
      const k = Math.min((width - MAP - 2 * MARGIN) / this.graph.width, (height - 2 * MARGIN) / this.graph.height, 1);
      this.center(this.graph.width / 2, this.graph.height / 2, k);
    }

    /// The beginning, as large as it can be read.
    begin() {
      const [width, height] = this.size();
      const whole = Math.min((width - MAP - 2 * MARGIN) / this.graph.width, (height - 2 * MARGIN) / this.graph.height);
      if (whole >= READABLE) return this.fit();
      const k = limited((width - MAP - 2 * MARGIN) / this.graph.width, 0.62, 1);
      const [first] = this.graph.nodes, isWider = this.graph.width * k > width - MAP;
      const x = isWider && first ? first.box[0] + first.box[2] / 2 : this.graph.width / 2;
      this.look((width - MAP) / 2 - x * k, MARGIN, k);
    }

    /// Brings a node into the middle, unless it is well in sight.
    show(index, always) {
      const [x, y, width, height] = this.graph.nodes[index].box;
      const k = Math.max(this.at.k, 0.75);
      const left = x * this.at.k + this.at.x, top = y * this.at.k + this.at.y;
      const [stage, tall] = this.size();
      const isSeen = this.at.k >= READABLE && left > 20 && top > 20 && left + width * k < stage - MAP && top + height * k < tall - 20;
      if (always || !isSeen) this.center(x + width / 2, y + height / 2, k);
    }

    resized() {
      if (this.hasBegun) return this.look(this.at.x, this.at.y, this.at.k);
      this.hasBegun = true;
      this.begin();
      this.view.restore();
    }

    mark(chosen, linked) {
      this.nodes.forEach((node, i) => {
        node.classList.toggle("chosen", i === chosen);
        node.classList.toggle("linked", linked.has(i));
      });
      const edges = chosen === undefined ? [] : [...this.incoming[chosen], ...this.outgoing[chosen]];
      this.hot.setAttribute("d", edges.map((edge) => curve(this.graph.edges[edge][2])).join(""));
      this.drawMap();
    }

    /// The map is as high as its container; a graph that is wider than its own height allows is narrowed.
    mapScale() {
      const width = this.map.clientWidth, height = this.map.clientHeight;
      const y = Math.min(height / this.graph.height, 0.4);
      const x = Math.min(width / this.graph.width, Math.max(y, 0.05));
      return { x, y, left: Math.max(0, (width - this.graph.width * x) / 2) };
    }

    drawMap() {
      const width = this.map.clientWidth, height = this.map.clientHeight, dense = window.devicePixelRatio || 1;
      if (!width || !height) return;
      this.map.width = width * dense;
      this.map.height = height * dense;
      const paint = this.map.getContext("2d"), scale = this.mapScale();
      paint.scale(dense, dense);
      const styles = getComputedStyle(this.frame);
      this.graph.nodes.forEach((node, i) => {
        const [x, y, w, h] = node.box, marks = this.nodes[i].classList;
        const isMarked = marks.contains("chosen") || marks.contains("linked");
        const isHit = marks.contains("hit");
        paint.globalAlpha = isMarked || isHit ? 1 : node.faint ? 0.42 : 0.85;
        paint.fillStyle = isMarked ? styles.getPropertyValue("--accent") : isHit ? styles.getPropertyValue("--hit")
          : this.view.data.categories[node.category].color;
        const high = Math.max(isMarked || isHit ? 3 : 0.8, h * scale.y);
        paint.fillRect(scale.left + x * scale.x, y * scale.y, Math.max(isMarked || isHit ? 8 : 1.5, w * scale.x), high);
      });
      paint.globalAlpha = 1;
      paint.strokeStyle = styles.getPropertyValue("--accent");
      paint.lineWidth = 1.5;
      const [seen, tall] = this.size(), { x, y, k } = this.at;
      const top = limited(-y / k * scale.y, 1, height - 4), low = limited((tall - y) / k * scale.y, 4, height - 1);
      const left = limited(scale.left - x / k * scale.x, 1, width - 4);
      const right = limited(scale.left + (seen - x) / k * scale.x, 4, width - 1);
      paint.strokeRect(left, top, Math.max(3, right - left), Math.max(3, low - top));
    }
  }

  class View {
    constructor(figure) {
      this.figure = figure;
      this.data = JSON.parse(figure.querySelector("script").textContent);
      this.font = getComputedStyle(figure).fontFamily;
      this.hits = [];
      this.build();
      this.say();
      window.addEventListener("hashchange", () => this.restore());
    }

    build() {
      this.search = element("input", { type: "search", placeholder: "search: name, operator, shape", "aria-label": "search",
        oninput: () => this.find(), onkeydown: (event) => this.searchKey(event) });
      this.count = element("output", { "aria-live": "polite" });
      const legend = element("div", { class: "legend" }, ...this.data.categories.map(({ name, color }) => {
        const mark = element("i");
        mark.style.borderColor = color;
        mark.style.background = color + "33";
        return element("span", {}, mark, name);
      }));
      this.panel = element("aside", { class: "panel", "aria-live": "polite" });
      const parts = element("div", { class: this.data.graphs.length === 1 ? "parts one" : "parts" });
      this.figure.append(element("div", { class: "bar" }, this.search, this.count, legend), parts);
      this.panes = this.data.graphs.map((graph, i) => new Pane(this, graph, i));
      parts.append(...this.panes.map((pane) => pane.frame), this.panel);
      document.addEventListener("keydown", (event) => {
        if (event.key !== "/" || event.target.closest("input, textarea")) return;
        event.preventDefault();
        this.search.focus();
      });
    }

    /// Chooses the node that the address names: "#1.12".
    restore() {
      const [, pane, node] = /^#(\d+)\.(\d+)$/.exec(location.hash) || [];
      if (this.data.graphs[pane]?.nodes[node]) this.choose(Number(pane), Number(node), true);
    }

    choose(pane, node, always) {
      const isSame = this.chosen && this.chosen.pane === pane && this.chosen.node === node;
      if (isSame && !always) return;
      this.chosen = { pane, node };
      const links = new Set(this.data.graphs[pane].nodes[node].links);
      this.panes.forEach((other, i) => {
        other.mark(i === pane ? node : undefined, i === pane ? new Set() : links);
        if (i === pane) other.show(node, always);
        else if (links.size) other.show(Math.min(...links));
      });
      history.replaceState(null, "", "#" + pane + "." + node);
      this.say();
    }

    clear() {
      this.chosen = undefined;
      this.panes.forEach((pane) => pane.mark(undefined, new Set()));
      history.replaceState(null, "", location.pathname + location.search);
      this.say();
    }

    find() {
      const wanted = this.search.value.trim().toLowerCase();
      this.hits = [];
      this.panes.forEach((pane, p) => pane.graph.nodes.forEach((node, i) => {
        const isHit = wanted !== "" && (node.text.join(" ") + " " + node.name).toLowerCase().includes(wanted);
        pane.nodes[i].classList.toggle("hit", isHit);
        if (isHit) this.hits.push([p, i]);
      }));
      this.hit = -1;
      this.panes.forEach((pane, p) => {
        const first = this.hits.find(([of]) => of === p);
        if (first) pane.show(first[1]);
        pane.drawMap();
      });
      this.count.textContent = wanted === "" ? "" : this.hits.length + " found";
    }

    searchKey(event) {
      if (event.key === "Escape") {
        this.search.value = "";
        this.find();
      }
      if (event.key !== "Enter" || this.hits.length === 0) return;
      const step = event.shiftKey ? -1 : 1;
      this.hit = this.hit < 0 ? (event.shiftKey ? this.hits.length - 1 : 0) : (this.hit + step + this.hits.length) % this.hits.length;
      this.choose(...this.hits[this.hit], true);
      this.count.textContent = (this.hit + 1) + " of " + this.hits.length;
    }

    say() {
      this.panel.replaceChildren(...(this.chosen ? this.told() : this.help()));
      this.panel.scrollTop = 0;
    }

    help() {
      const key = (name) => element("kbd", {}, name);
      return [element("h3", {}, "Choose a node"), element("p", { class: "help" }, "Its panel is here, and what it goes with is marked in the other graph."),
        element("p", { class: "help" }, "The wheel, ", key("+"), " and ", key("-"), " zoom, ", key("0"), " shows all, dragging and arrows move, ",
          key("↑"), " ", key("↓"), " walk from the chosen node, ", key("/"), " searches, ", key("Enter"), " goes to the next hit.")];
    }

    told() {
      const { pane, node } = this.chosen, it = this.data.graphs[pane].nodes[node];
      const parts = [element("h3", {}, it.text[0]), element("p", { class: "name" }, it.name)];
      const texts = it.details.filter(({ text }) => text !== undefined);
      return parts.concat(texts.length ? this.tabs(pane, it, texts) : this.about(pane, it));
    }

    about(pane, it) {
      const parts = [];
      if (it.links.length) parts.push(element("h4", {}, this.data.graphs[1 - pane].title), this.linksOf(pane, it));
      for (const { heading, rows } of it.details) {
        if (!rows) continue;
        const cells = (row) => row.map((cell) => element("td", row.length === 1 ? { colspan: 9 } : {}, cell));
        const isShort = rows.every(([first]) => first.length < 14);
        parts.push(element("h4", {}, heading),
          element("table", isShort ? {} : { class: "wide" }, ...rows.map((row) => element("tr", {}, ...cells(row)))));
      }
      return parts;
    }

    linksOf(pane, it) {
      const MOST = 40, other = this.data.graphs[1 - pane];
      const buttons = it.links.slice(0, MOST).map((link) =>
        element("button", { type: "button", title: other.nodes[link].name, onclick: () => this.choose(1 - pane, link, true) }, other.nodes[link].text[0]));
      if (it.links.length > MOST) buttons.push(element("span", {}, "and " + (it.links.length - MOST) + " more"));
      return element("div", { class: "links" }, ...buttons);
    }

    /// The panel's facts, or one of the long texts; the choice holds for the next node.
    tabs(pane, it, details) {
      const content = element("div"), tabs = element("div", { class: "tabs", role: "tablist" });
      const open = (name) => {
        this.tab = name;
        const found = details.find(({ heading }) => heading === name);
        const text = found && element("pre", { tabindex: "0" }, this.data.texts[found.text]);
        content.replaceChildren(...(text ? [text] : this.about(pane, it)));
        for (const tab of tabs.children) tab.setAttribute("aria-selected", String(tab.textContent === name));
      };
      const names = ["about", ...details.map(({ heading }) => heading)];
      for (const name of names) tabs.append(element("button", { type: "button", role: "tab", onclick: () => open(name) }, name));
      open(names.includes(this.tab) ? this.tab : "about");
      return [tabs, content];
    }
  }

  for (const figure of document.querySelectorAll(".graphs")) {
    try {
      new View(figure);
    } catch (error) {
      figure.append("This graph could not be drawn: " + error);
    }
  }
})();
