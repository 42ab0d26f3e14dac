// Open pages in Chromium, light and dark, on a phone and a wide screen, and report what is wrong.
//
// Usage: node check_pages.mjs CHROMIUM PAGE... (`nox -s browser` installs what this imports)
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";

const installed = createRequire(join(process.cwd(), "package.json"));
const { chromium } = installed("playwright-core");
const AXE = readFileSync(installed.resolve("axe-core/axe.min.js"), "utf8");
const ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"];

const [executablePath, ...pages] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath, args: ARGUMENTS });
let wrong = 0;
for (const file of pages)
  for (const colorScheme of ["light", "dark"])
    for (const width of [375, 1280]) wrong += await check(file, colorScheme, width);
await browser.close();
process.exit(wrong ? 1 : 0);

async function check(file, colorScheme, width) {
  const context = await browser.newContext({ colorScheme, viewport: { width, height: 900 } });
  const page = await context.newPage();
  const address = pathToFileURL(file).href;
  const problems = [];
  page.on("request", (request) => {
    if (request.url() !== address) problems.push(`request: ${request.url()}`);
  });
  page.on("console", (message) => problems.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => problems.push(`script: ${error}`));
  page.on("dialog", (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  await page.goto(address);
  const { background, scripts, isWider } = await page.evaluate(() => ({
    background: getComputedStyle(document.body).backgroundColor,
    scripts: document.scripts.length,
    isWider: document.documentElement.scrollWidth > innerWidth,
  }));
  const isDark = Math.max(...background.match(/\d+/g).slice(0, 3).map(Number)) < 100;
  if (isDark !== (colorScheme === "dark")) problems.push(`background ${background}`);
  if (scripts) problems.push(`${scripts} scripts`);
  if (isWider) problems.push("wider than the screen");
  problems.push(...(await violations(page)));
  if (process.env.SCREENSHOTS) {
    const name = `${basename(file)}-${colorScheme}-${width}.png`;
    await page.screenshot({ path: join(process.env.SCREENSHOTS, name), fullPage: false });
  }
  await context.close();
  console.log(`${problems.length ? "wrong" : "ok"}  ${basename(file)} ${colorScheme} ${width}`);
  for (const each of problems) console.log(`       ${each}`);
  return problems.length;
}

// The page's policy forbids scripts, so axe runs in a world of its own.
async function violations(page) {
  const session = await page.context().newCDPSession(page);
  const { frameTree } = await session.send("Page.getFrameTree");
  const { executionContextId: contextId } = await session.send("Page.createIsolatedWorld", {
    frameId: frameTree.frame.id,
  });
  await session.send("Runtime.evaluate", { expression: AXE, contextId });
  const { result } = await session.send("Runtime.evaluate", {
    expression: "axe.run(document).then((report) => JSON.stringify(report.violations))",
    awaitPromise: true,
    returnByValue: true,
    contextId,
  });
  if (!result.value) return [`axe did not run: ${JSON.stringify(result)}`];
  return JSON.parse(result.value).map(
    ({ id, help, nodes }) => `axe ${id}: ${help} (${nodes.length} x, ${nodes[0].html.slice(0, 120)})`,
  );
}
