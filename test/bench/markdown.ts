/** Measures the server's Markdown rendering of common and hostile messages, in microseconds. */
import {compileLinkifier} from '#content/linkifier.ts';
import type {HtmlRenderContext} from '#server/markdown/inline-html.ts';
import {renderMarkdown} from '#server/markdown/render.ts';

const linkifier = compileLinkifier({pattern: '#(?P<id>[0-9]+)', urlTemplate: 'https://example.com/{id}'});
const context: HtmlRenderContext = {
  realmUrl: 'https://chat.example.com',
  userByName: (name) => (name === 'Iago' ? {id: 5, fullName: 'Iago', isActive: true} : undefined),
  channelByName: (name) => (name === 'general' ? {id: 3} : undefined),
  linkifiers: [],
  previewImages: true,
};
const contextWithLinkifiers: HtmlRenderContext = {
  ...context,
  linkifiers: linkifier === undefined ? [] : [linkifier],
};
const size = 10_000;
const fill = (piece: string): string => piece.repeat(Math.ceil(size / piece.length)).slice(0, size);

const everyday: [string, string, HtmlRenderContext][] = [
  ['short text', 'Sounds good, see you at the standup', context],
  ['short text, linkifiers', 'Sounds good, see you at the standup', contextWithLinkifiers],
  ['sentence', "I think that's fine. Let's ship it today! (If CI passes.)", context],
  ['mention line', 'Hey @**Iago** could you look at #**general>deploys** and `npm test`? :tada:', context],
  ['mention line, linkifiers', 'Hey @**Iago** could you look at #1234 and `npm test`? :tada:', contextWithLinkifiers],
  ['link line', 'See https://example.com/a/b?c=d and [the docs](https://docs.example.com) **soon**', context],
  ['code', '```ts\nexport function f(x: number): number {\n  return x + 1;\n}\n```', context],
  ['table', '| a | b |\n|---|:-:|\n| 1 | **2** |\n| 3 | `4` |\n| 5 | 6 |', context],
  ['list', 'Plan:\n* one\n* two\n  * nested\n  * more\n* three', context],
  ['quote', '@_**Iago|5** said:\n```quote\nlet us *go*\n\nnow\n```\nYes', context],
  ['emoji', 'nice 👍🏽 🎉 :thumbs_up:', context],
  ['math', 'so $$x^2 + y^2$$ it is', context],
];

const pieces = (
  '> |* a\n|  * a\n|- \n|1. a\n|[|[a](|![a](|](|`|`a``b|*|**|***|* |*a|**a**|~~|~|~~~\n|```quote\n|```spoiler x\n|@**|@**a|@*|' +
  '#**|#**a>b|:|:a|:a:|:smile:|$$|$$a|\\$|<time:|<time:>|&|&a|http://|http://a/(|http://a.b/|a.com|a.b.|a@|a@b.|' +
  'a:|\'|"|(|)|#|# \n|# a\n|#### |---\n|- - -\n|_|_ |\\|a|\n|\n\n|    a\n| |\t|é|éa.|日|👍|1️⃣|🧑🏽‍🛴|> > |>> a\n|\\|-|a\\|b\n-\\|-\n|a'
)
  .split(/(?<!\\)\|/)
  .map((piece) => piece.replaceAll('\\|', '|'));

/** Returns the best time of several rounds, which excludes other load on the machine. */
function microseconds(source: string, renderContext: HtmlRenderContext, runs: number): number {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 8; round++) {
    const start = performance.now();
    for (let i = 0; i < runs; i++) renderMarkdown(source, renderContext);
    best = Math.min(best, ((performance.now() - start) * 1000) / runs);
  }
  return best;
}

for (const [name, source, renderContext] of everyday) {
  const runs = name === 'math' ? 500 : 5_000;
  console.log(`${name.padEnd(28)} ${microseconds(source, renderContext, runs).toFixed(1).padStart(9)} µs`);
}
console.log(`\n${size} characters of`);
// Long runs with text after them, which are slow for patterns that trim the end.
const runs = ['a', '.', ' ', '\n', '#', '-', '*', '`', '\\', '|', '(', '@a', '_'].map((piece) => ({
  piece: `x${piece}…x`,
  cost: Math.max(
    ...['x', '```\nx', '# x', '* x'].map((start) => microseconds(`${start}${fill(piece)}x`, contextWithLinkifiers, 1)),
  ),
}));
const hostile = [
  ...runs,
  ...pieces.map((piece) => ({piece, cost: microseconds(fill(piece), contextWithLinkifiers, 2)})),
];
for (const {piece, cost} of hostile.sort((a, b) => b.cost - a.cost)) {
  console.log(`${JSON.stringify(piece).padEnd(28)} ${(cost / 1000).toFixed(2).padStart(9)} ms`);
}
