import {appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {request} from 'node:http';
import {join} from 'node:path';
import {type DefaultTreeAdapterTypes, parse} from 'parse5';
import {expect, test} from 'vitest';
import {uploadFileName} from '#cli/export/save-files.ts';
import {changingProxy, httpServer} from '#test/api/client.ts';
import {verbFixture} from '#test/cli/verbs/verb-fixture.ts';
import type {Reply} from '#test/support/api-client.ts';
import {exportFixture} from './export-fixture.ts';

const png = Uint8Array.from(
  Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
);

test('export: html has a page for each conversation with files, reactions, votes, versions and links between messages', async () => {
  const {server, meg, otto, say, upload, run, pages, read, home} = await exportFixture();
  const url = await upload('my plan ☂.png', png);
  const first = await say(`Look [plan](${url})`);
  await server.as(meg).post(`/messages/${first}/reactions`, {emoji_name: 'tada'});
  const lunchLink = `${server.url}/#narrow/channel/1-general/topic/lunch`;
  await say(`see ${lunchLink}/near/${first} or ${lunchLink}/with/${first}`, 'other');
  await say('and #**general>lunch**', 'other');
  const poll = await say('/poll Cake?\nYes\nNo');
  const vote = {message_id: poll, msg_type: 'widget', content: '{"type":"vote","key":"canned,0","vote":1}'};
  await server.as(meg).post('/submessage', vote);
  const edited = await say('before it');
  await server.as(otto).patch(`/messages/${edited}`, {content: 'after it'});
  const {code, err, out} = await run('export', ['#general', 'out']);
  expect([code, err]).toEqual([0, '']);
  expect(out).toBe(`Saved 5 messages and 1 file: ${join(home, 'out', 'index.html')}\n`);
  const lunch = pages('html', 'general-lunch');
  const [file = ''] = readdirSync(join(home, 'out', 'files'));
  expect(file).toMatch(/^my-plan-[0-9a-f]{10}\.png$/);
  expect(readFileSync(join(home, 'out', 'files', file))).toEqual(Buffer.from(png));
  expect(lunch).toContain(`<img src="../files/${file}"`);
  expect(lunch).toContain('🎉 <bdi>Meg Moon</bdi>');
  expect(lunch).toContain('<li>Yes: 1 vote (Meg Moon)</li><li>No: 0 votes</li>');
  expect(lunch).toMatch(/after it[\s\S]*1 earlier version[\s\S]*before it/);
  expect(lunch).toMatch(/<time datetime="\d{4}-[^"]+Z">\d{4}-\d\d-\d\d \d\d:\d\d [+-]\d\d:\d\d<\/time>/);
  const toFirst = new RegExp(`<a href="general-lunch-[0-9a-f]{10}\\.html#m${first}"`, 'g');
  expect(pages('html', 'general-other').match(toFirst)).toHaveLength(3);
  expect(pages('html', 'general-other')).toMatch(
    /<a href="general-lunch-[0-9a-f]{10}\.html(?:#m\d+)?"[^>]*>#general &gt; lunch/,
  );
  expect(read('out', 'index.html').match(/<li>/g)).toHaveLength(2);
});

test('export: md has the source below a heading for each message; jsonl has what read --json prints and more', async () => {
  const {server, meg, say, upload, run, pages, messages, home} = await exportFixture();
  const url = await upload('notes.txt', Buffer.from('hello'));
  const id = await say(`**Bold** [notes](${url})`);
  await say('/todo Party\nBake');
  await server.as(meg).post(`/messages/${id}/reactions`, {emoji_name: 'tada'});
  expect(await run('export', ['#general>lunch', 'out', '--format', 'md'])).toMatchObject({code: 0, err: ''});
  const [file] = readdirSync(join(home, 'out', 'files'));
  const text = pages('md');
  expect(text).toMatch(/^# #general › lunch\n\n<a id="m\d+"><\/a>\n\n## \d{4}-\d\d-\d\d \d\d:\d\d \S+ Otto Other\n/);
  expect(text).toContain(`**Bold** [notes](../files/${file})\n\nReactions: 🎉 Meg Moon\n`);
  expect(text).toContain('- [ ] Bake');
  // Another format of the same folder is written from what was saved.
  const jsonl = await run('export', ['#general>lunch', 'out', '--format', 'jsonl', '--json']);
  expect(JSON.parse(jsonl.out)).toMatchObject({messages: 2, added: 0, start: join(home, 'out', 'messages.jsonl')});
  const printed = JSON.parse((await run('read', ['#general>lunch', '--json', '-n', '2'])).out.split('\n')[0] ?? '');
  const {reactions, ...rest} = printed;
  expect(messages()[0]).toMatchObject({...rest, html: expect.stringContaining('<strong>Bold</strong>')});
  expect(messages()[0]?.reactions).toEqual([{...reactions[0], userName: 'Meg Moon'}]);
  expect(messages()[0]?.files).toEqual([{path: url, name: 'notes.txt', file, problem: null}]);
});

test('export: a later run adds new messages, and what an interrupted run left behind is cut off', async () => {
  const {say, run, messages, pages, home} = await exportFixture();
  await say('one');
  await run('export', ['#general', 'out']);
  // A run that was killed while it saved a page.
  appendFileSync(join(home, 'out', 'messages.jsonl'), '{"id":99,"half":');
  await say('two');
  const {out} = await run('export', ['#general', 'out']);
  expect(out).toContain('Saved 1 new message and 0 files');
  expect(messages().map(({content}) => content)).toEqual(['one', 'two']);
  expect(pages('html').match(/<article /g)).toHaveLength(2);
  expect((await run('export', ['#general', 'out'])).out).toContain('Saved 0 new messages');
});

test('export: what is unread stays unread, and a message that is edited, moved or deleted later stays as it was saved', async () => {
  const {server, otto, meg, say, run, messages, pages} = await exportFixture();
  const [edited, moved, deleted] = [await say('first text'), await say('second'), await say('third')];
  expect(await run('export', ['#general', 'out'])).toMatchObject({code: 0});
  const flags = await server.as(meg).get('/messages', {anchor: 'newest', num_before: 10, num_after: 0});
  expect(flags.messages.map((message: Reply) => message.flags)).toEqual([[], [], []]);
  await server.as(otto).patch(`/messages/${edited}`, {content: 'another text'});
  await server.as(otto).patch(`/messages/${moved}`, {topic: 'elsewhere', propagate_mode: 'change_one'});
  await server.as(otto).delete(`/messages/${deleted}`);
  const before = messages();
  await say('fourth');
  expect(await run('export', ['#general', 'out'])).toMatchObject({code: 0});
  expect(messages().slice(0, 3)).toEqual(before);
  expect(messages().at(-1)).toMatchObject({content: 'fourth'});
  for (const text of ['first text', 'second', 'third', 'fourth'])
    expect(pages('html', 'general-lunch')).toContain(text);
  expect(pages('html')).not.toContain('another text');
});

test('export: a lost connection keeps the complete pages, and the same command continues', async () => {
  const {server, otto, hook, flood, say, run, messages} = await exportFixture();
  flood(510);
  const edited = await say('old');
  await server.as(otto).patch(`/messages/${edited}`, {content: 'new'});
  await hook('fault', {path: `/messages/${edited}/history`, kind: 'drop_before', times: 1});
  expect(await run('export', ['#general', 'out'])).toMatchObject({code: 4, out: ''});
  expect(messages()).toHaveLength(500);
  await hook('fault', {path: '/messages', kind: 'rate_limit', retry_after: 0.01, times: 1});
  const {code, out, err} = await run('export', ['#general', 'out']);
  expect([code, err]).toEqual([0, expect.stringContaining('wait')]);
  expect(out).toContain('Saved 11 new messages');
  const ids = messages().map(({id}) => id);
  expect(ids).toEqual(ids.toSorted((a, b) => a - b));
  expect(new Set(ids).size).toBe(511);
  expect(
    messages()
      .at(-1)
      ?.history?.map(({content}) => content),
  ).toEqual(['old', 'new']);
});

test('export: a folder with something else, of another export, or that another process writes to, is refused and not changed', async () => {
  const {server, otto, say, run, home} = await exportFixture();
  await say('one');
  mkdirSync(join(home, 'mine'));
  writeFileSync(join(home, 'mine', 'a.txt'), 'mine');
  expect(await run('export', ['#general', 'mine'])).toMatchObject({code: 1, err: expect.stringContaining('not empty')});
  expect(readdirSync(join(home, 'mine'))).toEqual(['a.txt']);
  await run('export', ['#general>lunch', 'out']);
  const other = await run('export', ['#general', 'out']);
  expect(other).toMatchObject({code: 1, err: expect.stringContaining('other conversations')});
  writeFileSync(join(home, 'out', 'parley-export.lock'), String(process.ppid));
  const busy = await run('export', ['#general>lunch', 'out']);
  expect(busy).toMatchObject({code: 1, err: expect.stringContaining('Another export writes to ')});
  // The process that had this number has ended.
  writeFileSync(join(home, 'out', 'parley-export.lock'), String(2 ** 30));
  expect(await run('export', ['#general>lunch', 'out'])).toMatchObject({code: 0});
  expect(readdirSync(join(home, 'out'))).not.toContain('parley-export.lock');
  const asOtto = await verbFixture(server, otto).run('export', ['#general>lunch', join(home, 'out')]);
  expect(asOtto).toMatchObject({code: 1, err: expect.stringContaining('has an export of another account')});
  const saved = readFileSync(join(home, 'out', 'messages.jsonl'));
  writeFileSync(join(home, 'out', 'messages.jsonl'), saved.subarray(1));
  const damaged = await run('export', ['#general>lunch', 'out']);
  expect(damaged).toMatchObject({code: 1, err: expect.stringContaining('is damaged: messages are missing')});
  expect(await run('export', ['out'])).toMatchObject({code: 2});
  expect(await run('export', ['#general', '--all', 'out'])).toMatchObject({code: 2});
  expect(await run('export', ['#general', 'zuliprc'])).toMatchObject({code: 1, out: ''});
});

test('export: files that are too large or that a browser would run are not saved as they are', async () => {
  const {server, say, upload, run, pages, messages, home} = await exportFixture();
  const page = await upload('evil.html', Buffer.from('<script>alert(1)</script>'));
  const large = await upload('large.bin', new Uint8Array(1024 * 1024 + 1));
  await say(`[page](${page}) [large](${server.url}${large}) [gone](/user_uploads/1/aa/bbbbbbbbbbbbbbbbbbbb/gone.txt)`);
  const {code, err} = await run('export', ['--all', 'out', '--max-file', '1']);
  expect([code, err]).toEqual([0, '2 files could not be saved. The messages say why.\n']);
  expect(readdirSync(join(home, 'out', 'files'))).toEqual([expect.stringMatching(/^evil-[0-9a-f]{10}\.html\.txt$/)]);
  expect(messages()[0]?.files.map(({problem}) => problem)).toEqual([
    null,
    'it has 1 MB, and the limit is 1 MB',
    'the server no longer has it, or you may not see it',
  ]);
  expect(pages('html')).toContain('large.bin was not saved');
});

test('export: what is done, who is muted and the file of an earlier version are in it, and a file of exactly the limit', async () => {
  const {server, meg, otto, say, upload, run, messages, pages, home} = await exportFixture();
  const todo = await say('/todo Party\nBake\nEat');
  const done = {message_id: todo, msg_type: 'widget', content: '{"type":"strike","key":"0,canned"}'};
  await server.as(meg).post('/submessage', done);
  await say(`[full](${await upload('full.csv', new Uint8Array(1024 * 1024))})`);
  const edited = await say(`[old](${await upload('old.txt', Buffer.from('old'))})`);
  // Then only its owner may read the file.
  await server.as(otto).patch(`/messages/${edited}`, {content: 'without the file'});
  await server.as(otto).post(`/messages/${edited}/reactions`, {emoji_name: 'tada'});
  await server.as(meg).post(`/users/me/muted_users/${otto.id}`);
  const {err} = await run('export', ['#general', 'out', '--format', 'md', '--max-file', '1']);
  expect(err).toBe('1 file could not be saved. The messages say why.\n');
  expect(readdirSync(join(home, 'out', 'files'))).toEqual([expect.stringMatching(/^full-[0-9a-f]{10}\.csv$/)]);
  expect(pages('md')).toContain('- [x] Bake\n- [ ] Eat');
  expect(messages()[2]).toMatchObject({
    reactions: [{userName: 'Otto Other'}],
    files: [{name: 'old.txt', file: null, problem: 'the server no longer has it, or you may not see it'}],
  });
});

test('export: a file that the server keeps on another host is saved only with the setting, and without the API key', async () => {
  const {server, meg, say, upload} = await exportFixture();
  await say(`[notes](${await upload('notes.txt', Buffer.from('hello'))})`);
  const keys: unknown[] = [];
  const other = await httpServer((incoming, response) => {
    keys.push(incoming.headers.authorization);
    response.end('from the other host');
  });
  const front = await httpServer((incoming, response) => {
    const {url = '', method, headers} = incoming;
    if (url.startsWith('/user_uploads/')) response.writeHead(302, {location: `${other}/bucket`}).end();
    else {
      const forwarded = request(`${server.url}${url}`, {method, headers}, (answer) =>
        answer.pipe(response.writeHead(answer.statusCode ?? 502, answer.headers)),
      );
      incoming.pipe(forwarded);
    }
  });
  const exported = async (env: Readonly<Record<string, string>>) => {
    const {run, home} = verbFixture({url: front}, meg);
    expect(await run('export', ['#general>lunch', 'out', '--format', 'jsonl'], {env})).toMatchObject({code: 0});
    const {files} = JSON.parse(readFileSync(join(home, 'out', 'messages.jsonl'), 'utf8').split('\n')[0] ?? '');
    return files[0];
  };
  expect(await exported({})).toMatchObject({
    file: null,
    problem: 'the server keeps it on another host, which the setting files_from_other_hosts allows',
  });
  expect(keys).toEqual([]);
  expect(await exported({PARLEY_FILES_FROM_OTHER_HOSTS: 'true'})).toMatchObject({problem: null});
  expect(keys).toEqual([undefined]);
});

test('export: that the server withholds older messages is said, and a page that is too large is fetched in parts', async () => {
  const {server, meg, say} = await exportFixture();
  await say('one');
  const sizes: string[] = [];
  const change = (answer: string) => answer.replace('"history_limited":false', '"history_limited":true');
  const front = await changingProxy(server.url, change, ({url = ''}, response) => {
    const [, size] = /num_after=(\d+)/.exec(url) ?? [];
    if (size !== undefined) sizes.push(size);
    // Only announced: it is refused at once.
    if (size === '500') response.writeHead(200, {'content-length': 17 * 1024 * 1024}).flushHeaders();
  });
  expect(await verbFixture({url: front}, meg).run('export', ['#general', 'out'])).toMatchObject({
    code: 0,
    out: expect.stringContaining('Saved 1 message'),
    err: 'The server does not show older messages to this organization.\n',
  });
  expect(new Set(sizes)).toEqual(new Set(['500', '50']));
});

test('export: a file whose download broke leaves nothing, and the same command saves it', async () => {
  const {server, meg, say, upload} = await exportFixture();
  await say(`[notes](${await upload('notes.txt', Buffer.from('hello'))})`);
  let isBroken = true;
  const front = await changingProxy(
    server.url,
    (answer) => answer,
    ({url = ''}, response) => {
      if (!url.startsWith('/user_uploads/')) return;
      response.writeHead(200, {'content-length': 5}).write('hel');
      if (isBroken) setImmediate(() => response.destroy());
      else response.end('lo');
    },
  );
  const {run, home} = verbFixture({url: front}, meg);
  const files = () => readdirSync(join(home, 'out', 'files'));
  expect(await run('export', ['#general', 'out'])).toMatchObject({code: 4, out: ''});
  expect(files()).toEqual([]);
  isBroken = false;
  expect(await run('export', ['#general', 'out'])).toMatchObject({code: 0, err: ''});
  expect(files().map((name) => readFileSync(join(home, 'out', 'files', name), 'utf8'))).toEqual(['hello']);
});

test('export: names of pages are safe on every file system and differ for topics that look alike', async () => {
  const {say, run, home} = await exportFixture();
  const topics = ['a/b', 'a\\b', 'A:B', '..', 'CON', '日本語', 'x'.repeat(60)];
  for (const topic of topics) await say('hi', topic);
  await run('export', ['#general', 'out']);
  const names = readdirSync(join(home, 'out', 'html'));
  expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(topics.length);
  for (const name of names) expect(name).toMatch(/^[\p{L}\p{N}-]+-[0-9a-f]{10}\.html$/u);
  // Servers refuse direction marks in topics, but not in names of files.
  expect(uploadFileName('/a', '../\u202egpj\u001b[1m.exe')).toMatch(/^gpj-1m-[0-9a-f]{10}\.exe\.txt$/);
});

/** Names of files in which a browser runs scripts, or looks for HTML because it does not know the ending. */
const unsafeNames = [
  ...[
    'page.html',
    'PAGE.HTML',
    'a.htm',
    'a.xhtml',
    'a.xht',
    'a.shtml',
    'a.ehtml',
    'a.mhtml',
    'a.mht',
    'a.svg',
    'a.svgz',
  ],
  ...[
    'a.xml',
    'a.xsl',
    'a.xslt',
    'a.xsd',
    'a.xbl',
    'a.rdf',
    'a.rss',
    'a.atom',
    'a.mml',
    'a.hta',
    'a.js',
    'a.eml',
    'a.wsf',
  ],
  ...[
    'README',
    'a.',
    '.html',
    'a.html.',
    'a.html ',
    'a.html. .',
    'a.txt.html',
    'a.png.svg',
    'a.html\u0000',
    'a.png\u0000.html',
  ],
  ...[
    'a․html',
    'a。html',
    'a.ｈｔｍｌ',
    'a.png\u200b',
    'a.unknown',
    'a.7z',
    'a.a-very-long-ending',
    'a.png;.html',
    'a.png/.html',
  ],
];

test.each(unsafeNames)('export: an uploaded file %j is saved as text', (name) => {
  expect(uploadFileName('/a', name)).toMatch(/^(?:[^./\\]+\.)(?:[A-Za-z0-9]{1,10}\.)?txt$/);
});

test.each([
  'a.png',
  'a.JPG',
  'a.html.png',
  'a.mp4',
  'a.mov',
  'a.mp3',
  'a.pdf',
  'a.txt',
  'a.csv',
  'a.zip',
  'a.tar.gz',
  'a.docx',
])('export: an uploaded file %j keeps its ending, and has only one', (name) => {
  expect(uploadFileName('/a', name)).toMatch(new RegExp(`^[^.]+\\.${name.split('.').at(-1)}$`));
});

test('export: hostile renderings, names and topics run nothing and load nothing', async () => {
  const {server, otto, hook, say, run, pages, read} = await exportFixture();
  await server.as(server.people.owner()).patch(`/users/${otto.id}`, {full_name: 'Otto & Co'});
  const id = await say('x', '</title><script>alert(1)</script>');
  await hook('rendering', {
    message_id: id,
    html: '<img src=x onerror=alert(1)><iframe src="//x"></iframe></main></body><svg onload=a()><p style="a" onclick=b>kept',
  });
  await server.as(otto).post(`/messages/${id}/reactions`, {emoji_name: 'tada'});
  await run('export', ['#general', 'out']);
  for (const html of [read('out', 'index.html'), pages('html')]) {
    const names = new Map<string, number>();
    const visit = (node: DefaultTreeAdapterTypes.ParentNode) => {
      for (const child of node.childNodes) {
        if (!('tagName' in child)) continue;
        names.set(child.tagName, (names.get(child.tagName) ?? 0) + 1);
        for (const {name} of child.attrs) expect(name).not.toMatch(/^on|^style$/);
        visit(child);
      }
    };
    visit(parse(html));
    expect([...names.keys()].filter((name) => /^(?:script|iframe|svg|img|link|base|i)$/.test(name))).toEqual([]);
    expect(names.get('style')).toBe(1);
    expect(html).toMatch(/http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-/);
  }
  expect(pages('html')).toContain('Otto &amp; Co');
});

test('export: a long conversation is split into pages that link to each other', async () => {
  const {flood, run, home, read} = await exportFixture();
  flood(1100);
  expect((await run('export', ['#general', 'out'])).out).toContain('Saved 1100 messages');
  const names = readdirSync(join(home, 'out', 'html')).toSorted();
  const page = (ending: string) => read('out', 'html', names.find((name) => name.endsWith(ending)) ?? '');
  expect(names).toHaveLength(2);
  expect(page('-2.html').match(/<article /g)).toHaveLength(100);
  expect(page('-2.html')).toContain(`<a href="${names[1]}">Earlier messages</a>`);
  for (const name of names) {
    expect(read('out', 'html', name)).toMatch(
      /<h2 class="day">[^<]*<\/h2>\s*<article [\s\S]*<\/main>[\s\S]*<\/html>\s*$/,
    );
  }
});
