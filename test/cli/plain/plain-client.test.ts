import {PassThrough} from 'node:stream';
import {expect, test} from 'vitest';
import {openPlain, type PlainOptions} from '#cli/plain/open-plain.ts';
import {findCommands, screenCommands, screenOnlyReason} from '#cli/plain/plain-commands.ts';
import {Interruption} from '#cli/verbs/interruption.ts';
import {commandTable} from '#commands/command-table.ts';
import {stranger, unreachableServer, verbFixture} from '#test/cli/verbs/verb-fixture.ts';
import {MessageFixtureWriter} from '#test/server/message-fixtures.ts';
import {testIo} from '#test/support/cli-io.ts';
import {testServer} from '#test/support/server.ts';
import {slowTest} from '#test/support/tier.ts';

const usual: PlainOptions = {destination: undefined, isTriage: false, isExploring: false, isReadOnly: false};

async function harbour(name = 'Otto') {
  const server = await testServer({testHooks: true});
  const [meg, otto] = [server.people.member(), server.people.member(name)];
  const channelId = server.people.channel('general', [meg, otto]);
  const says = async (topic: string, content: string): Promise<number> =>
    (await server.as(otto).post('/messages', {type: 'stream', to: channelId, topic, content})).id;
  const {home} = verbFixture(server, meg);
  /** Returns the output of Meg's client for these input lines. */
  const talk = async (lines: readonly string[], options: Partial<PlainOptions> = {}) => {
    const io = testIo({home, random: Math.random, input: lines.map((line) => `${line}\n`).join('')});
    expect(await openPlain({...usual, ...options}, io)).toBe(0);
    return io.out().split('\n');
  };
  /** The same with a terminal as input. */
  const sit = (options: Partial<PlainOptions> = {}) => {
    const stdin = new PassThrough();
    const io = testIo({home, random: Math.random, stdin});
    const ending = new AbortController();
    return {
      io,
      say: (line: string) => void stdin.write(`${line}\n`),
      hangUp: () => void stdin.end(),
      interrupt: () => ending.abort(new Interruption('SIGINT', 130)),
      code: openPlain({...usual, ...options}, io, ending.signal),
    };
  };
  const unread = async () => (await server.as(meg).post('/register', {})).unread_msgs.streams;
  return {server, meg, otto, says, talk, sit, unread, channelId};
}

