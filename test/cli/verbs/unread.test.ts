import {expect, test} from 'vitest';
import {textColumns} from '#content/styled-text/text-width.ts';
import {changingProxy} from '#test/api/client.ts';
import {testServer} from '#test/support/server.ts';
import {verbFixture} from './verb-fixture.ts';

async function scene() {
  const server = await testServer();
  const [meg, otto, ida] = [
    server.people.member(),
    server.people.member('Otto Other'),
    server.people.member('Ida Idle'),
  ];
  server.people.channel('general', [meg, otto]);
  const muted = server.people.channel('noise', [meg, otto]);
  const say = (content: string, topic: string, to = 'general') =>
    server.as(otto).post('/messages', {type: 'stream', to, topic, content});
  const whisper = (content: string, to = [meg.id]) => server.as(otto).post('/messages', {type: 'private', to, content});
  return {server, meg, otto, ida, muted, say, whisper, ...verbFixture(server, meg)};
}

test('unread: without unread messages the output says so', async () => {
  const {run} = await scene();
  expect(await run('unread', [])).toEqual({code: 0, out: 'No unread messages.\n', err: ''});
  expect(await run('inbox', [])).toEqual({code: 0, out: 'No unread messages.\n', err: ''});
  expect(JSON.parse((await run('inbox', ['--json'])).out)).toEqual({groups: []});
});

test('unread: the total and each conversation are counted, muted ones on request', async () => {
  const {run, server, meg, ida, say, whisper, muted} = await scene();
  await say('one', 'lunch');
  await say('two', 'lunch');
  await say('@**Meg Member** three', 'dinner');
  await whisper('four', [meg.id, ida.id]);
  await say('five', 't', 'noise');
  await server.as(meg).post('/users/me/subscriptions/properties', {
    subscription_data: [{stream_id: muted, property: 'is_muted', value: true}],
  });
  const total = '4 unread messages in 3 conversations: 1 in direct messages, 1 mentioning you, 1 more muted\n';
  const rows = [' @1  #general › dinner', '  1  Ida Idle, Otto Other', '  2  #general › lunch'];
  expect((await run('unread', [])).out).toBe(`${total}${rows.join('\n')}\n`);
  expect((await run('unread', ['--muted'])).out).toBe(`${total}${[...rows, '  1  #noise › t'].join('\n')}\n`);
  const {conversations, ...counts} = JSON.parse((await run('unread', ['--json'])).out);
  expect(counts).toEqual({total: 4, all: 5, directs: 1, mentions: 1, muted: 1, isComplete: true});
  expect(conversations).toHaveLength(4);
  expect(conversations[3]).toMatchObject({count: 1, isMuted: true, conversation: {to: '#noise>t'}});
  for (const place of ['#general', '@Ida Idle,Otto Other']) await run('mark-read', [place]);
  expect((await run('unread', [])).out).toBe('No unread messages except 1 muted.\n');
  for (const word of ['six', 'seven']) await say(`@**Meg Member** ${word}`, 'dinner');
  expect(JSON.parse((await run('unread', ['--json'])).out).conversations[0]).toMatchObject({count: 2, mentions: 2});
});

test('unread: messages in an archived channel do not count', async () => {
  const {run, server, say, muted} = await scene();
  const owner = server.people.owner();
  await say('one', 't', 'noise');
  await server.as(owner).delete(`/streams/${muted}`);
  expect((await run('unread', ['--muted'])).out).toBe('No unread messages.\n');
  await server.as(owner).patch(`/streams/${muted}`, {is_archived: false});
  expect((await run('unread', [])).out).toBe('1 unread message in 1 conversation\n  1  #noise › t\n');
});

test('inbox: groups and the first unread line of each conversation are printed', async () => {
  const {run, say, whisper} = await scene();
  await say('soup?\nor bread', 'lunch');
  await say('later', 'lunch');
  await whisper('psst');
  expect((await run('inbox', [])).out).toBe(
    'Direct messages (1 conversation, 1 message)\n  1  Otto Other  psst\nChannels (1 conversation, 2 messages)\n  2  #general › lunch  Otto Other: soup?\n',
  );
  const {groups} = JSON.parse((await run('inbox', ['--json'])).out);
  expect(groups).toMatchObject([
    {group: 'direct', messageCount: 1},
    {group: 'channels', rows: [{count: 2, snippet: 'soup?', conversation: {title: '#general › lunch'}}]},
  ]);
});

test('inbox: previews are printed as text, without markup', async () => {
  const {run, say} = await scene();
  await say('**Soup** with @**Ida Idle** in #**general>lunch**', 'lunch');
  expect((await run('inbox', [])).out).toContain('Otto Other: Soup with @Ida Idle in #general > lunch\n');
});

test('inbox: a preview never makes a line longer than the screen', async () => {
  const {run, say} = await scene();
  await say('word '.repeat(100), 'lunch');
  const {out} = await run('inbox', [], {columns: 60});
  expect(Math.max(...out.split('\n').map(({length}) => length))).toBeLessThanOrEqual(60);
  expect(out).toContain('…');
});

test('unread: a direct message of a system bot has the bot’s name', async () => {
  const {server, otto, ida} = await scene();
  server.people.channel('tides', [otto]);
  await server.as(otto).post('/users/me/subscriptions', {
    subscriptions: [{name: 'tides'}],
    principals: [ida.id],
  });
  const asIda = verbFixture(server, ida);
  expect((await asIda.run('unread', [])).out).toContain('  1  Notification Bot\n');
  expect((await asIda.run('inbox', [])).out).toContain('Notification Bot');
  expect(server.context.queues.size).toBe(0);
});

test('unread, inbox and mark-read say that the server reports only the newest of very many', async () => {
  const {server, meg, say} = await scene();
  await say('one', 'lunch');
  const front = await changingProxy(server.url, (answer) =>
    answer.replace('"old_unreads_missing":false', '"old_unreads_missing":true'),
  );
  const {run} = verbFixture({url: front}, meg);
  const sentence = 'The server reports only the newest unread messages.';
  for (const verb of ['unread', 'inbox'] as const) {
    expect(await run(verb, [])).toMatchObject({code: 0, err: `${sentence} There are more.\n`});
  }
  expect(JSON.parse((await run('unread', ['--json'])).out)).toMatchObject({total: 1, isComplete: false});
  expect((await run('mark-read', ['--all'])).err).toBe(`${sentence} Run the command again for older ones.\n`);
});

test('unread: no event queue is left behind', async () => {
  const {run, server} = await scene();
  await run('unread', []);
  await run('read', []);
  expect(server.context.queues.size).toBe(0);
});

test('inbox: a preview in wide characters fits the screen', async () => {
  const {run, say} = await scene();
  await say('満潮は午前五時。👩‍👩‍👧‍👦 '.repeat(20), '潮');
  const {out} = await run('inbox', [], {columns: 60});
  const widths = out.split('\n').map(textColumns);
  expect(Math.max(...widths)).toBeLessThanOrEqual(60);
  expect(Math.max(...widths)).toBeGreaterThan(55);
});
