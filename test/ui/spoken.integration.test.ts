import {expect, onTestFinished, test, vi} from 'vitest';
import {ApiClient} from '#test/support/api-client.ts';
import {type CountedApp, startCountingServer} from '#test/support/request-counter.ts';
import {type Spoken, SpokenScreen} from '#test/support/spoken.ts';

interface Harbour {
  readonly screen: SpokenScreen;
  readonly program: CountedApp;
  send(topic: string, content: string): Promise<unknown>;
}

/** A program with a screen reader, in a channel with two topics. */
async function harbour(size = '80x24'): Promise<Harbour> {
  const counting = await startCountingServer();
  const {people, meg, otto, server} = counting;
  people.channel('harbour', [meg, otto]);
  const client = new ApiClient(server.url, otto);
  const send = (topic: string, content: string) =>
    client.post('/messages', {type: 'stream', to: 'harbour', topic, content});
  await send('masts', 'The mast is up.');
  await send('masts', `It is a tall one, @**${meg.fullName}**.`);
  await send('ropes', 'Who has the ropes?');
  await send('sails', 'The sails are dry.');
  const program = counting.open(size);
  await program.settle();
  const screen = new SpokenScreen(program);
  await screen.turnOn();
  onTestFinished(async () => {
    screen.end();
    await program.stop();
    await counting.close();
  });
  return {screen, program, send};
}

/** The time of messages depends on the time zone. */
function withoutTimes({line, written}: Spoken): Spoken {
  const plain = (text: string) => text.replaceAll(/\d+:\d\d [AP]M/g, '9:31 AM');
  return {line: plain(line), written: written.map(plain)};
}

/** Expects that exactly these texts were written, and that the cursor is on the line of the last one, unless it is said. */
function expectSpoken(spoken: Spoken, written: readonly string[], line = written.at(-1)): void {
  expect(withoutTimes(spoken)).toEqual({line, written});
}

const masts = '#harbour > masts, 2 unread, 1 mention, followed, Otto: The mast is up.';
const sails = '#harbour > sails, 1 unread, Otto: The sails are dry.';

test('spoken: moving in the inbox speaks the row once and nothing else; done and undo say what they did', async () => {
  const {screen} = await harbour();
  expectSpoken(await screen.press('j'), [sails]);
  expectSpoken(await screen.press('k'), [masts]);
  expectSpoken(await screen.press('e'), ['Marked #harbour > masts read (2), z undo', sails]);
  expectSpoken(await screen.press('z'), ['Mentions', 'Undone: Marked #harbour > masts read (2), Z redo', masts]);
  expect(screen.isCursorShown).toBe(true);
});

test('spoken: triage speaks one conversation after the other, its heading first', async () => {
  const {screen} = await harbour();
  const heading = '#harbour > masts, Otto, following, 1 mention, 2 unread';
  const first = await screen.press('g', 't');
  expectSpoken(
    first,
    [
      'Triage',
      heading,
      'beginning',
      'today',
      '2 unread',
      'Otto Other, 9:31 AM, new: The mast is up.',
      'Otto Other, 9:31 AM, new: It is a tall one, @Meg Member.',
      'end',
    ],
    heading,
  );
  const second = withoutTimes(await screen.press('n'));
  expect(second.line).toBe('#harbour > sails, Otto, 1 unread');
  expect(second.written[0]).toBe(second.line);
  expect(second.written).toContain('Otto Other, 9:31 AM, new: The sails are dry.');
});

test('spoken: a conversation is read message by message, each with sender, time and state', async () => {
  const {screen} = await harbour();
  const first = 'Otto Other, 9:31 AM, new: The mast is up.';
  const opened = withoutTimes(await screen.press('Enter'));
  const second = 'Otto Other, 9:31 AM, new: It is a tall one, @Meg Member.';
  expect(opened.line).toBe(first);
  expect(opened.written.slice(-4)).toEqual(['today', '2 unread', first, second]);
  expectSpoken(await screen.press('j'), [second]);
  expectSpoken(await screen.press('k'), ['today', '2 unread', first]);
  const starred = 'Otto Other, 9:31 AM, new, starred: The mast is up.';
  expectSpoken(await screen.press('S'), ['Starred, z undo', starred]);
});

