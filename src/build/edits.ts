/** Changes to one file of a package, each to text that is in it exactly once. */
export interface Edit {
  readonly file: RegExp;
  readonly changes: readonly (readonly [from: string, to: string])[];
}

/** A pattern of `t` and `e` that is made when somebody asks for more than its source. */
const latePatternOf = `((made) => new Proxy({}, {
  get: (_, name) => {
    if (name === 'source') return t;
    made ??= new RegExp(t, e);
    const value = made[name];
    return typeof value === 'function' ? value.bind(made) : value;
  },
  set: (_, name, value) => {
    made ??= new RegExp(t, e);
    made[name] = value;
    return true;
  },
}))(undefined)`;

export const edits: readonly Edit[] = [
  {
    // A data: URL goes through the whole of `fetch`, 40 ms to load; without one the loader decodes it by itself.
    file: /[\\/]yoga-layout[\\/]dist[\\/]binaries[\\/]yoga-wasm-base64-esm\.js$/,
    changes: [['var loadYoga = (() => {', 'var loadYoga = (() => {\n  var fetch;']],
  },
  {
    // The set of all emoji is 20 ms of compiling, and text in Latin script never asks.
    file: /node_modules[\\/]string-width[\\/]index\.js$/,
    changes: [
      ['const segmenter = new Intl.Segmenter();', lateSegmenter('')],
      ['const rgiEmojiRegex = /^\\p{RGI_Emoji}$/v;', latePattern('rgiEmojiRegex', '^\\p{RGI_Emoji}$', 'v')],
    ],
  },
  {
    // Its rules for what stands within a line are patterns of all punctuation, 10 ms to make; ours are others.
    file: /node_modules[\\/]marked[\\/]lib[\\/]marked\.esm\.js$/,
    changes: [
      ['getRegex:()=>new RegExp(t,e)', `getRegex:()=>e.includes("u")?${latePatternOf}:new RegExp(t,e)`],
    ],
  },
  {
    file: /[\\/]@alcalzone[\\/]ansi-tokenize[\\/]build[\\/]tokenize\.js$/,
    changes: [
      [
        'const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });',
        lateSegmenter('undefined, {granularity: "grapheme"}'),
      ],
    ],
  },
  {
    file: /node_modules[\\/]wrap-ansi[\\/]index\.js$/,
    changes: [['const segmenter = new Intl.Segmenter();', lateSegmenter('')]],
  },
  {
    file: /[\\/]slice-ansi[\\/]tokenize-ansi\.js$/,
    changes: [
      [
        "const GRAPHEME_SEGMENTER = new Intl.Segmenter(undefined, {granularity: 'grapheme'});",
        lateSegmenter("undefined, {granularity: 'grapheme'}", 'GRAPHEME_SEGMENTER'),
      ],
    ],
  },
];

/** Made when it is first used: a segmenter takes 20 ms to load its tables. */
function lateSegmenter(options: string, name = 'segmenter'): string {
  return `let made;
const ${name} = {segment: (text) => (made ??= new Intl.Segmenter(${options})).segment(text)};`;
}

function latePattern(name: string, source: string, flags: string): string {
  return `let ${name}Made;
const ${name} = {test: (text) => (${name}Made ??= new RegExp(${JSON.stringify(source)}, '${flags}')).test(text)};`;
}