test('plain: the inbox is a numbered list, and a number opens its unread messages', async () => {
  const {says, talk, unread} = await harbour();
  await says('boats', 'the tide is in');
  await says('lunch', 'soup?\nor bread');
  const lines = await talk(['1', 'quit']);
  expect(lines[0]).toBe('2 unread conversations:');
  expect(lines.filter((line) => /^[12]\. 1 unread in #general > (boats|lunch)$/.test(line))).toHaveLength(2);
  const at = lines.findIndex((line) => line.startsWith('1 of 2: 1 unread in #general > lunch'));
  expect(lines[at + 1]).toMatch(/^1\. Otto, \d+:\d\d [AP]M: soup\?$/);
  expect(lines[at + 2]).toBe('   or bread');
  // Reading does not mark as read.
  expect(await unread()).toHaveLength(2);
});

test('plain: messages are printed as plain text, and triage mentions help at the start', async () => {
  const {meg, says, talk} = await harbour();
  const text = `@_**${meg.fullName}|${meg.id}** see [the chart](https://example.org/c) :tada:`;
  await says('boats', `${text}\n* one\n\n> two`);
  const lines = await talk(['quit'], {isTriage: true});
  expect(lines[1]).toMatch(new RegExp(`^1\\. Otto, [^:]*:[^:]*: ${meg.fullName} see the chart \\[1\\] :tada:$`));
  expect(lines.slice(2, 5)).toEqual(['   * one', '   > two', '   [1] https://example.org/c']);
  expect(lines[5]).toBe('Type “help” for a list of commands.');
});

test('plain: a spoiler is printed closed, and a command opens it', async () => {
  const {says, talk} = await harbour();
  await says('films', '```spoiler The end\nthe butler\n```');
  const closed = await talk(['open #general>films', 'quit']);
  expect(closed.some((line) => line.includes('The end (spoiler, 1 line)'))).toBe(true);
  expect(closed.join()).not.toContain('butler');
  const opened = await talk(['open #general>films', 'spoilers 1', 'spoilers 9', 'quit']);
  expect(opened.some((line) => line.includes('the butler'))).toBe(true);
  expect(opened).toContain('Name a message by its number: spoilers 3.');
});

test('plain: a channel without a subscription says how often it is updated', async () => {
  const {server, otto, talk} = await harbour();
  server.people.channel('books', [otto]);
  await server.as(otto).post('/messages', {type: 'stream', to: 'books', topic: 'talk', content: 'a chapter'});
  const lines = await talk(['open #books', 'quit']);
  const at = lines.indexOf('(Not subscribed: updates every 30 s)');
  expect(lines[at - 1]).toBe('#books:');
  expect(lines[at + 1]).toMatch(/a chapter$/);
});

test('plain: read messages are separated from the first unread one', async () => {
  const {server, meg, says, talk} = await harbour();
  const first = await says('boats', 'one');
  await says('boats', 'two');
  await server.as(meg).post('/messages/flags', {messages: [first], op: 'add', flag: 'read'});
  const lines = await talk(['quit'], {isTriage: true});
  expect(lines[0]).toBe('1 of 1: 1 unread in #general > boats');
  expect(lines[1]).toMatch(/^1\. Otto, .*: one$/);
  expect(lines[2]).toBe('First unread:');
  expect(lines[3]).toMatch(/^2\. Otto, .*: two$/);
});

test('plain: “more” and “older” print pages of 20 until the newest and the oldest message', async () => {
  const {server, otto, talk, channelId} = await harbour();
  const writer = new MessageFixtureWriter(server.context);
  for (let at = 1; at <= 230; at++) writer.toChannel(otto, channelId, 'tides', {content: `wave ${at}`, read: at < 100});
  const steps = [...new Array<string>(6).fill('older'), ...new Array<string>(8).fill('more')];
  const lines = await talk([...steps, 'quit'], {isTriage: true});
  const waves = lines.flatMap((line) => /wave (\d+)/.exec(line)?.[1] ?? []).map(Number);
  const range = (first: number, last: number) => Array.from({length: last - first + 1}, (_, at) => first + at);
  // Two read messages come before the first unread one. A page of older messages has their order, too.
  const older = [range(78, 97), range(58, 77), range(38, 57), range(18, 37), range(1, 17)];
  expect(waves).toEqual([...range(98, 117), ...older.flat(), ...range(118, 230)]);
  expect(lines).toContain('No older messages.');
  expect(lines).toContain('No newer messages.');
});

test('plain: what follows the printed messages is announced before it is loaded, and waits for “more”', async () => {
  const {server, otto, says, sit, channelId} = await harbour();
  const writer = new MessageFixtureWriter(server.context);
  for (let at = 1; at <= 120; at++) writer.toChannel(otto, channelId, 'tides', {content: `wave ${at}`, read: at < 2});
  const {io, say, code} = sit({isTriage: true});
  await io.saw('more: type “more”)');
  say('more\nmore');
  await io.saw('(More: type “more”)');
  await says('tides', 'the last wave');
  await io.saw('(120 unread here now: type “more”)');
  say('more');
  await io.saw('(49 more: type “more”)');
  expect(io.out()).not.toContain('the last wave');
  say('quit');
  expect(await code).toBe(0);
});

test('plain: messages say who writes and when, also of another day, and those of muted people are hidden', async () => {
  const {server, meg, otto, says, talk, channelId} = await harbour();
  const writer = new MessageFixtureWriter(server.context);
  writer.toChannel(otto, channelId, 'boats', {content: 'long ago', sentAt: 1_700_000_000});
  await says('boats', '/me waves');
  const before = await talk(['open #general>boats', 'quit']);
  expect(before.some((line) => /^1\. Otto, \w{3} 1[45] Nov 2023 \d+:13 [AP]M: long ago$/.test(line))).toBe(true);
  expect(before.some((line) => /^2\. Otto, \d+:\d\d [AP]M: Otto waves$/.test(line))).toBe(true);
  await server.as(meg).post(`/users/me/muted_users/${otto.id}`, {});
  const after = await talk(['open #general>boats', 'quit']);
  expect(after.filter((line) => line.endsWith('M: (hidden: you muted this user)'))).toHaveLength(2);
});

test('plain: an empty menu asks for nothing', async () => {
  const {says, talk, unread} = await harbour();
  await says('boats', 'one');
  const lines = await talk(['review', 'done', 'quit'], {isTriage: true});
  expect(lines).toContain('Nothing to undo yet.');
  expect(lines.join('\n')).not.toContain('Type a number');
  expect(await unread()).toEqual([]);
});

test('plain: triage continues after done, and undo restores the conversation', async () => {
  const {says, talk, unread} = await harbour();
  const second = await says('lunch', 'two');
  const first = await says('boats', 'one');
  const lines = await talk(['done', 'done', 'undo', 'quit'], {isTriage: true});
  expect(lines[0]).toBe('1 of 2: 1 unread in #general > boats');
  expect(lines).toContain('Marked #general > boats read (1). Type “undo” to undo.');
  expect(lines).toContain('1 of 1: 1 unread in #general > lunch');
  expect(lines).toContain('Undone: Marked #general > lunch read (1). Type “redo” to redo.');
  const left = await unread();
  expect(left.flatMap((row: {unread_message_ids: number[]}) => row.unread_message_ids)).toEqual([second]);
  expect(second).toBeLessThan(first);
});

test('plain: triage starts with the most important conversation, whatever the last session’s order', async () => {
  const {server, meg, otto, says, talk} = await harbour();
  await says('boats', 'one');
  expect((await talk(['quit'], {isTriage: true}))[0]).toBe('1 of 1: 1 unread in #general > boats');
  await server.as(otto).post('/messages', {type: 'direct', to: [meg.id], content: 'lunch?'});
  expect((await talk(['quit'], {isTriage: true}))[0]).toBe('1 of 2: 1 unread in Otto');
});

test('plain: a reply is sent, marks the conversation read and continues', async () => {
  const {server, meg, says, talk, unread, channelId} = await harbour();
  await says('boats', 'who is out?');
  const lines = await talk(['reply nobody, it is raining', 'quit'], {isTriage: true});
  expect(lines).toContain('Sent to #general > boats.');
  const narrow = [
    {operator: 'channel', operand: channelId},
    {operator: 'sender', operand: meg.id},
  ];
  const {messages} = await server
    .as(meg)
    .get('/messages', {narrow, anchor: 'newest', num_before: 5, num_after: 0, apply_markdown: false});
  expect(messages).toMatchObject([{subject: 'boats', content: 'nobody, it is raining'}]);
  expect(await unread()).toEqual([]);
});

test('plain: multi-line text ends with a dot, and a dot alone sends nothing', async () => {
  const {server, otto, talk, meg} = await harbour();
  const lines = await talk(['write @Otto', 'one', 'two', '.', 'write @Otto', '.', 'quit']);
  expect(lines).toContain('Sent to Otto.');
  expect(lines.filter((line) => line.startsWith('Sent to Otto'))).toHaveLength(1);
  expect(lines).toContain('Nothing was sent.');
  const narrow = [{operator: 'dm', operand: [meg.id]}];
  const {messages} = await server
    .as(otto)
    .get('/messages', {narrow, anchor: 'newest', num_before: 5, num_after: 0, apply_markdown: false});
  expect(messages).toMatchObject([{content: 'one\ntwo'}]);
});

test('plain: what may be a mistake is sent only after a yes, and is a draft otherwise', async () => {
  const {server, otto, talk, meg} = await harbour();
  const lines = await talk(['write @Otto', 'the @**moon**', '.', 'no', 'write @Otto', 'again', '.', 'quit']);
  const at = lines.indexOf('“@moon” is nobody here: no one is notified.');
  expect(lines.slice(at + 1, at + 3)).toEqual([
    'Not sent. Saved as a draft.',
    'Draft saved. Type “drafts” to list drafts.',
  ]);
  expect(lines).toContain('Sent to Otto.');
  const blocked = await talk(['write #general>boats', 'x'.repeat(10_001), '.', 'yes', 'drafts', 'quit']);
  expect(blocked).toContain('Not sent. Saved as a draft.');
  expect(blocked).toContain('There is no command “yes”. Type “help” for a list.');
  expect(blocked).toContain('Drafts, 2 entries:');
  const sent = await talk(['write @Otto', 'the @**moon**', '.', 'yes', 'quit']);
  expect(sent).toContain('Sent to Otto.');
  const narrow = [{operator: 'dm', operand: [meg.id]}];
  const {messages} = await server
    .as(otto)
    .get('/messages', {narrow, anchor: 'newest', num_before: 5, num_after: 0, apply_markdown: false});
  expect(messages).toMatchObject([{content: 'again'}, {content: 'the @**moon**'}]);
});

test('plain: menus are answered with numbers', async () => {
  const {says, talk} = await harbour();
  await says('boats', 'later, perhaps');
  const lines = await talk(['later', '4', 'quit'], {isTriage: true});
  expect(lines).toContain('Snooze: #general > boats:');
  expect(lines).toContain('4. Until the next message');
  expect(lines.some((line) => line.startsWith('1 conversation: 1 snoozed'))).toBe(true);
});

test('plain: what cannot be chosen in a menu says why, and “back” in any letters closes it', async () => {
  const {says, talk} = await harbour();
  await says('boats', 'one');
  const lines = await talk(['open #general>boats', '1', 'msg.move', '1', 'BACK', 'starred', 'quit']);
  const reason = 'The message is already in this topic.';
  expect(lines).toContain(`1. boats: ${reason}`);
  expect(lines).toContain(reason);
  expect(lines).toContain('Starred messages:');
});

test('plain: an unknown command is reported, and similar ones are offered', async () => {
  const {talk} = await harbour();
  const lines = await talk(['xyzzy', 'combined feed', '1', 'quit']);
  expect(lines).toContain('There is no command “xyzzy”. Type “help” for a list.');
  expect(lines).toContain('1. Combined feed');
  expect(lines).toContain('Combined feed:');
});

test('plain: a read-only session changes nothing', async () => {
  const {says, talk, unread} = await harbour();
  await says('boats', 'stay');
  const lines = await talk(['done', 'reply no', 'quit'], {isTriage: true, isReadOnly: true});
  expect(lines.join('\n')).toContain('read-only');
  expect(await unread()).toHaveLength(1);
});

test('plain: the keys of the screen work as lines', async () => {
  const {says, talk, unread} = await harbour();
  const [first, second] = [await says('lunch', 'two'), await says('boats', 'one')];
  const lines = await talk(['e', 'e', 'z', 'z', 'g r', 'q', 'done'], {isTriage: true});
  expect(lines).toContain('Marked #general > boats read (1). Type “undo” to undo.');
  expect(lines).toContain('Undone: Marked #general > boats read (1). Type “redo” to redo.');
  expect(lines.some((line) => line.startsWith('Recent'))).toBe(true);
  const left = await unread();
  expect(left.flatMap((row: {unread_message_ids: number[]}) => row.unread_message_ids).sort()).toEqual([first, second]);
});

test('plain: row commands are refused before a row was printed', async () => {
  const {says, talk, unread} = await harbour();
  await says('boats', 'one');
  const lines = await talk(['done', 'e', 'X', 'M', 'reply hello', 'recent', 'done', 'quit']);
  expect(lines.filter((line) => line === 'Choose a conversation by its number first.')).toHaveLength(6);
  expect(await unread()).toHaveLength(1);
});

test('plain: next cycles through the remaining conversations and reports when there is no other', async () => {
  const {says, talk, unread} = await harbour();
  await says('lunch', 'two');
  await says('boats', 'one');
  const lines = await talk(['next', 'next', 'done', 'next', 'quit'], {isTriage: true});
  const told = lines.filter((line) => /^\d of \d: /.test(line));
  expect(told.map((line) => line.replace(/^.* > /, ''))).toEqual(['boats', 'lunch', 'boats', 'lunch']);
  expect(lines).toContain('Nothing changed.');
  expect(await unread()).toHaveLength(1);
});

test('plain: messages that arrive after unprinted ones are only counted', async () => {
  const {says, sit} = await harbour();
  for (let at = 1; at <= 25; at++) await says('boats', `wave ${at}`);
  const {io, say, code} = sit({isTriage: true});
  await io.saw('(5 more: type “more”)');
  await says('boats', 'wave 26');
  await io.saw('(26 unread here now: type “more”)');
  expect(io.out()).not.toContain('wave 21');
  say('help');
  say('more');
  await io.saw('wave 26');
  // The number is said once.
  expect(io.out().split('unread here now')).toHaveLength(2);
  say('done');
  await io.saw('read (26)');
  say('quit');
  expect(await code).toBe(0);
});

test('plain: messages that arrive while reading are printed, and done marks them read', async () => {
  const {says, sit, unread} = await harbour();
  await says('boats', 'first');
  const {io, say, hangUp, code} = sit({isTriage: true});
  await io.saw('first');
  await says('boats', 'second');
  await io.saw('second');
  say('e');
  await io.saw('read (2)');
  hangUp();
  expect(await code).toBe(0);
  expect(await unread()).toEqual([]);
});

test('plain: muted topics are hidden until “muted”', async () => {
  const {server, meg, says, talk, channelId} = await harbour();
  await says('boats', 'one');
  await says('noise', 'boom');
  await server.as(meg).post('/user_topics', {stream_id: channelId, topic: 'noise', visibility_policy: 1});
  const lines = await talk(['muted', '1', 'inbox', 'quit']);
  expect(lines[0]).toBe('1 unread conversation:');
  expect(lines).toContain('(1 muted: type “muted” to list them)');
  expect(lines).toContain('1 of 1: 1 unread in #general > noise');
});

test('plain: names and texts of others cannot move the cursor or start a line', async () => {
  const {says, talk} = await harbour('Otto\u001b[2J\n1 of 9: evil\u202e');
  await says('boats', 'hi \u001b]0;owned\u0007\u009b31m\r\n1 of 9: not mine\u2028> quit');
  const lines = await talk(['again', 'done', 'undo', 'review', '1', 'later', '1', 'quit'], {isTriage: true});
  expect(lines.join('\n')).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2028]/);
  expect(lines.filter((line) => line.startsWith('1 of 9'))).toEqual([]);
});

