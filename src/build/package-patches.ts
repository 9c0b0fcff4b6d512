/** A change that the bundle makes to one file of a package. package.json pins the version of each patched package. */
export interface PackagePatch {
  readonly packageName: string;
  /** The path inside the package. */
  readonly file: string;
  /** The checksum of the file that the patch was written for. */
  readonly sha256: string;
  readonly patch: (text: string) => string;
}

/** JavaScript for a regular expression of `t` and `e` that is compiled when more than its source is read. */
const lazyPatternOfVariables = `((compiled) => new Proxy({}, {
  get: (_, name) => {
    if (name === 'source') return t;
    compiled ??= new RegExp(t, e);
    const value = compiled[name];
    return typeof value === 'function' ? value.bind(compiled) : value;
  },
  set: (_, name, value) => {
    compiled ??= new RegExp(t, e);
    compiled[name] = value;
    return true;
  },
}))(undefined)`;

/**
 * Maps the files of undici that a connection never uses to the value that the bundle exports instead. Connections use HTTP/1
 * only, bodies are texts or streams, and proxies are HTTP proxies. Without the parser that needs SIMD instructions, undici
 * uses the one that runs on every processor.
 */
const unusedUndiciFiles: Readonly<Record<string, {readonly sha256: string; readonly replacement: string}>> = {
  'lib/dispatcher/client-h2.js': {
    sha256: 'd2c5412f6804bbc45888bcced6013d14df9c2be83b4e73673db04eaaa9090bbe',
    replacement: 'undefined',
  },
  'lib/dispatcher/parser-h1.js': {
    sha256: '500be8702f88964484d16b3601c28e1e5b41256db1dc6244f43bf0540940f71e',
    replacement: '{getMiloEnabled: () => false}',
  },
  'lib/llhttp/llhttp_simd-wasm.js': {
    sha256: 'a3f30f3307ab3c191720cb636d570febb3610c420bc7077f2e225dacfcad3295',
    replacement: 'undefined',
  },
  'lib/dispatcher/socks5-proxy-agent.js': {
    sha256: 'fa8a243c5b9eb4b5de4e73ddbefe63426afc8a02743830a4f1e2142767817578',
    replacement: 'undefined',
  },
  'lib/web/fetch/body.js': {
    sha256: '2c2aff098cf44c90acfe5ccd1bf6ac24a879531ae64c52f76ce13d9960d8bdff',
    replacement: '{}',
  },
  'lib/web/fetch/formdata.js': {
    sha256: 'f1bc0c3e92ac8639f632d2b79e5502165cdfb273725dba197ea692aedd8a44fa',
    replacement: '{}',
  },
  'lib/web/webidl/index.js': {
    sha256: 'a6aa001f3a56d521cbee0a925e3a9d057079b76f5d9ea527a977605edcb2f811',
    replacement: '{}',
  },
};

/**
 * Lists all patches. Ink's output and layout become those of `src/ui/ink` (`ui-ink:x.ts` is a file there, `std:x.ts` one of `src/std`); the other patches
 * delay or remove work that a package does when it is loaded. Every patched package also works without its patches, slower.
 */
