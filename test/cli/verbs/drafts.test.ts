import {expect, test} from 'vitest';
import {fastClock} from '#test/state/session-fixture.ts';
import {testServer} from '#test/support/server.ts';
import {verbFixture} from './verb-fixture.ts';

async function scene() {
  const server = await testServer({testHooks: true});
  const [meg, otto] = [server.people.member(), server.people.member('Otto Other')];
  const channelId = server.people.channel('general', [meg, otto]);
  const begin = async (...drafts: object[]): Promise<number[]> => (await server.as(meg).post('/drafts', {drafts})).ids;
  const onServer = async (): Promise<string[]> =>
    (await server.as(meg).get('/drafts')).drafts.map(({content}: {content: string}) => content);
  return {server, meg, otto, channelId, begin, onServer, ...verbFixture(server, meg)};
}

test('drafts: the server’s drafts are listed, newest first, and shown', async () => {
  const {run, begin, channelId, otto} = await scene();
  expect(await run('drafts', [])).toEqual({code: 0, out: 'No drafts.\n', err: ''});
  const [first] = await begin(
    {type: 'stream', to: [channelId], topic: 'lunch', content: 'soup\nand bread', timestamp: 1000},
    {type: 'private', to: [otto.id], topic: '', content: 'psst', timestamp: 2000},
    {type: '', to: [], topic: '', content: 'to whom?', timestamp: 3000},
  );
  const lines = (await run('drafts', ['list'])).out.trimEnd().split('\n');
  expect(lines.map((line) => line.replace(/^\S+ {2}/, ''))).toEqual([
    '(no recipient): to whom?',
    'Otto Other: psst',
    '#general › lunch: soup and bread',
  ]);
  const listed = JSON.parse((await run('drafts', ['--json'])).out);
  expect(listed[0]).toMatchObject({content: 'to whom?', conversation: null});
  expect(listed[2]).toMatchObject({
    serverId: first,
    content: 'soup\nand bread',
    conversation: {to: '#general>lunch'},
  });
  const [id] = lines[2]?.split(' ') ?? [];
  expect(await run('drafts', ['show', id ?? ''])).toEqual({code: 0, out: 'soup\nand bread\n', err: ''});
  expect((await run('drafts', ['show', String(first)])).out).toBe('soup\nand bread\n');
  expect(await run('drafts', ['show', 'zzz'])).toMatchObject({code: 1, err: 'There is no draft “zzz”.\n'});
});

test('drafts: a deleted draft is deleted on the server too', async () => {
  const {run, begin, onServer, otto} = await scene();
  const draft = (content: string) => ({type: 'private', to: [otto.id], topic: '', content});
  const [first, second] = await begin(draft('a'), draft('b'), draft('c'));
  expect(await run('drafts', ['delete', String(first), String(second), '--yes'])).toMatchObject({
    code: 0,
    out: 'Deleted 2 drafts.\n',
  });
  expect(await onServer()).toEqual(['c']);
  expect(JSON.parse((await run('drafts', ['--json'])).out)).toHaveLength(1);
});

test('drafts: a deletion that the server does not confirm is exit code 75, and is made the next time', async () => {
  const {run, begin, onServer, server, otto} = await scene();
  const [id] = await begin({type: 'private', to: [otto.id], topic: '', content: 'a'});
  const fault = {method: 'DELETE', path: '/drafts', kind: 'status', status: 500, times: 9};
  await fetch(`${server.url}/test-hooks/fault`, {method: 'POST', body: JSON.stringify(fault)});
  expect(await run('drafts', ['delete', String(id), '--yes'], {clock: fastClock})).toEqual({
    code: 75,
    out: 'Deleted 1 draft on this machine.\n',
    err: expect.stringMatching(/\nThe server may still have them\. Parley deletes them .* connects\.\n$/),
  });
  expect(await onServer()).toEqual(['a']);
  await fetch(`${server.url}/test-hooks/clear-faults`, {method: 'POST', body: '{}'});
  expect((await run('drafts', [])).out).toBe('No drafts.\n');
  expect(await onServer()).toEqual([]);
});

test('drafts: a sent draft is sent once and removed', async () => {
  const {run, begin, onServer, channelId, server, otto} = await scene();
  const [id] = await begin({type: 'stream', to: [channelId], topic: 'lunch', content: 'at last'});
  expect(await run('drafts', ['send', String(id)])).toMatchObject({
    code: 0,
    out: 'Sent to #general › lunch.\n',
  });
  expect(await onServer()).toEqual([]);
  const {messages} = await server.as(otto).get('/messages', {anchor: 'newest', num_before: 10, num_after: 0});
  expect(messages).toHaveLength(1);
  expect(await run('drafts', [])).toMatchObject({out: 'No drafts.\n'});
});

test('drafts: a draft that may not be sent stays a draft', async () => {
  const {run, begin, onServer, server, otto: gone} = await scene();
  const [to, nowhere] = await begin(
    {type: 'private', to: [gone.id], topic: '', content: 'too late'},
    {type: '', to: [], topic: '', content: 'to whom?'},
  );
  await server.as(server.people.owner()).delete(`/users/${gone.id}`);
  expect(await run('drafts', ['send', String(to)])).toMatchObject({
    code: 5,
    out: '',
    err: 'Otto Other is deactivated and cannot receive messages.\n',
  });
  expect(await run('drafts', ['send', String(nowhere)])).toMatchObject({code: 1, out: ''});
  expect(await onServer()).toHaveLength(2);
});

test('drafts: a draft that the server refuses is kept, and nothing waits in the outbox', async () => {
  const {run, begin, onServer, channelId, server} = await scene();
  const [id] = await begin({type: 'stream', to: [channelId], topic: 'lunch', content: 'at last'});
  const fault = {method: 'POST', path: '/messages', kind: 'status', status: 400, code: 'BAD_REQUEST'};
  await fetch(`${server.url}/test-hooks/fault`, {method: 'POST', body: JSON.stringify(fault)});
  const {code, err} = await run('drafts', ['send', String(id)]);
  expect([code, err]).toEqual([1, expect.stringMatching(/ The draft was kept\.\n$/)]);
  expect((await run('outbox', [])).out).toBe('The outbox is empty.\n');
  expect(await onServer()).toEqual(['at last']);
  expect(await run('drafts', ['send', String(id)])).toMatchObject({code: 0});
});