test('plain: text that ends with the input becomes a draft, not a message', async () => {
  const {server, meg, says, sit, talk} = await harbour();
  await says('boats', 'who?');
  const {io, say, interrupt, code} = sit({isTriage: true});
  await io.saw('who?');
  say('reply');
  say('it was');
  say('me');
  interrupt();
  expect(await code).toBe(130);
  expect(io.out()).toContain('Not sent. Saved as a draft.');
  const lines = await talk(['drafts', 'quit']);
  expect(lines[0]).toBe('1 unread conversation:');
  expect(lines[1]).toMatch(/^1\. 1 unread in #general > boats \(has a draft(?:, new)?\)$/);
  expect(lines).toContain('Drafts, one entry:');
  const narrow = [{operator: 'sender', operand: meg.id}];
  const {messages} = await server.as(meg).get('/messages', {narrow, anchor: 'newest', num_before: 5, num_after: 0});
  expect(messages).toEqual([]);
});

slowTest('plain: without the server changes are saved, reported, and shown by the exit code', async () => {
  const {server, says, sit} = await harbour();
  await says('lunch', 'two');
  await says('boats', 'one');
  const {io, say, code} = sit({isTriage: true});
  await io.saw('one');
  await fetch(`${server.url}/test-hooks/fault`, {
    method: 'POST',
    body: JSON.stringify({kind: 'drop_before', times: 100_000}),
  });
  await fetch(`${server.url}/test-hooks/heartbeat`, {method: 'POST', body: '{}'});
  await io.saw('Offline: changes are saved');
  say('done');
  await io.saw('> boats read (1)');
  say('reply soup');
  await io.saw('Not sent to #general > lunch yet. It is in the outbox until the server has it.');
  say('quit');
  expect(await code).toBe(4);
  expect(io.err()).toMatch(/Not sent yet: \d changes? and 1 message\./);
  expect(io.out() + io.err()).not.toMatch(/\bat .*:\d+:\d+/);
});

test('plain: an unknown server is one sentence', async () => {
  const io = testIo({home: verbFixture(unreachableServer, stranger).home, input: 'done\n'});
  expect(await openPlain({...usual, isTriage: true}, io)).toBe(4);
  expect([io.out(), io.err()]).toEqual(['', expect.stringMatching(/^Cannot reach 127\.0\.0\.1:1/)]);
});

test('plain: a rejected key is one sentence', async () => {
  const {server} = await harbour();
  const io = testIo({home: verbFixture(server, stranger).home, input: 'done\n'});
  expect(await openPlain({...usual, isTriage: true}, io)).toBe(3);
  expect(io.out()).toBe('');
  expect(io.err()).toMatch(/^[^\n]+\n$/);
});

test('plain: a card is printed when it has all its lines', async () => {
  const {talk, server} = await harbour();
  const lines = await talk(['server.about', 'connection.show', 'quit']);
  expect(lines).toContain('About this server:');
  expect(lines.some((line) => /^Login +email and password/.test(line))).toBe(true);
  expect(lines).toContain(`Server        ${server.url}`);
});

slowTest('plain: every command of the palette runs by its id, or says why only the full screen has it', async () => {
  const {says, talk} = await harbour();
  await says('boats', 'the tide is in');
  const commands = [...commandTable.values()].filter(({isKeyOnly, id}) => isKeyOnly !== true && id !== 'app.quit');
  const marker = 'No entry has this number.';
  const lines = await talk([
    ...commands.flatMap(({id}) => ['open #general>boats', '999', id, '.', 'back', 'back', 'back']),
    'quit',
  ]);
  const answers = lines.join('\n').split(`${marker}\n`).slice(1);
  expect(answers).toHaveLength(commands.length);
  for (const [at, command] of commands.entries()) {
    expect(answers[at], command.id).not.toMatch(/^There is no command/);
    const reason = screenOnlyReason(command);
    if (reason !== undefined) expect(answers[at]?.split('\n')[0], command.id).toBe(reason);
  }
});

test('plain: every command of the palette is found by its title', () => {
  for (const {id, title, isKeyOnly} of commandTable.values()) {
    if (isKeyOnly !== true) expect(findCommands(commandTable, title)[0]?.id, title).toBe(id);
  }
});

test('plain: the commands that only the full screen has are commands of the palette', () => {
  for (const id of screenCommands.flatMap(([ids]) => ids)) expect(commandTable.get(id)?.isKeyOnly, id).toBe(undefined);
  for (const id of screenCommands.flatMap(([ids]) => ids)) expect(commandTable.has(id), id).toBe(true);
});
