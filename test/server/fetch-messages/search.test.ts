import {expect, test} from 'vitest';
import {testServer} from '#test/support/server.ts';
import {MessageFixtureWriter, newest, term} from './message-fixtures.ts';

async function library() {
  const server = await testServer();
  const mail = new MessageFixtureWriter(server.context);
  const meg = server.people.member();
  const otto = server.people.member('Otto Other');
  const general = server.people.channel('general', [meg, otto]);
  const write = (content: string, topic = 'talk') => mail.toChannel(otto, general, topic, {content});
  const search = async (...texts: string[]) => {
    const narrow = texts.map((text) => term('search', text));
    const {messages} = await server.as(meg).get('/messages', {...newest, narrow});
    return messages as {id: number; content: string; match_content: string; match_subject: string}[];
  };
  const finds = async (...texts: string[]) => (await search(...texts)).map(({id}) => id);
  return {server, mail, meg, otto, general, write, search, finds};
}

test('all words must occur, in any order, form or case, in text or topic', async () => {
  const {write, finds} = await library();
  const both = write('The deployments FAILED again');
  const one = write('it failed');
  const inTopic = write('see above', 'failed deployment');
  expect(await finds('deployment fail')).toEqual([both, inTopic]);
  expect(await finds('failed')).toEqual([both, one, inTopic]);
  expect(await finds('failed', 'again')).toEqual([both]);
  expect(await finds('success')).toEqual([]);
});

test('a quoted phrase must occur as it stands', async () => {
  const {write, finds} = await library();
  const phrase = write('a red car stopped');
  const apart = write('the car was red');
  expect(await finds('red car')).toEqual([phrase, apart]);
  expect(await finds('"red car"')).toEqual([phrase]);
  expect(await finds('"red car" stop')).toEqual([phrase]);
});

test('accents make no difference', async () => {
  const {write, finds} = await library();
  const id = write('Ein schönes Café');
  expect(await finds('cafe schones')).toEqual([id]);
});

test('hits are marked in HTML, in text and topic, and nowhere in tags', async () => {
  const {write, search} = await library();
  write('**deploying** <deploy> & deploys "em"', 'deploy <now>');
  const [message] = await search('deploy em');
  const hit = (word: string) => `<span class="highlight">${word}</span>`;
  expect(message?.match_content).toContain(hit('deploying'));
  expect(message?.match_content).toContain(`&lt;${hit('deploy')}&gt;`);
  expect(message?.match_content).toContain(hit('deploys'));
  expect(message?.match_content).toContain(hit('em'));
  expect(message?.match_subject).toBe(`${hit('deploy')} &lt;now&gt;`);
});

test('search: a hit with a hyphen or a slash is highlighted', async () => {
  const {write, search} = await library();
  write('an e-mail and/or a call');
  const hit = (text: string) => `<span class="highlight">${text}</span>`;
  const [message] = await search('e-mail and/or');
  expect(message?.match_content).toBe(`<p>an ${hit('e-mail')} ${hit('and/or')} a call</p>`);
});

test('a narrow without a search has no match fields', async () => {
  const {server, meg, write} = await library();
  write('hello');
  const {messages} = await server.as(meg).get('/messages', newest);
  expect(messages[0]).not.toHaveProperty('match_content');
});

test('nothing that can be typed is an error', async () => {
  const {write, finds} = await library();
  const id = write('C++ AND "quotes" NEAR (x) * ^ : - place c1');
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
  // The place of a message is in the index, but is no word of it.
  expect(await finds('d1')).toEqual([]);
});

test('an endless search is refused', async () => {
  const {server, meg} = await library();
  const narrow = [term('search', 'x'.repeat(1001))];
  await server.as(meg).refused('GET', '/messages', {...newest, narrow}, {code: 'BAD_NARROW'});
});

test('the index follows edits, moves and deletions', async () => {
  const {server, write, finds, otto, meg} = await library();
  const id = write('first thoughts');
  const run = (sql: string, ...values: (string | number)[]) =>
    server.context.runAction(({db}) => db.run(sql, ...values));
  run('UPDATE message SET content = ? WHERE id = ?', 'second thoughts', id);
  expect(await finds('first')).toEqual([]);
  expect(await finds('second')).toEqual([id]);
  const other = server.people.channel('other', [otto, meg]);
  run(
    'UPDATE message SET channel_id = ?, topic = ?, topic_key = ? WHERE id = ?',
    other,
    'Moved',
    'moved',
    id,
  );
  run('UPDATE subscription_period SET since_id = 0');
  expect(await finds('moved second')).toEqual([id]);
  const narrow = [term('channel', other), term('search', 'second')];
  expect((await server.as(meg).get('/messages', {...newest, narrow})).messages).toHaveLength(1);
  run('DELETE FROM message WHERE id = ?', id);
  expect(await finds('second')).toEqual([]);
});

test('a word that is common elsewhere is found here, in channels and direct messages', async () => {
  const {server, mail, otto, meg, write, finds} = await library();
  const elsewhere = server.people.channel('elsewhere', [otto]);
  for (let index = 0; index < 9; index++) server.people.channel(`mine ${index}`, [meg]);
  const first = write('needle one');
  const direct = mail.toPeople(otto, [meg], {content: 'needle two'});
  mail.flood(otto, elsewhere, 6500, 'needle');
  expect(await finds('needle')).toEqual([first, direct]);
});

test('matches_narrow marks hits too', async () => {
  const {server, meg, write} = await library();
  const hit = write('red car', 'cars & co');
  const miss = write('blue bike');
  const {messages} = await server
    .as(meg)
    .get('/messages/matches_narrow', {msg_ids: [hit, miss], narrow: [term('search', 'red')]});
  expect(messages).toEqual({
    [hit]: {match_content: '<p><span class="highlight">red</span> car</p>', match_subject: 'cars &amp; co'},
  });
});
