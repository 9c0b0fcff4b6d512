import {expect, test} from 'vitest';
import {SystemGroup} from '#server/organization/permission-rules.ts';
import {verbFixture} from './verb-fixture.ts';
import {messageScene} from './verb-scene.ts';

test('react: a reaction is added and removed by name, with colons or as the emoji itself', async () => {
  const {run, say, message} = await messageScene();
  const id = await say('hi');
  expect(await run('react', [String(id), 'tada'])).toEqual({code: 0, out: 'Reacted with :tada:.\n', err: ''});
  expect(await run('react', [String(id), ':tada:'])).toMatchObject({code: 0});
  expect(await run('react', [String(id), '👍', '--json'])).toMatchObject({code: 0});
  expect((await message(id)).reactions.map(({emoji_name}: {emoji_name: string}) => emoji_name)).toEqual(['tada', '+1']);
  expect(await run('react', [String(id), 'tada', '--remove'])).toMatchObject({code: 0, out: 'Removed :tada:.\n'});
  expect(await run('react', [String(id), 'tada', '--remove'])).toMatchObject({code: 0});
  expect((await message(id)).reactions).toHaveLength(1);
  const unknown = await run('react', [String(id), 'no_such_emoji']);
  expect([unknown.code, unknown.err]).toEqual([1, "Emoji 'no_such_emoji' does not exist.\n"]);
  expect(await run('react', ['99999', 'tada'])).toMatchObject({
    code: 1,
    out: '',
    err: 'Invalid message(s).\n',
  });
});

test('react: after a lost response the reaction is there once', async () => {
  const {run, say, message, fault} = await messageScene();
  const id = await say('hi');
  await fault({method: 'POST', path: `/messages/${id}/reactions`, kind: 'drop_after'});
  expect(await run('react', [String(id), 'tada'])).toMatchObject({code: 0});
  expect((await message(id)).reactions).toHaveLength(1);
});

test('star: messages are starred by id and by link, but not those of another organization', async () => {
  const {run, say, message, server, meg} = await messageScene();
  const [first, second] = [await say('a'), await say('b')];
  const link = `${server.url}/#narrow/channel/1-general/topic/t/near/${second}`;
  expect(await run('star', [String(first), link])).toEqual({code: 0, out: 'Starred 2 messages.\n', err: ''});
  expect((await message(second)).flags).toContain('starred');
  const unstarred = await run('unstar', [link, '--json']);
  expect(JSON.parse(unstarred.out)).toEqual({messageIds: [second], isStarred: false});
  expect((await message(second)).flags).not.toContain('starred');
  expect(await run('star', [link, String(second), String(second)])).toMatchObject({out: 'Starred 1 message.\n'});
  // The account may know the server by another address than links have.
  const elsewhere = verbFixture({url: server.url.replace('127.0.0.1', 'localhost')}, meg);
  expect(await elsewhere.run('unstar', [link])).toMatchObject({code: 0});
  expect(await run('star', [`https://elsewhere.example/#narrow/near/${first}`])).toMatchObject({
    code: 1,
    err: 'This link is for another organization.\n',
  });
});

test('edit: the text is changed, and the messages of others are not', async () => {
  const {run, say, message, sayAsOtto} = await messageScene();
  const id = await say('teh');
  expect(await run('edit', [String(id), '-m', '- the'])).toEqual({code: 0, out: 'Edited.\n', err: ''});
  expect((await message(id)).content).toBe('- the');
  expect(await run('edit', [String(id), '--json'], {input: 'from a pipe\n'})).toMatchObject({code: 0});
  expect((await message(id)).content).toBe('from a pipe');
  const other = await sayAsOtto('mine');
  expect(await run('edit', [String(other), '-m', 'x'])).toEqual({
    code: 5,
    out: '',
    err: 'You can edit only your own messages.\n',
  });
  expect((await message(other)).content).toBe('mine');
});

test('edit: messages are moved to a topic and a channel', async () => {
  const {run, say, message, asOwner, server, people} = await messageScene();
  const to = server.people.channel('other place', people);
  const [first, second, third] = [await say('1'), await say('2'), await say('3')];
  expect(await asOwner.run('edit', [String(second), '--topic', 'new', '--propagate', 'later'])).toEqual({
    code: 0,
    out: 'Moved to #general › new.\n',
    err: '',
  });
  expect([(await message(first)).subject, (await message(third)).subject]).toEqual(['t', 'new']);
  const moved = await asOwner.run('edit', [String(third), '--to', '#other place>there', '--notify', 'none', '--json']);
  expect(JSON.parse(moved.out)).toEqual({id: third, isEdited: false, isMoved: true, channelId: to, topic: 'there'});
  expect(await message(third)).toMatchObject({stream_id: to, subject: 'there'});
  expect(await asOwner.run('edit', [String(third), '--topic', 'there'])).toMatchObject({
    out: 'The message is already there.\n',
  });
  const guest = await asOwner.run('edit', [String(third), '--to', '#nowhere']);
  expect([guest.code, guest.err]).toEqual([1, 'There is no channel called “nowhere”.\n']);
  expect(await run('edit', [String(first), '-m', 'one', '--topic', 'both'])).toMatchObject({
    out: 'Edited, and moved to #general › both.\n',
  });
  expect(await message(first)).toMatchObject({content: 'one', subject: 'both'});
});

