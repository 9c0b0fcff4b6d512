/** Prints what it costs to turn messages into lines: those people send, long ones, those meant to hurt, and the first. */
import {execFileSync} from 'node:child_process';
import {fileURLToPath} from 'node:url';
import {ansiLine} from '#content/lines/ansi.ts';

import {renderMessage} from '#content/lines/render.ts';
import {world} from '#test/content/lines/world.ts';
import {themes} from '#theme/themes.ts';
import {ms, printTable, summary} from './table.ts';

const width = 80;
const size = 10_000;
const fill = (piece: string): string => piece.repeat(Math.ceil(size / piece.length)).slice(0, size);
const look = themes.default.look('256');

const everyday: readonly (readonly [string, string])[] = [
  ['short text', 'Sounds good, see you at the standup'],
  ['three lines of text', 'I think that is fine, we can ship it today if the build passes. '.repeat(3)],
  ['mention line', 'Hey @**Iago** could you look at #**general>deploys** and `npm test`? :tada:'],
  ['link line', 'See https://example.com/a/b?c=d and [the docs](https://docs.example.com) **soon**'],
  [
    'Japanese',
    'これは日本語のメッセージです。今日の会議は三時からですが、出席できますか。よろしくお願いします。',
  ],
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

const long: readonly (readonly [string, string])[] = [
  ['prose', fill('It was a dark and stormy night, and the rain fell in torrents. ')],
  [
    'paragraphs',
    fill(
      'It was a dark and stormy night.\n\nThe rain fell in **torrents**, see https://example.com/rain.\n\n',
    ),
  ],
  ['code', `\`\`\`py\n${fill('    return [x for x in range(10) if x % 2]\n')}\n\`\`\``],
  ['table', `| a | b | c |\n|---|---|---|\n${fill('| one | two words | three more words |\n')}`],
  ['list', fill('* an item of the list\n  * and one below it\n')],
  ['Japanese', fill('これは日本語のメッセージです。')],
  ['emoji', fill('👩‍💻👍🏽🇩🇪')],
  ['combining', fill('e\u0301o\u0308')],
  ['Devanagari', fill('क्षत्रिय नमस्ते ')],
];

const hostile = (
  '> |> > |* a\n|  * a\n|1. a\n|[a](|[a](b)|`|`a``b|*|**|*a|**a**|~~|```quote\n|```spoiler x\n|@**|#**|:|:a:|:smile:|$$|$$a$$ |' +
  '<time:|&|&#27;|http://|http://a.b/(|a.com |a@b.co |#1 |\\|a|a\\|b\n-\\|-\n|\n|\n\n|    a\n| |\t|-|/|é|日|「|👍|👨‍👩‍👧‍👦|🇩|\u0301|\u1100|क्|\u200d|\u200b|\u202e|\u001b[31m|\u3000|\u{e0041}'
)
  .split(/(?<!\\)\|/)
  .map((piece) => piece.replaceAll('\\|', '|'));

function lines(source: string, columns = width): number {
  const {lines: rendered} = renderMessage({source}, world, {width: columns, expanded: true});
  let length = 0;
  for (const line of rendered) length += ansiLine(line, look).length;
  return length;
}

/** The best of several rounds: what the code costs, not what else the machine was doing. */
function microseconds(source: string, runs: number, columns = width): number {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 6; round++) {
    const start = performance.now();
    for (let i = 0; i < runs; i++) lines(source, columns);
    best = Math.min(best, ((performance.now() - start) * 1000) / runs);
  }
  return best;
}

const micros = (value: number): string => `${value.toFixed(1)} µs`;

if (process.argv[2] === 'cold') {
  const start = performance.now();
  lines(process.argv[3] ?? '');
  console.log(performance.now() - start);
} else {
  const cold = (source: string): string => {
    const runs = Array.from({length: 5}, () =>
      Number(
        execFileSync(process.execPath, [fileURLToPath(import.meta.url), 'cold', source], {encoding: 'utf8'}),
      ),
    );
    return ms(Math.min(...runs));
  };
  printTable(
    'The first message of a process',
    ['message', 'first'],
    everyday.map(([name, source]) => [name, cold(source)]),
  );
  printTable(
    'A message',
    ['message', 'each'],
    everyday.map(([name, source]) => [name, micros(microseconds(source, 2000))]),
  );
  const long80 = long.map(([name, source]) => [
    name,
    micros(microseconds(source, 5)),
    micros(microseconds(source, 5, 20)),
  ]);
  printTable(`${size} characters`, ['of', '80 columns', '20 columns'], long80);
  const worst = hostile
    .map((piece) => ({piece, cost: Math.max(microseconds(fill(piece), 2), microseconds(fill(piece), 2, 7))}))
    .sort((a, b) => b.cost - a.cost);
  printTable(
    `${size} characters of a piece, the slowest`,
    ['piece', 'each'],
    worst.slice(0, 15).map(({piece, cost}) => [JSON.stringify(piece), ms(cost / 1000)]),
  );
  const samples: number[] = [];
  const start = performance.now();
  for (let i = 0; i < 10_000; i++) {
    const from = performance.now();
    lines(`${everyday[i % everyday.length]?.[1] ?? ''} ${i}`);
    samples.push((performance.now() - from) * 1000);
  }
  const {p50, p99, worst: slowest} = summary(samples);
  printTable(
    '10,000 messages',
    ['', 'all', 'p50', 'p99', 'worst'],
    [['each once', ms(performance.now() - start), micros(p50), micros(p99), micros(slowest)]],
  );
}
