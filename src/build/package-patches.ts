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
 * Lists all patches. Ink's two files become the output stage of `src/ui/ink` (`ui-ink:x.ts` is a file there); the other
 * patches delay work that a package does when it is loaded. Every patched package also works without its patches, slower.
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
    // A data: URL loads all of `fetch` (40 ms). Without `fetch` the loader decodes the URL itself.
    packageName: 'yoga-layout',
    file: 'dist/binaries/yoga-wasm-base64-esm.js',
    sha256: '2cfeda49ae87f57bcd4a5fe433940edefc531a69bd0f83e32759fb5837df205c',
    patch: (text) => text.replace('var loadYoga = (() => {', 'var loadYoga = (() => {\n  var fetch;'),
  },
  {
    // The set of all emoji takes 20 ms to compile and is not needed for text in Latin script.
    packageName: 'string-width',
    file: 'index.js',
    sha256: 'abc20775da6b552188b098688ebec671e29f5416d6339d3534bb7b016174003e',
    patch: (text) =>
      text
        .replace('const segmenter = new Intl.Segmenter();', lazySegmenter(''))
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
        lazySegmenter('undefined, {granularity: "grapheme"}'),
      ),
  },
  {
    packageName: 'wrap-ansi',
    file: 'index.js',
    sha256: '0c65e1cad00d994a60eb6755ea7ed1bde4d81d072b0ab83d19a301bf67ca1750',
    patch: (text) => text.replace('const segmenter = new Intl.Segmenter();', lazySegmenter('')),
  },
  {
    packageName: 'slice-ansi',
    file: 'tokenize-ansi.js',
    sha256: '511a1f1cbf61497dd4c1310f72641e4d06f36e83389ff9b50b2c070d87292b85',
    patch: (text) =>
      text.replace(
        "const GRAPHEME_SEGMENTER = new Intl.Segmenter(undefined, {granularity: 'grapheme'});",
        lazySegmenter("undefined, {granularity: 'grapheme'}", 'GRAPHEME_SEGMENTER'),
      ),
  },
];

/**
 * Maps packages that the program imports but never uses to what the bundle contains instead. Ink imports its developer
 * tools when DEV is set, and they are not installed. marked-terminal imports a highlighter and an emoji table (1.3 MB); the
 * manual has neither.
 */
export const unusedPackages: Readonly<Record<string, string>> = {
  'react-devtools-core': 'export default {};',
  'cli-highlight': 'export const highlight = (code) => code;',
  'node-emoji': 'export {};',
};

/** Returns JavaScript for a segmenter that is made on first use: loading its tables takes 20 ms. */
function lazySegmenter(options: string, name = 'segmenter'): string {
  return `let lazy;
const ${name} = {segment: (text) => (lazy ??= new Intl.Segmenter(${options})).segment(text)};`;
}

function lazyPattern(name: string, source: string, flags: string): string {
  return `let ${name}Lazy;
const ${name} = {test: (text) => (${name}Lazy ??= new RegExp(${JSON.stringify(source)}, '${flags}')).test(text)};`;
}
