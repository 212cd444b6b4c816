// draw.js PAGE [CHANGES]: prints what the script of a report makes of the JSON behind it. CHANGES are statements that
// change the objects `statistics` and `course` before.
const { readFileSync } = require("node:fs");
const vm = require("node:vm");
const page = readFileSync(process.argv[2], "utf8");
const json = id => page.match(new RegExp(`<script type="application/json" id="${id}">([^<]*)</script>`))[1];
const [statistics, course] = [JSON.parse(json("statistics")), JSON.parse(json("course"))];
vm.runInNewContext(process.argv[3] ?? "", { statistics, course });
const elements = {
  report: {}, statistics: { textContent: JSON.stringify(statistics) }, course: { textContent: JSON.stringify(course) },
};
const document = { getElementById: id => elements[id] };
vm.runInNewContext(page.match(/<script>([^]*?)<\/script>/)[1], { document, addEventListener: (_, draw) => draw() });
console.log(`${document.title}\n${elements.report.innerHTML}`);