test('spoken: a message that scrolls into view is spoken without those that only move', async () => {
  const {screen, program, send} = await harbour();
  for (let nth = 1; nth <= 30; nth++) await send('masts', `Knot ${nth} ${'is tied very tightly '.repeat(nth % 5)}.`);
  await program.pass(200);
  await screen.press('Enter', 'j');
  for (let nth = 1; nth <= 25; nth++) {
    const {line, written} = withoutTimes(await screen.press('j'));
    expect(line).toMatch(new RegExp(`^Otto Other, 9:31 AM, new: Knot ${nth}\\b`));
    expect(written.filter((text) => text.includes('Otto Other'))).toEqual([line]);
  }
});

test('spoken: a reply says where it goes, a chosen name, and the message that was sent', async () => {
  const {screen} = await harbour();
  await screen.press('j', 'Enter');
  const field = 'Write here, @ people # channels : emoji / commands';
  expectSpoken(await screen.press('r'), ['to #harbour > sails Enter send, ^J newline', field]);
  const typed = await screen.type('Good, @ot');
  expect(typed.written.slice(-2)).toEqual(['Good, @ot', 'Otto Other']);
  expect(typed.line).toBe('Good, @ot');
  expectSpoken(await screen.press('Down'), ['Notification Bot bot, not in #harbour'], 'Good, @ot');
  expectSpoken(await screen.press('Up'), ['Otto Other'], 'Good, @ot');
  expectSpoken(await screen.press('Tab'), ['**Otto Other**'], 'Good, @**Otto Other**');
  expectSpoken(await screen.press('Enter'), ['Meg Member, 9:31 AM: Good, @Otto Other', field]);
});

test('spoken: a confirmation says the question and the row that Enter chooses', async () => {
  const {screen} = await harbour();
  await screen.press('j', 'Enter', 'r');
  await screen.type('Oops');
  await screen.press('Enter', 'Esc');
  expectSpoken(await screen.press('Delete'), ['Delete your message?', 'Delete for everyone Oops y', 'Cancel n']);
  expectSpoken(await screen.press('Down'), ['Delete for everyone Oops y']);
  const deleted = await screen.press('Enter');
  expect(deleted.written.join('\n')).toMatch(/[Dd]eleted/);
});

test('spoken: an error is spoken at once, and the cursor stays on its line', async () => {
  const {screen} = await harbour();
  await screen.press('j');
  expectSpoken(await screen.press('F9'), ['No key “F9” here - ? for keys'], sails);
  await screen.press('Enter');
  const refused = await screen.press('Delete');
  expect(refused.written).toHaveLength(1);
});

test('spoken: a menu says its title, its rows, and then the chosen one; moving says only the row', async () => {
  const {screen} = await harbour();
  await screen.press('j', 'Enter');
  const opened = await screen.press('i');
  expect(opened.written[0]).toBe('Message from Otto Other');
  expect(opened.written.at(-1)).toBe('Reply to message r');
  expectSpoken(await screen.press('Down'), ['Quote and reply >']);
  expectSpoken(await screen.press('Up'), ['Reply to message r']);
});

test('spoken: a form says the name, value and help of the field that gets the focus', async () => {
  const {screen} = await harbour();
  const opened = await screen.press('g', 'c', 'n');
  expect(opened.written).toContain('New channel');
  expect(opened.written.at(-1)).toBe('Name');
  expectSpoken(await screen.press('Down'), ['Description', 'Markdown works. One paragraph.'], 'Description');
  const {line, written} = await screen.press('Down');
  expect(line).toBe('Privacy Public');
  expect(written).toContain(line);
  expectSpoken(await screen.press('Right'), ['1 change: privacy', 'Privacy Private, shared history']);
});

