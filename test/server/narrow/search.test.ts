import fc from 'fast-check';
import {expect, test} from 'vitest';
import {Database} from '#server/db/database.ts';
import {Flag} from '#server/db/rows.ts';
import {SearchTooSlow} from '#server/db/search-text.ts';
import type {ServerOptions} from '#server/server.ts';
import {MessageFixtureWriter, newest, term} from '#test/server/message-fixtures.ts';
import {anyText} from '#test/support/any-text.ts';
import {testServer} from '#test/support/server.ts';
import {fewOrAll} from '#test/support/tier.ts';

async function startFixture(options: ServerOptions = {}) {
  const server = await testServer(options);
  const writer = new MessageFixtureWriter(server.context);
  const meg = server.people.member();
  const otto = server.people.member('Otto Other');
  const general = server.people.channel('general', [meg, otto]);
  const send = (content: string, topic = 'talk') => writer.toChannel(otto, general, topic, {content});
  const search = async (...texts: string[]) => {
    const narrow = texts.map((text) => term('search', text));
    const {messages} = await server.as(meg).get('/messages', {...newest, narrow});
    return messages as {id: number; content: string; match_content: string; match_subject: string}[];
  };
  const finds = async (...texts: string[]) => (await search(...texts)).map(({id}) => id);
  return {server, writer, meg, otto, general, send, search, finds};
}

test('search: all words must occur in content or topic, in any order, form or case', async () => {
  const {send, finds} = await startFixture();
  const both = send('The deployments FAILED again');
  const one = send('it failed');
  const inTopic = send('see above', 'failed deployment');
  expect(await finds('deployment fail')).toEqual([both, inTopic]);
  expect(await finds('failed')).toEqual([both, one, inTopic]);
  expect(await finds('failed', 'deployment')).toEqual([both, inTopic]);
  expect(await finds('failed', 'deployments', 'see')).toEqual([inTopic]);
  expect(await finds('success')).toEqual([]);
});

test('search: a quoted phrase must occur word by word', async () => {
  const {send, finds} = await startFixture();
  const phrase = send('a red car stopped');
  const apart = send('the car was red');
  expect(await finds('red car')).toEqual([phrase, apart]);
  expect(await finds('"red car"')).toEqual([phrase]);
  expect(await finds('"red car" stop')).toEqual([phrase]);
});

test('search: a quoted phrase must occur character by character, in any case', async () => {
  const {send, finds, search} = await startFixture();
  const phrase = send('is the Red Car here');
  const inTopic = send('red and car', 'the red car');
  for (const text of ['red  car', 'red *car*', 'red truck car', 'reds car']) send(text);
  expect(await finds('"red car"')).toEqual([phrase, inTopic]);
  expect(await finds('"ÜBER"')).toEqual([]);
  const umlaut = send('heute über Bord');
  expect(await finds('"ÜBER bord"')).toEqual([umlaut]);
  const [found] = await search('"the red"');
  expect(found?.match_content).toBe('<p>is the <span class="highlight">Red</span> Car here</p>');
});

test.each([
  ['deploy', 'deployment deployments deployed deploying deploys'],
  ['deployments', 'deploy deployment'],
  ['serve', 'served serving server servers'],
  ['play', 'player played'],
  ['generate', 'generated generation'],
  ['happy', 'happiness happier happiest'],
  ['quick', 'quickly quicker quickest'],
  ['try', 'tries tried trying'],
  ['hope', 'hoped hoping hopes'],
  ['stop', 'stopped stopping'],
  ['movie', 'movies'],
])('search: "%s" finds its forms', async (word, forms) => {
  const {send, finds} = await startFixture();
  const ids = forms.split(' ').map((form) => send(`a ${form}, too`));
  expect(await finds(word)).toEqual(ids);
});

test.each([
  ['organ', 'organization organize'],
  ['universe', 'university universal'],
  ['general', 'generate generic'],
  ['app', 'apply applied'],
  ['hop', 'hope hoped'],
  ['plan', 'plane'],
  ['custom', 'customize'],
])('search: "%s" does not find words that only look alike: %s', async (word, others) => {
  const {send, finds} = await startFixture();
  for (const other of others.split(' ')) send(other);
  expect(await finds(word)).toEqual([]);
});

test('search: a word with accents is another word than one without', async () => {
  const {send, finds} = await startFixture();
  const id = send('Ein schönes Café');
  expect(await finds('cafe')).toEqual([]);
  expect(await finds('CAFÉ schönes')).toEqual([id]);
});

