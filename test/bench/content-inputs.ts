/** Inputs of the content benchmark: common, long and hostile messages. */

export const size = 10_000;

export function filled(piece: string, length = size): string {
  return piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
}

type NamedSource = readonly [name: string, source: string];

export const everyday: readonly NamedSource[] = [
  ['short text', 'Sounds good, see you at the standup'],
  ['three lines of text', 'I think that is fine, we can ship it today if the build passes. '.repeat(3)],
  ['mention line', 'Hey @**Iago** could you look at #**general>deploys** and `npm test`? :tada:'],
  ['link line', 'See https://example.com/a/b?c=d and [the docs](https://docs.example.com) **soon**'],
  ['linkified line', 'That is #1234, which came back with #1250 after the release'],
  ['Japanese', 'これは日本語のメッセージです。今日の会議は三時からですが、出席できますか。よろしくお願いします。'],
  ['emoji', 'nice 👍🏽 🎉 :thumbs_up: 👩‍💻 🇩🇪'],
  ['code', `\`\`\`ts\n${'export function f(x: number): number { return x + 1; }\n'.repeat(12)}\`\`\``],
  [
    'table',
    '| name | what it does | n |\n|---|:-:|--:|\n| one | a **bold** thing that is long enough to wrap somewhere | 2 |\n| three | `4` | 5 |',
  ],
  [
    'list',
    'Plan:\n* one\n* two, which is a little longer than the others and so must be wrapped somewhere\n  * nested\n* three',
  ],
  ['quote', '@_**Iago|5** said:\n```quote\nlet us *go*\n\nnow\n```\nYes'],
  ['formula', 'so $$x^2 + \\frac{a}{b}$$ it is'],
  ['time', 'at <time:2026-05-12T14:30> then'],
];

export const long: readonly NamedSource[] = [
  ['prose', filled('It was a dark and stormy night, and the rain fell in torrents. ')],
  [
    'paragraphs',
    filled('It was a dark and stormy night.\n\nThe rain fell in **torrents**, see https://example.com/rain.\n\n'),
  ],
  ['code', `\`\`\`py\n${filled('    return [x for x in range(10) if x % 2]\n')}\n\`\`\``],
  ['table', `| a | b | c |\n|---|---|---|\n${filled('| one | two words | three more words |\n')}`],
  ['list', filled('* an item of the list\n  * and one below it\n')],
  ['Japanese', filled('これは日本語のメッセージです。')],
  ['emoji', filled('👩‍💻👍🏽🇩🇪')],
  ['combining', filled('e\u0301o\u0308')],
  ['Devanagari', filled('क्षत्रिय नमस्ते ')],
];

/** Single constructs that are repeated or never closed. */
const pieces = (
  '> |> > |* a\n|  * a\n|1. a\n|[a](|[a](b)|`|`a``b|*|**|*a|**a**|~~|```quote\n|```spoiler x\n|@**|#**|:|:a:|:smile:|$$|$$a$$ |' +
  '<time:|&|&#27;|http://|http://a.b/(|a.com |a@b.co |#1 |\\|a|a\\|b\n-\\|-\n|\n|\n\n|    a\n| |\t|-|/|é|日|「|👍|👨‍👩‍👧‍👦|🇩|\u0301|\u1100|क्|\u200d|\u200b|\u202e|\u001b[31m|\u3000|\u{e0041}|---\n|# \n'
)
  .split(/(?<!\\)\|/)
  .map((piece) => piece.replaceAll('\\|', '|'));

const half = (piece: string, length: number): string => filled(piece, Math.floor(length / 2));

/** Messages that a search for the slowest ones found, and variations of them. */
const slowMessages: Readonly<Record<string, (length: number) => string>> = {
  'headings between code': (length) => filled('{\n# @*\n    ', length),
  'rules above a bar': (length) => `${filled('---\n', length - 2)}a|`,
  'a bar above each rule': (length) => filled('|\n---\n:', length),
  'empty fences': (length) => filled('\n```\n', length),
  'quotes in lists in quotes': (length) => filled('\n  * a|b\n```quote\n\\\n> #**', length),
  'items below quotes': (length) => half('```quote\n* -|-\n', length) + half('\n* \n> :', length),
  'linkified paragraphs': (length) => filled('#1 \n\n👍\n* ', length),
  'a table with a long head': (length) => `${half('@**Iago**é', length)}-|-\n${half('-|-\n', length)}`,
  'a table of empty cells': (length) => {
    const names = filled('🇩 word |', Math.floor(length / 10));
    return `|${names}\n${names.replaceAll(/[^|]+/g, '-')}|\n${half('|a|\n', length)}`;
  },
  'cells that are long in turn': (length) => {
    const count = Math.floor(Math.sqrt(length) / 2);
    const row = (_: unknown, i: number): string => `|${'|'.repeat(i)}${'a '.repeat(length / count / 2)}|\n`;
    return `${'|a'.repeat(count)}|\n${'|-'.repeat(count)}|\n${Array.from({length: count}, row).join('')}`;
  },
  'marks in code': (length) => filled('`\u0301', length),
  'a table wider than its rows': (length) => {
    const bars = filled('|', Math.floor(length / 4));
    return `${bars}\n${bars}\n${half('a\n', length)}`;
  },
};

export const hostile: readonly (readonly [name: string, source: (length: number) => string])[] = [
  ...pieces.map((piece) => [JSON.stringify(piece), (length: number) => filled(piece, length)] as const),
  ...Object.entries(slowMessages),
];

/** Common and malicious patterns, each with the text that is hardest for it. */
export const linkifiers: readonly (readonly [pattern: string, piece: string])[] = [
  ['#(?P<id>[0-9]+)', '#1 '],
  ['(?P<id>\\d+)', '12 '],
  ['(?P<key>[A-Z]{2,10}-[0-9]+)', 'ABC-1 '],
  ['(?P<hash>[0-9a-f]{7,40})', 'deadbeef '],
  ['x(?P<rest>.*y)?', 'x '],
  ['(?P<a>[a-z]+)*x', 'aaaa '],
  ['(?P<x>(a+)+)b', 'a'],
  ['(?P<b>.*.*.*)=', 'x'],
  ['(?P<x>[ab]{300}a[ab]*)', 'abbabaab'],
  [`(?P<w>${Array.from({length: 300}, (_, i) => `w${i.toString(36)}z`).join('|')})`, 'w1z w2 w30z '],
];