/** What the row of a conversation says that begins while the inbox is shown. */
const anchors = '#harbour > anchors, 1 unread, new conversation, Otto: Drop it.';

test('spoken: what arrives waits for the next key, and is written before the row that the key selects', async () => {
  const {screen, program, send} = await harbour();
  await screen.press('j');
  await program.idle(2000);
  await screen.heard();
  await send('anchors', 'Drop it.');
  await vi.waitFor(() => expect(program.app.state.unreads.byId.size).toBe(5));
  await program.idle(120_000);
  expect(await screen.heard()).toEqual({line: sails, written: []});
  expect(await screen.press('k')).toEqual({line: masts, written: [anchors, masts]});
});

test('spoken: with a pause, what arrives is written ten seconds after the last key', async () => {
  const {screen, program, send} = await harbour();
  await screen.turnOn(10_000);
  await screen.press('j');
  await program.idle(2000);
  await screen.heard();
  await send('anchors', 'Drop it.');
  await vi.waitFor(() => expect(program.app.state.unreads.byId.size).toBe(5));
  await program.idle(7000);
  expect((await screen.heard()).written).toEqual([]);
  await program.idle(2000);
  expect(await screen.heard()).toEqual({line: sails, written: [anchors]});
});

test('spoken: a message that arrives in the open conversation is spoken when the user moves to it', async () => {
  const {screen, program, send} = await harbour();
  await screen.press('j', 'Enter');
  await program.idle(2000);
  await screen.heard();
  await send('sails', 'All of them.');
  await vi.waitFor(() => expect(program.app.state.messages.byId.size).toBe(5));
  await program.idle(120_000);
  expect((await screen.heard()).written).toEqual([]);
  expectSpoken(await screen.press('j'), ['Otto Other, 9:31 AM, new: All of them.']);
});

test('spoken: no symbol and no line is drawn', async () => {
  const {screen} = await harbour();
  const drawn = /[^\p{L}\p{N}\p{P}\p{Zs}\p{Emoji}<>|+=^~$\u0060]/u;
  for (const keys of [['j'], ['Enter'], ['i'], ['Esc', 'u'], ['Esc', 'g', 'c'], ['g', 'u'], ['g', 'r'], ['?']]) {
    const {written} = await screen.press(...keys);
    expect(written.filter((text) => drawn.test(text) || /[▌•★●›·…]/.test(text))).toEqual([]);
  }
});

test('spoken: a list beside the messages takes the whole screen, and says what it counts', async () => {
  const {screen, program} = await harbour('130x30');
  await screen.press('Enter', 'S');
  await program.pass(100);
  const {line} = await screen.press('Tab', 'Home');
  expect(line).toMatch(/^Inbox, \d unread/);
  const rows = (await screen.rows()).map((row) => row.trim());
  expect(rows).toContain('Starred, 1 entry');
  expect(rows.join('\n')).not.toContain('The mast is up');
});

test('spoken: the fields of a new message are spoken when they get the focus', async () => {
  const {screen} = await harbour();
  await screen.press('j', 'Enter', 'c');
  expectSpoken(await screen.press('Shift-Tab'), ['Channel harbour']);
  expect((await screen.press('Tab')).line).toBe('Topic general chat');
});

test('spoken: a password is not spelled as symbols', async () => {
  const {screen} = await harbour();
  const {written} = await screen.press('g', ',');
  expect(written).toContain('Password hidden');
});

test('spoken: a long message is wrapped with its sender, and sending it writes it once', async () => {
  const {screen} = await harbour('60x24');
  await screen.press('j', 'Enter', 'r');
  await screen.type('The sails were dried in the loft over night, and folded in the morning by both of us.');
  const sent = withoutTimes(await screen.press('Enter'));
  const lines = [
    'Meg Member, 9:31 AM: The sails were dried in the loft over',
    'night, and folded in the morning by both of us.',
  ];
  expect(sent.written.slice(0, 2)).toEqual(lines);
  expect(sent.written.join(' ').match(/Meg Member/g)).toHaveLength(1);
});