test('search: hits are highlighted in content and topic, but not in tags', async () => {
  const {send, search} = await startFixture();
  send('**deploying** <deploy> & deploys "em"', 'deploy <now>');
  const [message] = await search('deploy em');
  const hit = (word: string) => `<span class="highlight">${word}</span>`;
  expect(message?.match_content).toContain(hit('deploying'));
  expect(message?.match_content).toContain(`&lt;${hit('deploy')}&gt;`);
  expect(message?.match_content).toContain(hit('deploys'));
  expect(message?.match_content).toContain(hit('em'));
  expect(message?.match_subject).toBe(`${hit('deploy')} &lt;now&gt;`);
});

test('search: hits in messages that are far apart are highlighted like those in neighbours', async () => {
  const {server, send, search} = await startFixture();
  const texts = ['**deploying** the Café', 'deploys <café>', 'no more'] as const;
  const sendAll = (gap: number) =>
    texts.map((text) => {
      server.context.db.run(`UPDATE sqlite_sequence SET seq = seq + ? WHERE name = 'message'`, gap);
      return send(text, 'deploy <now>');
    });
  const fields = async (ids: readonly number[]) =>
    (await search('deploy café'))
      .filter(({id}) => ids.includes(id))
      .map(({match_content, match_subject}) => ({match_content, match_subject}));
  const close = await fields(sendAll(0));
  expect(close).toHaveLength(2);
  expect(close[0]?.match_content).toContain('<span class="highlight">Café</span>');
  expect(await fields(sendAll(5000))).toEqual(close);
  // The copies of the last search are gone.
  expect(await fields(sendAll(5000))).toEqual(close);
});

test('search: a hit with a hyphen or a slash is highlighted', async () => {
  const {send, search} = await startFixture();
  send('an e-mail input/output a call');
  const hit = (text: string) => `<span class="highlight">${text}</span>`;
  const [message] = await search('e-mail input/output');
  expect(message?.match_content).toBe(`<p>an ${hit('e-mail')} ${hit('input/output')} a call</p>`);
  const [both] = await search('input input/output');
  expect(both?.match_content).toBe(`<p>an e-mail ${hit('input/output')} a call</p>`);
});

test('search: messages of a narrow without a search have no match fields', async () => {
  const {server, meg, send} = await startFixture();
  send('hello');
  const {messages} = await server.as(meg).get('/messages', newest);
  expect(messages[0]).not.toHaveProperty('match_content');
});

test('search: no text of at most 1000 characters is an error', async () => {
  const {send, finds} = await startFixture();
  const id = send('C++ AND "quotes" NEAR (x) * ^ : - place c1');
  for (const text of [
    '"',
    '""',
    '"unbalanced',
    'AND',
    'OR NOT',
    'NEAR(a b, 3)',
    'place:c1',
    '*',
    'c++',
    'a:b',
    '^x',
    '-x',
    '(',
    '\u0000x',
    '{content}: x',
    '👍',
    'x'.repeat(900),
    "'; DROP TABLE message; --",
  ]) {
    await finds(text);
  }
  expect(await finds('c++ and "quotes"')).toEqual([id]);
  expect(await finds('"')).toEqual([]);
  // The conversation of a message is in the index, but a search does not match it.
  expect(await finds('d1')).toEqual([]);
});

test('search: more than 1000 characters are refused', async () => {
  const {server, meg} = await startFixture();
  const refused = (...texts: string[]) => {
    const narrow = texts.map((text) => term('search', text));
    return server.as(meg).refused('GET', '/messages', {...newest, narrow}, {code: 'BAD_NARROW'});
  };
  await refused('x'.repeat(1001));
  await refused('x'.repeat(501), 'x'.repeat(501));
  await refused('tide '.repeat(26), 'high-'.repeat(25));
});

test('search: any text finds nothing or something, and is never an internal error', async () => {
  const {server, meg, send} = await startFixture({rateLimited: false});
  send('a stand-up at nine');
  const text = fc.oneof(anyText(60), fc.string({unit: 'grapheme', maxLength: 60}));
  await fc.assert(
    fc.asyncProperty(text, async (operand) => {
      const narrow = [term('search', operand)];
      const {status} = await server.as(meg).raw('GET', '/messages', {...newest, narrow});
      expect(status).toBeLessThan(500);
    }),
    {numRuns: fewOrAll(15, 200), seed: 20_260_101},
  );
});

test('search: stop words are left out, and alone they find nothing', async () => {
  const {send, finds} = await startFixture();
  const id = send('the boat is in the harbour');
  expect(await finds('a boat there')).toEqual([id]);
  expect(await finds('the')).toEqual([]);
  expect(await finds('"is in the"')).toEqual([]);
  expect(await finds('"the boat"')).toEqual([id]);
});

