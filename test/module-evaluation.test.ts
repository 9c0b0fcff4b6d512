import {globSync, readFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {parseSync} from 'rolldown/utils';
import {expect, test} from 'vitest';
import {valueImportsOf} from '#test/support/value-imports.ts';

/**
 * A start-up snapshot and a bundle in one file evaluate the modules on another machine or at another time than they run.
 * So a module reads the process, the locale, the clock and random numbers in functions, not while it is evaluated.
 */

/** Everything except what builds the program. */
const files = globSync('src/**/*.{ts,tsx}', {exclude: ['src/build/**']}).sort();

const forbiddenNames = new Set(['process', 'Intl', 'performance', 'AbortSignal', 'localStorage']);
const forbiddenCalls = new Set([
  ...['Date', 'Date.now', 'Math.random', 'randomUUID', 'randomBytes', 'randomInt'],
  ...['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask', 'homedir', 'hostname', 'cwd'],
]);

interface AstNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

function isNode(value: unknown): value is AstNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

/** Returns the forbidden expressions that are evaluated with the module, also in its own functions that it calls. */
function readsAtEvaluation(file: string, text: string): readonly string[] {
  const {program, errors} = parseSync(file, text, {preserveParens: false});
  expect(errors).toEqual([]);
  const found: string[] = [];
  const functions = new Map<string, unknown>();
  for (const statement of program.body) {
    const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (declaration?.type === 'FunctionDeclaration') functions.set(declaration.id?.name ?? '', declaration.body);
  }
  visit(program);
  return found;

  function visit(value: unknown): void {
    if (Array.isArray(value)) for (const item of value) visit(item);
    if (!isNode(value) || isNotEvaluated(value)) return;
    const source = text.slice(value.start, value.end);
    if (value.type === 'MetaProperty') found.push(source);
    if (value.type === 'Identifier' && forbiddenNames.has(String(value.name))) found.push(source);
    if ((value.type === 'CallExpression' || value.type === 'NewExpression') && isNode(value.callee)) {
      const callee = text.slice(value.callee.start, value.callee.end);
      const isOfGivenTime = callee === 'Date' && Array.isArray(value.arguments) && value.arguments.length > 0;
      if (forbiddenCalls.has(callee) && !isOfGivenTime) found.push(source);
      const body = isFunction(value.callee) ? value.callee.body : functions.get(callee);
      functions.delete(callee);
      visit(body);
    }
    for (const [field, child] of Object.entries(value)) {
      const isName = (field === 'property' || field === 'key') && value.computed === false;
      if (!isName) visit(child);
    }
  }
}

function isFunction({type}: AstNode): boolean {
  return /^(?:FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(type);
}

function isNotEvaluated(node: AstNode): boolean {
  const isType = node.type.startsWith('TS') && !/^TS(?:As|Satisfies|NonNull)/.test(node.type);
  const isInstanceField = node.type === 'PropertyDefinition' && node.static === false;
  return isType || isInstanceField || isFunction(node) || node.type === 'ImportDeclaration';
}

test('modules: no module reads the process, the locale, a clock or random numbers while it is evaluated', () => {
  // Parsing takes long, so files without any of the words are left out.
  const words = new RegExp(`\\b(?:${[...forbiddenNames, ...forbiddenCalls, 'import.meta'].join('|')})\\b`);
  const strays = files.flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    return words.test(text) ? readsAtEvaluation(file, text).map((source) => `${file}: ${source}`) : [];
  });
  expect(strays).toEqual([]);
});

test.each([
  ['const {env} = process;', ['process']],
  ['export class A { static readonly began = Date.now(); readonly made = Date.now(); }', ['Date.now()']],
  ['const list = new Intl.ListFormat();', ['Intl']],
  ['export const version = read(); function read() { return process.version; }', ['process']],
  ['const path = (() => new URL("x", import.meta.url))();', ['import.meta']],
  ['const now = new Date(), then = new Date(0), field = {process: 1}.process;', ['new Date()']],
  ['const read = () => process.env; let format: Intl.ListFormat | undefined;', []],
])('modules: what is evaluated is found: %s', (text, expected) => {
  expect(readsAtEvaluation('example.ts', text)).toEqual(expected);
});

/** Packages that take long to load. They are imported where they are used; the bundle does the same for Node's modules. */
const loadedLater = ['undici', 'marked', 'marked-terminal', 'katex', 'highlight.js', '@cf-wasm'];

test('modules: what the start imports loads no heavy package', () => {
  const seen = new Set<string>();
  const strays: string[] = [];
  visit('src/cli.ts');
  visit('src/cli/screen/run-screen-verb.ts');
  visit('src/cli/screen/open-screen.tsx');
  expect(seen.size).toBeGreaterThan(200);
  expect(strays).toEqual([]);

  function visit(file: string): void {
    if (seen.has(file)) return;
    seen.add(file);
    for (const name of valueImportsOf(file)) {
      if (loadedLater.includes(name.split('/')[0] ?? '')) strays.push(`${file} imports ${name}`);
      else if (name.startsWith('#')) visit(`src/${name.slice(1)}`);
      else if (name.startsWith('.')) visit(join(dirname(file), name));
    }
  }
});
