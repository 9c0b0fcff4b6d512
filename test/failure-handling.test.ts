import {globSync, readFileSync} from 'node:fs';
import {expect, test} from 'vitest';

/**
 * Functions that return something which reports failures as events, by the module that has them. Without a listener such an event
 * ends the process.
 */
const creations = {
  server: [/\bcreate(?:Tls)?Server\(/g, /node:(?:net|tls|https?)'/],
  socket: [/(?<![\w.])connect\(/g, /node:(?:net|tls)'/],
  'file stream': [/\bcreate(?:Read|Write)Stream\(/g, /node:fs'/],
  'line reader': [/\bcreateInterface\(/g, /node:readline'/],
  'child process': [/(?<![\w.])(?:spawn|fork)\(/g, /node:child_process'/],
  worker: [/\bnew Worker\(/g, /node:worker_threads'/],
} as const;

interface Creation {
  readonly kind: string;
  readonly place: string;
  readonly isHandled: boolean;
}

/**
 * Finds what a source creates. Its failures are handled if it is read by `for await` or `pipeline` in the same statement, or has a
 * listener for errors: at once, or by the name that the statement gives it.
 */
function creationsIn(file: string, source: string): Creation[] {
  return Object.entries(creations).flatMap(([kind, [pattern, module]]) =>
    [...(module.test(source) ? source.matchAll(pattern) : [])].map(({index, 0: call}) => {
      const statement = source.slice(statementStart(source, index), index);
      const isRead = /\bfor await \(|\bpipeline\(/.test(statement);
      const hasListener = /^\s*\.on(?:ce)?\('error'/.test(source.slice(callEnd(source, index + call.length)));
      const [, name = ''] = /(?:const |let |this\.#?)(\w+) =/.exec(statement) ?? [];
      const isNamed = new RegExp(`\\b${name}\\s*\\.on(?:ce)?\\('error'|\\bonce\\(${name},`).test(source);
      const line = source.slice(0, index).split('\n').length;
      const isHandled = isRead || hasListener || (name !== '' && isNamed);
      return {kind, place: `${file}:${line}: ${kind}`, isHandled};
    }),
  );
}

/** Returns where the statement around a position begins. The bodies of functions in it are statements of their own. */
function statementStart(source: string, position: number): number {
  let depth = 0;
  for (let at = position - 1; at >= 0; at--) {
    const char = source[at] ?? '';
    if (depth === 0 && (char === ';' || (char === '{' && /(?:=>|\)|else|try|finally) $/.test(source.slice(0, at)))))
      return at;
    if (depth === 0 && /^\}\n\s*[^\s).,:?]/.test(source.slice(at, at + 200))) return at;
    if (')]}'.includes(char)) depth++;
    else if ('([{'.includes(char) && depth > 0) depth--;
  }
  return 0;
}

/** Returns the position after a call whose arguments begin at a position. */
function callEnd(source: string, position: number): number {
  let depth = 1;
  let at = position;
  for (; depth > 0 && at < source.length; at++) {
    if ('([{'.includes(source[at] ?? '')) depth++;
    else if (')]}'.includes(source[at] ?? '')) depth--;
  }
  return at;
}

const allFiles = globSync('src/**/*.{ts,tsx}', {exclude: ['src/build/**']}).sort();

test('failures: every stream, socket, server, child process and worker has a listener where it is created', () => {
  const found = allFiles.flatMap((file) => creationsIn(file, readFileSync(file, 'utf8')));
  expect(new Set(found.map(({kind}) => kind))).toEqual(new Set(Object.keys(creations)));
  expect(found.filter(({isHandled}) => !isHandled).map(({place}) => place)).toEqual([]);
});

test.each([
  ['const lines = createInterface({input: socket});\nlines.on("line", print);\n', false],
  ["const lines = createInterface({input: socket});\nlines.on('error', end);\n", true],
  ["  return createReadStream(path).on('error', () => {});\n", true],
  ['  return files.receive(createReadStream(path));\n', false],
  ['  for await (const line of createInterface({input})) {\n', true],
  ['  await pipeline(createReadStream(path), response);\n', true],
  ["  const child = spawn('true');\n  await once(child, 'exit');\n", true],
  ["  const child = spawn('true');\n  other.on('error', end);\n", false],
])('failures: the check reads %j as handled: %s', (source, isHandled) => {
  const modules = "import 'node:fs';\nimport 'node:readline';\nimport 'node:child_process';\n";
  expect(creationsIn('file', modules + source).map((creation) => creation.isHandled)).toEqual([isHandled]);
});

/** Returns the timers of a source whose tasks may throw where nothing catches it. */
function unguardedTimers(source: string): string[] {
  const code = source.replaceAll(/^import [^;]*;$/gm, '');
  return [
    ...code.matchAll(/\b(?:setTimeout|setInterval|setImmediate|queueMicrotask|nextTick)\((?!\s*guarded\(|\)).*/g),
    ...code.matchAll(/(?<!\bguardedClock\((?:options\.clock \?\? )?)\bsystemClock\b.*/g),
  ].map(([text]) => text);
}

test('failures: a task of a timer of the server is guarded, or its clock is', () => {
  const files = allFiles.filter((file) => /^src\/(?:server|cli\/serve)\//.test(file));
  expect(files.length).toBeGreaterThan(150);
  const found = files.flatMap((file) => unguardedTimers(readFileSync(file, 'utf8')).map((text) => `${file}: ${text}`));
  expect(found).toEqual([]);
});

test.each([
  ['setTimeout(() => step(), 5);', false],
  ['setImmediate(step);', false],
  ['setImmediate(guarded(step, log));', true],
  ['const stop = startTask(systemClock);', false],
  ['const clock = guardedClock(systemClock, log);', true],
])('failures: the check reads the timer %j as guarded: %s', (source, isGuarded) => {
  expect(unguardedTimers(source).length === 0).toBe(isGuarded);
});