test('search: a search cannot be negated', async () => {
  const {server, meg, send} = await startFixture();
  const id = send('a boat');
  send('a car');
  const narrow = [{...term('search', 'boat'), negated: true}];
  expect((await server.as(meg).get('/messages', {...newest, narrow})).messages).toMatchObject([{id}]);
});

test.each([
  ['search', 'boat'],
  ['is', 'unread'],
  ['has', 'reaction'],
  ['is', 'starred'],
])('search: %s:%s that takes too long is refused, and the next request is served', async (operator, operand) => {
  const {server, meg, send} = await startFixture({searchBudgetMs: 0});
  const id = send('a boat');
  await server.as(meg).post(`/messages/${id}/reactions`, {emoji_name: 'tada'});
  server.context.db.run('REPLACE INTO user_message VALUES (?, ?, ?)', meg.id, id, Flag.starred | Flag.unread);
  const narrow = [term(operator, operand)];
  for (const [method, path, params] of [
    ['GET', '/messages', newest],
    ['POST', '/messages/flags/narrow', {...newest, op: 'add', flag: 'starred'}],
  ] as const) {
    const reply = await server.as(meg).raw(method, path, {...params, narrow});
    expect(reply).toMatchObject({status: 400, body: {msg: expect.stringContaining('takes too long')}});
  }
  await server.as(meg).get('/users/me');
});

test('search: an endless query ends after its time', () => {
  const db = new Database(':memory:', {searchBudgetMs: 20});
  const endless =
    'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT MAX(i) FROM n WHERE in_time()';
  expect(() => db.transaction(() => db.value(endless))).toThrow(SearchTooSlow);
  expect(db.transaction(() => db.value('SELECT 1 WHERE in_time()'))).toBe(1);
  db.close();
});

test('search: the index is updated by edits, moves and deletions', async () => {
  const {server, send, finds, otto, meg} = await startFixture();
  const id = send('first thoughts');
  const run = (sql: string, ...values: (string | number)[]) =>
    server.context.runAction(({db}) => db.run(sql, ...values));
  run('UPDATE message SET content = ? WHERE id = ?', 'second thoughts', id);
  expect(await finds('first')).toEqual([]);
  expect(await finds('second')).toEqual([id]);
  const other = server.people.channel('other', [otto, meg]);
  run('UPDATE message SET channel_id = ?, topic = ?, topic_key = ? WHERE id = ?', other, 'Moved', 'moved', id);
  run('UPDATE subscription_period SET since_id = 0');
  expect(await finds('moved second')).toEqual([id]);
  const narrow = [term('channel', other), term('search', 'second')];
  expect((await server.as(meg).get('/messages', {...newest, narrow})).messages).toHaveLength(1);
  run('DELETE FROM message WHERE id = ?', id);
  expect(await finds('second')).toEqual([]);
});

test('search: finds a word in readable conversations although it is common in others', async () => {
  const {server, writer, otto, meg, send, finds} = await startFixture();
  const elsewhere = server.people.channel('elsewhere', [otto]);
  for (let index = 0; index < 9; index++) server.people.channel(`mine ${index}`, [meg]);
  const first = send('needle one');
  const direct = writer.toPeople(otto, [meg], {content: 'needle two'});
  writer.flood(otto, elsewhere, 6500, 'needle');
  expect(await finds('needle')).toEqual([first, direct]);
});

test('search: matches_narrow highlights hits', async () => {
  const {server, meg, send} = await startFixture();
  const hit = send('red car', 'cars & co');
  const miss = send('blue bike');
  const {messages} = await server
    .as(meg)
    .get('/messages/matches_narrow', {msg_ids: [hit, miss], narrow: [term('search', 'red')]});
  expect(messages).toEqual({
    [hit]: {match_content: '<p><span class="highlight">red</span> car</p>', match_subject: 'cars &amp; co'},
  });
});

test('search: stop words are left out, and alone they find nothing; a negated search is an ordinary one', async () => {
  const {server, meg, send, finds} = await startFixture();
  const id = send('deploy now please');
  expect(await finds('the deploy')).toEqual([id]);
  expect(await finds('now')).toEqual([]);
  const narrow = [{operator: 'search', operand: 'deploy', negated: true}];
  const {messages} = await server.as(meg).get('/messages', {anchor: 'newest', num_before: 5, num_after: 0, narrow});
  expect(messages.map((message: {id: number}) => message.id)).toEqual([id]);
});
