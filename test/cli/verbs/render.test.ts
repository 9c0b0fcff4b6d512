import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {runVerb} from '#cli/verbs/run-verb.ts';
import {testIo} from '#test/support/cli-io.ts';

async function render(
  input: string,
  argv: readonly string[] = [],
  world?: unknown,
  more: Parameters<typeof testIo>[0] = {},
) {
  const io = testIo({input, ...more});
  if (world !== undefined)
    writeFileSync(join(io.cwd, 'world.json'), typeof world === 'string' ? world : JSON.stringify(world));
  const code = await runVerb('render', world === undefined ? argv : [...argv, '--world', 'world.json'], io);
  return {code, out: io.out(), err: io.err()};
}

test('render: Markdown is printed as the lines of a message', async () => {
  const {code, out} = await render('**Plan**\n* one [here](https://x.org/1)\n* two\n', ['--width', '16']);
  expect([code, out]).toEqual([0, 'Plan\n• one here [1]\n• two\n[1] https://x.\n    org/1\n']);
});

test('render: --json prints the text of each line and the links', async () => {
  const {out} = await render('see [this](https://x.org) \u001b[31m`a`\n```py\nx = 1\n```', ['--json']);
  expect(JSON.parse(out)).toEqual({
    lines: ['see this [31ma', '  x = 1'],
    links: [{text: 'this', url: 'https://x.org'}],
  });
});

test('render: --json shows spoilers and plain file names', async () => {
  const source =
    '```spoiler Ends\nhere\n```\n[plan.pdf](/user_uploads/1/plan.pdf) ![](/user_uploads/1/ab/kT9sPq3xW_mE7uYb/cat.png)';
  expect(JSON.parse((await render(source, ['--json'])).out)).toEqual({
    lines: ['  Ends', '  here', 'plan.pdf cat.png'],
    links: [
      {text: 'plan.pdf', url: '/user_uploads/1/plan.pdf'},
      {text: 'cat.png', url: '/user_uploads/1/ab/kT9sPq3xW_mE7uYb/cat.png'},
    ],
  });
  expect((await render(source)).out).toBe('▸ Ends (spoiler, 1 line)\n[file: plan.pdf] [1] [image: cat.png] [2]\n');
});

test('render: --world defines users, channels and settings', async () => {
  const world = {
    realm_url: 'https://chat.example.com/',
    users: [
      {id: 6, full_name: 'Zoe'},
      {id: 7, full_name: 'Zoe'},
      {user_id: 8, full_name: 'Old', is_active: false},
    ],
    groups: [{id: 1, name: 'devs', members: [7]}],
    channels: [{id: 3, name: 'general'}],
    linkifiers: [{pattern: '#(?P<id>[0-9]+)', url_template: 'https://t.example.com/{id}'}],
    custom_emoji: [{id: '1', name: 'party', source_url: '/e.png'}],
    self: 7,
    sender: 'Ann',
    time_zone: 'Asia/Tokyo',
    translate_emoticons: true,
  };
  const source =
    '/me @**zoe** @*devs* #**general>x** #12 :party: :) <time:2020-01-01T00:00Z> https://chat.example.com/#narrow/is/dm';
  const {out} = await render(source, ['--json'], world);
  expect(JSON.parse(out)).toEqual({
    lines: ['Ann @Zoe @devs #general > x #12 :party: 🙂 Wed 1 Jan 2020, 09:00 https://chat.example.com/#narrow/is/dm'],
    links: [
      {text: '#general > x', url: '/#narrow/channel/3-general/topic/x'},
      {text: '#12', url: 'https://t.example.com/12'},
      {text: 'https://chat.example.com/#narrow/is/dm', url: '#narrow/is/dm'},
    ],
  });
});

test('render: colours only for terminals, or on request', async () => {
  expect((await render('`x`')).out).toBe('x\n');
  expect((await render('`x`', ['--color', '16'])).out).toBe('\u001b[36mx\u001b[39m\n');
  const terminal = {outputIsTty: true, columns: 30, env: {TERM: 'xterm-256color'}};
  expect((await render('`x`', [], undefined, terminal)).out).toBe('\u001b[36mx\u001b[39m\n');
  expect((await render('`x`', [], undefined, {...terminal, env: {...terminal.env, NO_COLOR: '1'}})).out).toBe(
    '\u001b[1mx\u001b[22m\n',
  );
  expect((await render('```js\nlet x\n```', ['--color', '16'])).out).toContain('\u001b[35mlet\u001b[39m');
});

test('render: empty input prints nothing', async () => {
  expect(await render('')).toEqual({code: 0, out: '', err: ''});
  expect(JSON.parse((await render('', ['--json'])).out)).toEqual({lines: [], links: []});
});

test.each([
  ['{oops', / is not JSON\.\n$/],
  ['[1]', / does not contain a JSON object\.\n$/],
  ['{"users": 7}', /^“users” in .* is not a list\.\n$/],
])('render: a world of %s is refused with one sentence', async (world, sentence) => {
  const {code, out, err} = await render('x', [], world);
  expect([code, out]).toEqual([1, '']);
  expect(err).toMatch(sentence);
});

test('render: an incomplete world is used as far as possible', async () => {
  const world = {
    users: [null, 7, {}, {id: 'x', full_name: 3}],
    linkifiers: [{pattern: '(', url_template: 'x'}, {}],
    emoji: [{}],
  };
  expect((await render('@**Zoe**', [], world)).out).toBe('@Zoe\n');
});

test('render: lines fit every width from 1 to 300', async () => {
  const source = readFileSync(new URL('../../fixtures/markdown/cases.json', import.meta.url), 'utf8').slice(0, 600);
  for (const width of [1, 2, 3, 7, 40, 300]) {
    const {out} = await render(source, ['--width', String(width)]);
    const widest = Math.max(...out.split('\n').map((line) => Array.from(line).length));
    expect(widest).toBeLessThanOrEqual(width);
  }
});