test('edit: what may not be moved keeps its text too, and one that somebody else edits meanwhile is left alone', async () => {
  const {run, say, message, server, people, fault} = await messageScene();
  server.people.channel('other place', people);
  server.people.setting('can_move_messages_between_channels_group', SystemGroup.administrators);
  const id = await say('before');
  const edit = (...argv: string[]) => run('edit', [String(id), '-m', 'after', ...argv]);
  expect(await edit('--to', '#nowhere')).toMatchObject({code: 1, out: ''});
  expect(await edit('--to', '#general>a', '--topic', 'b')).toMatchObject({code: 2, out: ''});
  expect(await edit('--to', '#other place')).toMatchObject({code: 5, out: ''});
  await fault({method: 'PATCH', path: `/messages/${id}`, kind: 'status', status: 400, code: 'EXPECTATION_MISMATCH'});
  expect(await edit()).toEqual({
    code: 1,
    out: '',
    err: 'Someone else edited this message at the same moment. Nothing was changed.\n',
  });
  expect(await message(id)).toMatchObject({content: 'before', subject: 't'});
});

test('edit --notify: the notification bot says it where it was asked to', async () => {
  const {say, asOwner, server, meg, channelId} = await messageScene();
  const told: Record<string, string[]> = {};
  for (const notify of ['none', 'old', 'new', 'both']) {
    await say('stays');
    const id = await say('goes');
    await asOwner.run('edit', [String(id), '--topic', 'there', '--notify', notify]);
    const narrow = [{operator: 'channel', operand: channelId}];
    const {messages} = await server.as(meg).get('/messages', {anchor: id, num_before: 0, num_after: 9, narrow});
    const notices = messages.filter((one: {id: number}) => one.id > id);
    told[notify] = notices.map(({subject}: {subject: string}) => subject).sort();
  }
  expect(told).toEqual({none: [], old: ['t'], new: ['there'], both: ['t', 'there']});
});

test('edit: a move that is refused after the text was changed says so, and one that is too late says what may move', async () => {
  const {run, say, message, server, fault} = await messageScene();
  const [first, second] = [await say('1'), await say('2')];
  const patch = {method: 'PATCH', path: `/messages/${second}`};
  await fault({...patch, kind: 'delay'});
  await fault({...patch, kind: 'status', status: 400, code: 'BAD_REQUEST'});
  expect(await run('edit', [String(second), '-m', 'two', '--topic', 'there'])).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringMatching(/^The text was changed before this failure:\n./),
  });
  expect(await message(second)).toMatchObject({content: 'two', subject: 't'});
  server.people.setting('move_messages_within_stream_limit_seconds', 3600);
  server.context.db.run('UPDATE message SET sent_at = sent_at - 7200 WHERE id = ?', first);
  const {code, err} = await run('edit', [String(second), '--topic', 'there', '--propagate', 'all']);
  expect([code, err]).toEqual([
    5,
    expect.stringContaining(`To move the newer 1 of 2 messages, use message ${second} with “--propagate later”.`),
  ]);
});

test('delete: own messages are deleted; if one may not be deleted, none is', async () => {
  const {run, say, message, sayAsOtto, asOwner, fault} = await messageScene();
  const [mine, other] = [await say('a'), await sayAsOtto('b')];
  expect(await run('delete', [String(mine), String(other), '--yes'])).toEqual({
    code: 5,
    out: '',
    err: 'You do not have permission to delete this message.\n',
  });
  expect((await message(mine)).content).toBe('a');
  await fault({method: 'DELETE', path: `/messages/${mine}`, kind: 'drop_after'});
  expect(await run('delete', [String(mine)])).toEqual({
    code: 2,
    out: '',
    err: '“delete” asks before it deletes. Add --yes in a script.\n',
  });
  const terminal = {inputIsTty: true, input: 'n\n'};
  expect(await run('delete', [String(mine)], terminal)).toMatchObject({
    code: 1,
    err: expect.stringContaining('Delete these messages for everyone?'),
  });
  expect(await run('delete', [String(mine), '--yes'])).toEqual({code: 0, out: 'Deleted 1 message.\n', err: ''});
  expect(await run('delete', [String(mine), '--yes'])).toMatchObject({code: 1, err: 'Invalid message(s).\n'});
  expect(JSON.parse((await asOwner.run('delete', [String(other), '--json', '--yes'])).out)).toEqual({deleted: [other]});
});

test('unstar: an unknown message is said', async () => {
  const {run} = await messageScene();
  expect(await run('unstar', ['999999'])).toMatchObject({
    code: 1,
    err: 'There is no message 999999, or you cannot see it.\n',
  });
});