export const packagePatches: readonly PackagePatch[] = [
  {
    packageName: 'ink',
    file: 'build/output.js',
    sha256: '5e6c511c0a573f48cd5765d7f1f16583d2595f7b05775608382bdb990b63f225',
    patch: () => "export {Output as default} from 'ui-ink:output.ts';",
  },
  {
    packageName: 'ink',
    file: 'build/log-update.js',
    sha256: '0336ec176d00780756df0c2b6c365cd2f67118e28d0f9b5383e113fd9f70f285',
    patch: () => "export {frameWriter as default} from 'ui-ink:frame-writer.ts';",
  },
  {
    // When the terminal loses rows, Ink writes the frame itself as plain lines, which wrap where the terminal measures a
    // character wider. Only the frame writer may write frames: it places what follows such a character.
    packageName: 'ink',
    file: 'build/ink.js',
    sha256: '54975ccb060dbc0f155990fe210a62eb00fa648cc89e60e68cb271395feb456a',
    patch: (text) =>
      text.replace(
        /const shouldClearTerminalForFrame = .*?^\};$/ms,
        'const shouldClearTerminalForFrame = () => false;',
      ),
  },
  {
    // Ink's developer tools, and the only two places where it awaits something while it loads.
    packageName: 'ink',
    file: 'build/reconciler.js',
    sha256: '497b58b448d6cf4342c1808c38fb03588f04e1263db54befb9d96287f364d325',
    patch: (text) => text.replaceAll(/^if \(process\.env\['DEV'\] === 'true'\) \{$.*?^\}$/gms, ''),
  },
  {
    packageName: 'yoga-layout',
    file: 'dist/src/index.js',
    sha256: '0c89ff0c01ee90b081b369119f972d72f71eb8882263d94ef0824500817d5de1',
    patch: () => "export {rectangles as default} from 'ui-ink:rectangles.ts';",
  },
  {
    // The set of all emoji takes 20 ms to compile and is not needed for text in Latin script.
    packageName: 'string-width',
    file: 'index.js',
    sha256: 'abc20775da6b552188b098688ebec671e29f5416d6339d3534bb7b016174003e',
    patch: (text) =>
      text
        .replace('const segmenter = new Intl.Segmenter();', sharedSegmenter('segmenter'))
        .replace('const rgiEmojiRegex = /^\\p{RGI_Emoji}$/v;', lazyPattern('rgiEmojiRegex', '^\\p{RGI_Emoji}$', 'v')),
  },
  {
    // The patterns of marked's inline rules take 10 ms to compile. Parley has its own inline rules.
    packageName: 'marked',
    file: 'lib/marked.esm.js',
    sha256: '162194ea902a9d6eca6011bb42b5732991ca650e017d0375b76f4204810c6c14',
    patch: (text) =>
      text.replace(
        'getRegex:()=>new RegExp(t,e)',
        () => `getRegex:()=>e.includes("u")?${lazyPatternOfVariables}:new RegExp(t,e)`,
      ),
  },
  {
    packageName: '@alcalzone/ansi-tokenize',
    file: 'build/tokenize.js',
    sha256: '8be02a9ad536e9011a65e17d10138d951b1d9359251e9db5d1e8ac1662ae7e4e',
    patch: (text) =>
      text.replace(
        'const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });',
        sharedSegmenter('segmenter'),
      ),
  },
  {
    packageName: 'wrap-ansi',
    file: 'index.js',
    sha256: '0c65e1cad00d994a60eb6755ea7ed1bde4d81d072b0ab83d19a301bf67ca1750',
    patch: (text) => text.replace('const segmenter = new Intl.Segmenter();', sharedSegmenter('segmenter')),
  },
  {
    packageName: 'slice-ansi',
    file: 'tokenize-ansi.js',
    sha256: '511a1f1cbf61497dd4c1310f72641e4d06f36e83389ff9b50b2c070d87292b85',
    patch: (text) =>
      text.replace(
        "const GRAPHEME_SEGMENTER = new Intl.Segmenter(undefined, {granularity: 'grapheme'});",
        sharedSegmenter('GRAPHEME_SEGMENTER'),
      ),
  },
  {
    // The package loads `fetch`, WebSocket, caches and mocks (0.8 MB). Each part is loaded when it is first used.
    packageName: 'undici',
    file: 'index.js',
    sha256: '93fc85c00a59b58f410c901e5477d56770de3816bfbe183e751624aeb4a5e6a5',
    patch: () => `module.exports = {
  get Agent() { return require('./lib/dispatcher/agent.js'); },
  get EnvHttpProxyAgent() {
    // Agents of proxies open tunnels with it.
    require('./lib/dispatcher/dispatcher.js').prototype.connect = require('./lib/api/api-connect.js');
    return require('./lib/dispatcher/env-http-proxy-agent.js');
  },
  get Pool() { return require('./lib/dispatcher/pool.js'); },
};`,
  },
  {
    // Only for a constant and for a check of requests that are piped, which Parley does not do. The module takes 10 ms to load.
    packageName: 'undici',
    file: 'lib/dispatcher/client.js',
    sha256: '714bf317d177728a63e5e06d2f41c1beda1aef9c7002a72e84925abb4e6d9b26',
    patch: (text) => text.replace("require('node:http')", '{maxHeaderSize: 16384}'),
  },
  {
    packageName: 'undici',
    file: 'lib/core/util.js',
    sha256: 'f66443ee69b3ae34ea7ebfab4df71a0b87ac990769aaf76b278739dee8aedb7c',
    patch: (text) => text.replace("require('node:http')", '{}'),
  },
  ...Object.entries(unusedUndiciFiles).map(([file, {sha256, replacement}]) => ({
    packageName: 'undici',
    file,
    sha256,
    patch: () => `module.exports = ${replacement};`,
  })),
];

/**
 * Maps packages that the program imports but never uses to what the bundle contains instead. Ink imports its developer
 * tools when DEV is set, and they are not installed. marked-terminal imports a highlighter and an emoji table (1.3 MB); the
 * manual has neither. Packages use `node:assert` only as a function.
 */
export const unusedPackages: Readonly<Record<string, string>> = {
  'react-devtools-core': 'export default {};',
  'cli-highlight': 'export const highlight = (code) => code;',
  'node-emoji': 'export {};',
  'signal-exit': 'export default () => () => {};',
  // Node's module takes 4 ms to load, for texts of failures.
  'node:assert':
    'module.exports = (value, message) => { if (!value) throw new Error(message ?? "An assertion of a package failed"); };',
};

/** Returns JavaScript for a constant that is the segmenter of `std/segmenter.ts`, which is made on first use. */
function sharedSegmenter(name: string): string {
  return `import {segmenter as sharedSegmenter} from 'std:segmenter.ts';
const ${name} = {segment: (text) => sharedSegmenter('grapheme').segment(text)};`;
}

function lazyPattern(name: string, source: string, flags: string): string {
  return `let ${name}Lazy;
const ${name} = {test: (text) => (${name}Lazy ??= new RegExp(${JSON.stringify(source)}, '${flags}')).test(text)};`;
}
