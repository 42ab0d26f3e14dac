// What TypeScript's compiler says of each call of a repository, for `python -m benchmarks code exact`:
// OUT=calls.json node calls.js REPOSITORY [NAME=PATH ...]; needs `npm install typescript@5`.
// A pair says where a package of the repository has its source: zod/v4=packages/zod/src/v4/index.ts.
const ts = require("typescript"), fs = require("fs"), path = require("path"), cp = require("child_process");
const root = path.resolve(process.argv[2]);
const files = cp.execSync("git ls-files", {cwd: root, maxBuffer: 1e9}).toString().split("\n")
  .filter(f => /\.(ts|tsx|mts|cts|js|jsx|mjs|cjs)$/.test(f) && !/\.min\./.test(f)).map(f => path.join(root, f));
const paths = {};
for (const pair of process.argv.slice(3)) { const [k, v] = pair.split("="); paths[k] = [path.join(root, v)]; }
const program = ts.createProgram(files, {allowJs: true, checkJs: false, noEmit: true, target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler, jsx: ts.JsxEmit.Preserve, allowImportingTsExtensions: true, skipLibCheck: true, noLib: false, maxNodeModuleJsDepth: 0, paths, baseUrl: root, strict: true});
const checker = program.getTypeChecker();
const out = [];
// What `const { name } = thing` takes out of a thing is declared there.
const taken = d => {
  if (!ts.isBindingElement(d) || !ts.isObjectBindingPattern(d.parent)) return [];
  const property = checker.getTypeAtLocation(d.parent).getProperty((d.propertyName || d.name).getText());
  return (property && property.declarations) || [];
};
for (const sf of program.getSourceFiles()) {
  if (!sf.fileName.startsWith(root + "/") || sf.fileName.includes("node_modules")) continue;
  const rel = path.relative(root, sf.fileName);
  const visit = n => {
    if (ts.isCallExpression(n) || ts.isNewExpression(n)) {
      let id = n.expression;
      while (ts.isParenthesizedExpression(id) || ts.isNonNullExpression(id)) id = id.expression;
      if (ts.isPropertyAccessExpression(id)) id = id.name;
      if (ts.isIdentifier(id) || ts.isPrivateIdentifier(id)) {
        let s = checker.getSymbolAtLocation(id), target = "", tl = 0, known = false;
        if (s && s.flags & ts.SymbolFlags.Alias) s = checker.getAliasedSymbol(s);
        const ds = ((s && s.declarations) || []).flatMap(d => [d, ...taken(d)]);
        const all = [];
        for (const d of ds) {
          known = true;
          const f = d.getSourceFile();
          if (f.fileName.startsWith(root + "/") && !f.fileName.includes("node_modules")) {
            const nm = d.name || d;
            all.push([path.relative(root, f.fileName), f.getLineAndCharacterOfPosition(nm.getStart()).line + 1, ts.SyntaxKind[d.kind], (d.name && d.name.text) || "", !!(d.initializer && (ts.isArrowFunction(d.initializer) || ts.isFunctionExpression(d.initializer)))]);
          }
        }
        out.push({Path: rel, Line: sf.getLineAndCharacterOfPosition(id.getStart()).line + 1, Name: id.text, Targets: all, Known: known});
      }
    }
    ts.forEachChild(n, visit);
  };
  visit(sf);
}
console.error(out.length, "calls", out.filter(x => x.Targets.length).length, "inside");
fs.writeFileSync(process.env.OUT || "calls.json", JSON.stringify(out));
