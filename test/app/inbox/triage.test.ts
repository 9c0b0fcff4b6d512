import {expect, test} from 'vitest';
import {openView} from '#app/navigation/navigation.ts';
import {topicConversation} from '#state/model/conversation.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import * as eg from '#test/support/state-builders.ts';
import {slowTest} from '#test/support/tier.ts';
import {openedPicker, pickerRows} from '#ui/overlays/picker-rows.ts';
import {backend, inTopic, memoryStore, noonMs, random, triageAccount, triageFixture, web} from './triage-fixture.ts';

test('triage: e marks a conversation read and advances, z restores it and returns to it', () => {
  const {press, at, unread, toast} = triageFixture();
  expect(at()).toBe('#backend › freeze');
  press('e');
  expect(unread()).toEqual([3, 4, 5, 6, 7, 8]);
  expect(toast()).toBe('Marked #backend › freeze read (2) · z undo');
  expect(at()).toBe('Carol Diaz');
  press('e', 'e');
  expect(at()).toBe('#web › login');
  press('z');
  expect(at()).toBe('#backend › logs');
  expect(toast()).toBe('Undone: Marked #backend › logs read (1) · Z redo');
  press('z', 'z');
  expect(at()).toBe('#backend › freeze');
  expect(unread()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  press('z');
  expect(toast()).toBe('Nothing to undo.');
});

test('triage: keys in one read advance from row to row', () => {
  const {type, unread, at} = triageFixture();
  type('eee');
  expect(unread()).toEqual([4, 5, 6, 8]);
  expect(at()).toBe('#web › login');
});

test('triage: a message that arrives after the paint stays unread', () => {
  const {press, arrive, unread, at, pane} = triageFixture();
  arrive(101, backend, 'freeze');
  press('e');
  expect(unread()).toEqual([3, 4, 5, 6, 7, 8, 101]);
  expect(at()).toBe('Carol Diaz');
  expect(pane().some((line) => line.includes(' freeze +1'))).toBe(true);
});

test('triage: rows do not move; new ones are added to the end of their group, counts change in place', () => {
  const {press, arrive, pane, app} = triageFixture({size: '80x40'});
  press('j', 'j');
  const titles = () => pane().flatMap((line) => /\s[@!]?\d+ ((?:#|Carol).*?)(?: {2}|$)/.exec(line)?.[1] ?? []);
  const before = titles();
  expect(before).toEqual(['#backend › freeze', 'Carol Diaz', '#backend › logs', '#web › login', '#web › css']);
  arrive(101, web, 'css');
  arrive(102, backend, 'alarm', ['mentioned']);
  arrive(103, web, 'fonts');
  arrive(104, backend, 'logs', ['mentioned']);
  app.frames.paintNow();
  expect(titles()).toEqual([
    '#backend › freeze',
    '#backend › alarm new',
    'Carol Diaz',
    '#backend › logs +1',
    '#web › login',
    '#web › css +1',
    '#web › fonts new',
  ]);
  expect(pane().find((line) => line.startsWith('▌'))).toMatch(/@1 2 #backend › logs/);
  press('Ctrl-L');
  expect(titles().slice(0, 3)).toEqual(['#backend › logs', '#backend › alarm', '#backend › freeze']);
  expect(pane().find((line) => line.startsWith('▌'))).toMatch(/@1 2 #backend › logs/);
});

test('triage: the row under the cursor stays when it is read elsewhere, and a late key acts on no other', () => {
  const {press, at, unread, readElsewhere, toast, pane} = triageFixture();
  press('j');
  readElsewhere(3);
  expect(at()).toBe('Carol Diaz');
  expect(pane().some((line) => line.includes('Carol Diaz read elsewhere'))).toBe(true);
  press('e');
  expect(toast()).toBe('Already read elsewhere.');
  expect(unread()).toEqual([1, 2, 4, 5, 6, 7, 8]);
  expect(at()).toBe('#backend › logs');
  expect(pane().some((line) => line.includes('read elsewhere'))).toBe(false);
});

test('triage: Space pages to the end of the unread messages and only there marks them read', () => {
  const long = Array.from({length: 60}, (_, at) => `line ${at}`).join('\n');
  const account = triageAccount([[eg.message({id: 50, channelId: backend, topic: 'freeze', content: long}), false]]);
  const {press, load, unread, at, toast} = triageFixture({account});
  press('Space', 'Space', 'Space', 'Space', 'Space');
  expect(unread()).toContain(50);
  load(topicConversation(backend, 'freeze'));
  for (let page = 0; page < 10 && at() === '#backend › freeze'; page++) press('Space');
  expect(toast()).toBe('Marked #backend › freeze read (3) · z undo');
  expect(unread()).toEqual([3, 4, 5, 6, 7, 8]);
  press('Space');
  expect(toast()).not.toMatch(/Carol Diaz/);
  expect(unread()).toContain(3);
});

test('triage: n skips a row, which is offered again when nothing else is left', () => {
  const {press, at} = triageFixture();
  press('n');
  expect(at()).toBe('Carol Diaz');
  press('e', 'e', 'e', 'e');
  expect(at()).toBe('#backend › freeze');
  press('e');
  expect(at()).toBe('Muted');
});

test('triage: of several skipped rows the one that comes first is offered first', () => {
  const {press, at} = triageFixture();
  press('n', 'n', 'n');
  expect(at()).toBe('#web › login');
  press('e', 'e');
  expect(at()).toBe('#backend › freeze');
  press('e');
  expect(at()).toBe('Carol Diaz');
});

test('triage: M mutes and advances, F follows and stays; both can be undone', () => {
  const {press, at, app, pane} = triageFixture();
  press('j', 'j', 'M');
  expect(app.screen.toast?.text).toBe('Muted #backend › logs · z undo');
  expect(at()).toBe('#web › login');
  expect(pane().some((line) => line.includes('MUTED ▸  2'))).toBe(true);
  press('F');
  expect(at()).toBe('#web › login');
  expect(pane().find((line) => line.includes('▌'))).toMatch(/ login .*◎/);
  press('z', 'z');
  expect(at()).toBe('#backend › logs');
  expect(app.state.userTopics.get('c2:logs')?.policy ?? 0).toBe(0);
});

test('triage: several selected rows are marked done with one key and undone with one', () => {
  const {press, unread} = triageFixture();
  press('v', 'j', 'v', 'j', 'j', 'v', 'j', 'e');
  expect(unread()).toEqual([4, 7, 8]);
  press('z');
  expect(unread()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
});

test('triage: X marks the whole channel done, after a question about several; on a folded group the group', () => {
  const {press, at, unread, toast, app} = triageFixture();
  press('j', 'j', 'j');
  expect(at()).toBe('#web › login');
  press('X');
  const question = openedPicker(app);
  expect(question?.picker.title).toBe('Mark #web read: 2 conversations?');
  expect(question && pickerRows(app.frame, question)[1]).toMatchObject({
    label: 'Mark 3 messages read',
    detail: '#web › login, #web › css',
  });
  press('n');
  expect(unread()).toHaveLength(8);
  press('X', 'y');
  expect(toast()).toBe('Marked #web read (3 in 2 conversations) · z undo');
  expect(unread()).toEqual([1, 2, 3, 7, 8]);
  press('G');
  expect(at()).toBe('Muted');
  press('e');
  expect(toast()).toMatch(/^This is a group/);
  press('X');
  expect(unread()).toEqual([1, 2, 3, 7]);
  press('z', 'z');
  expect(unread()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
});

test('triage: a snooze hides until its time, returns marked, and lasts over a restart', () => {
  const clock = new ManualClock(noonMs);
  const store = memoryStore(clock);
  const first = triageFixture({clock, store});
  first.press('b', 'h');
  expect(first.toast()).toBe('Snoozed #backend › freeze until 13:00 · z undo');
  expect(first.at()).toBe('Carol Diaz');
  first.press('b', 'd', 'b', 'n', 'b', 'Enter');
  expect(first.at()).toBe('#web › css');
  expect(first.unread()).toHaveLength(8);
  first.app.end();

  const second = triageFixture({clock, store});
  expect(second.at()).toBe('#web › css');
  const shown = () => second.pane().join('\n');
  expect(shown()).not.toMatch(/freeze|1 Carol Diaz|logs|login/);
  second.arrive(101, backend, 'logs');
  second.app.frames.paintNow();
  expect(shown()).toMatch(/ logs .*◷/);
  clock.advance(3_600_000);
  expect(shown()).toMatch(/ freeze .*◷/);
  second.press('e', 'e', 'e');
  expect(shown()).toMatch(/ login .*◷/);
  second.press('e');
  expect(shown()).toMatch(/Inbox zero/);
  expect(shown()).toMatch(/tomorrow 09:00 {2}Carol Diaz/);
});

test('triage: a snoozed conversation returns at once with a mention', () => {
  const {press, arrive, app, pane} = triageFixture();
  press('b', 'd');
  arrive(101, backend, 'freeze');
  app.frames.paintNow();
  expect(pane().join('\n')).not.toMatch(/freeze/);
  arrive(102, backend, 'freeze', ['mentioned']);
  app.frames.paintNow();
  expect(pane().join('\n')).toMatch(/freeze .*◷/);
});

test('triage: z undoes a snooze', () => {
  const {press, at} = triageFixture();
  press('b', 'd', 'z');
  expect(at()).toBe('#backend › freeze');
});

test('triage: actions can be undone after a restart, exactly and in order', () => {
  const clock = new ManualClock(noonMs);
  const store = memoryStore(clock);
  const first = triageFixture({clock, store});
  first.press('e', 'e');
  clock.advance(1000);
  first.press('b', 'd', 'e', 'z', 'e');
  expect(first.unread()).toEqual([4, 7, 8]);
  first.app.end();

  const second = triageFixture({clock, store});
  expect(second.unread()).toEqual([4, 7, 8]);
  second.press('z');
  expect(second.toast()).toBe('Undone: Marked #web › login read (2) · Z redo');
  expect(second.at()).toBe('#web › login');
  second.press('z');
  expect(second.at()).toBe('#backend › logs');
  second.press('z', 'z');
  expect(second.unread()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  second.press('z');
  expect(second.toast()).toBe('Nothing to undo.');
  second.app.end();
  const third = triageFixture({clock, store});
  third.press('z');
  expect(third.toast()).toBe('Nothing to undo.');
});

slowTest('triage: more than a hundred actions can be undone one after the other', () => {
  const many = Array.from(
    {length: 120},
    (_, at) => [eg.message({id: 1000 + at, channelId: web, topic: `topic ${at}`})] as const,
  );
  const {press, unread} = triageFixture({account: triageAccount(many)});
  const before = unread();
  press(...new Array<string>(120).fill('e'));
  expect(unread()).toHaveLength(before.length - 121);
  press(...new Array<string>(120).fill('z'));
  expect(unread()).toEqual(before);
});

test('triage: exploring marks nothing read and says so', () => {
  const {press, unread, at, toast} = triageFixture({info: {isExploring: true}});
  press('e');
  expect(toast()).toBe('Exploring: nothing is marked read');
  expect(unread()).toHaveLength(8);
  expect(at()).toBe('Carol Diaz');
  press('X', 'Space');
  expect(unread()).toHaveLength(8);
});

test('triage: a read-only session changes nothing', () => {
  const {press, unread, toast} = triageFixture({info: {isReadOnly: true}});
  press('e');
  expect(toast()).toBe('This session is read-only: nothing is marked read');
  press('k', 'M');
  expect(toast()).toBe('This session is read-only: nothing is changed');
  expect(unread()).toHaveLength(8);
});

test.each([
  ['online', 'Replied in #backend › freeze'],
  ['offline', 'Reply in #backend › freeze waits for the connection'],
] as const)(
  'triage: %s, a reply marks the messages read that were unread at its start, and the cursor advances',
  (connection, said) => {
    const {press, type, arrive, unread, at, app, toast} = triageFixture({connection});
    press('r');
    expect(app.screen.focus).toBe('composer');
    type('yes');
    arrive(101, backend, 'freeze');
    press('Enter');
    expect(app.state.outbox.map(({content}) => content)).toEqual(['yes']);
    expect(toast()).toBe(`${said}, marked read (2) · z undo`);
    expect(unread()).toEqual([3, 4, 5, 6, 7, 8, 101]);
    expect(app.screen.focus).toBe('main');
    expect(at()).toBe('Carol Diaz');
  },
);

test('triage: with after_reply = stay, the cursor stays after a reply, and its messages are read', () => {
  const {press, type, unread, at, app} = triageFixture({settings: {afterReply: 'stay'}});
  press('r');
  type('yes');
  press('Enter');
  expect(app.state.outbox.map(({content}) => content)).toEqual(['yes']);
  expect(unread()).toEqual([3, 4, 5, 6, 7, 8]);
  expect(at()).toBe('#backend › freeze');
  press('z');
  expect(unread()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
});

test('triage: R writes to the sender alone and marks nothing read', () => {
  const {press, type, unread, app} = triageFixture();
  press('R');
  type('psst');
  press('Enter');
  expect(app.state.outbox[0]?.conversation).toEqual({kind: 'direct', userIds: [11]});
  expect(unread()).toHaveLength(8);
});

test('triage: thumbs-up, star and copy act on unread messages and stay on the row', () => {
  const {press, at, app, deviceCalls} = triageFixture();
  press('+', 'S', 'C');
  expect(app.state.messages.byId.get(2)?.reactions).toMatchObject([{emojiName: '+1'}]);
  expect([...app.state.starred]).toEqual([1]);
  expect(deviceCalls).toContainEqual(['copy', 'Carol Diaz: can we lift the freeze?\n\nCarol Diaz: it is urgent']);
  expect(at()).toBe('#backend › freeze');
});

test('triage: the summary counts the actions, and the undo history undoes each of them', () => {
  const {press, type, clock, pane, at, unread, toast} = triageFixture();
  press('e', 'r');
  type('soon');
  press('Enter', 'M');
  clock.advance(360_000);
  press('b', 'd', 'e');
  const lines = pane().map((line) => line.trim());
  expect(lines).toContain('Inbox zero · 6 min');
  expect(lines).toContain('5 conversations: 2 done · 1 replied · 1 muted · 1 snoozed (returns tomorrow 09:00)');
  expect(lines).toContain('tomorrow 09:00  #web › login');
  expect(lines).toContain('2 muted conversations are unread · 6 shows');
  press('l');
  press('Down', 'Down', 'Down');
  expect(unread()).not.toContain(3);
  press('Enter');
  expect(toast()).toBe('Unread again: Carol Diaz (1) · the reply stays');
  press('Esc');
  expect(at()).toBe('Carol Diaz');
  expect(unread()).toContain(3);
});

test('triage: the summary separates earlier snoozes from actions of this session', () => {
  const clock = new ManualClock(noonMs);
  const store = memoryStore(clock);
  const first = triageFixture({clock, store});
  first.press('b', 'h', 'b', 'n');
  first.app.end();
  clock.advance(3_000_000);
  const {press, pane} = triageFixture({clock, store});
  press('e', 'e', 'e');
  const lines = pane().map((line) => line.trim());
  expect(lines).toContain('3 conversations: 3 done');
  expect(lines).toContain('2 snoozed (first returns 13:00)');
  expect(lines).toContain('13:00         #backend › freeze');
  expect(lines).toContain('next message  Carol Diaz');
});

test.each([
  ['online', /Nothing unread\./],
  ['offline', /Nothing unread as of the last connection\./],
] as const)('triage: %s, an empty inbox says so and shows the keys to use', (connection, said) => {
  const {pane} = triageFixture({account: eg.state(), connection});
  const text = pane().join('\n');
  expect(text).toMatch(said);
  expect(text).toMatch(/t recent {2}c new topic {2}x direct message/);
});

test('triage: tabs show one group, f changes the topic filter, - folds', () => {
  const {press, pane, app} = triageFixture({size: '80x24'});
  const shown = () => pane().filter((line) => /[@!\d] (#|Carol)/.test(line)).length;
  press('2');
  expect(shown()).toBe(1);
  press('5');
  expect(shown()).toBe(3);
  press('6');
  expect(pane().some((line) => line.includes('#random › cats'))).toBe(true);
  press('1', '-');
  expect(pane().some((line) => line.includes('MENTIONS ▸  @1 2'))).toBe(true);
  press('-', 'f');
  expect(app.screen.toast?.text).toMatch(/followed/i);
  expect(shown()).toBe(2);
});

test('triage: one conversation at a time has the whole pane, and e advances to the next', () => {
  const {press, pane, app, load} = triageFixture();
  load(topicConversation(backend, 'freeze'));
  press('g', 't');
  expect(app.screen.view.kind).toBe('triage');
  expect(pane()[0]).toMatch(/^ #backend › freeze .* 2 unread/);
  expect(pane().join('\n')).toMatch(/can we lift the freeze\?/);
  press('e');
  expect(pane()[0]).toMatch(/^ Carol Diaz .* triage 1\/5/);
  press('e', 'e', 'e', 'e');
  expect(pane().join('\n')).toMatch(/Inbox zero/);
});

test('triage: coming back puts the cursor on the row after one that was read meanwhile', () => {
  const {press, at, app, readElsewhere} = triageFixture();
  press('j', 'j', 'Enter');
  expect(app.screen.view.kind).toBe('messages');
  readElsewhere(7);
  openView(app, {kind: 'inbox'});
  expect(at()).toBe('#web › login');
});

test('triage: muted conversations are folded and not counted', () => {
  const {pane} = triageFixture({size: '80x24'});
  const text = pane().join('\n');
  expect(text).toMatch(/6 Muted 1/);
  expect(text).not.toMatch(/cats/);
  expect(random).toBe(3);
});

test('triage: with nothing left, no key acts on folded muted conversations', () => {
  const {press, unread, toast, pane} = triageFixture();
  press('e', 'e', 'e', 'e', 'e');
  expect(pane().join('\n')).toMatch(/Inbox zero/);
  press('X');
  expect(toast()).toBe('The inbox is empty');
  press('e', 'Space');
  expect(unread()).toEqual([8]);
});

test('triage: the progress is shown in full or not at all, and not beside the summary', () => {
  const wide = triageFixture({size: '80x24'});
  wide.press('e');
  expect(wide.pane()[0]).toContain('triage 1/5');
  const narrow = triageFixture({size: '40x15'});
  narrow.press('e');
  expect(narrow.pane()[0]).not.toMatch(/tri|…/);
  narrow.press('f');
  expect(narrow.pane()[0]).toMatch(/ filtered$/);
  wide.press('e', 'e', 'e', 'e');
  expect(wide.pane().join()).toContain('Inbox zero');
  expect(wide.pane()[0]).not.toContain('triage');
});

test('triage: a row restored by undo after the inbox was reopened is not shown as new', () => {
  const {press, app, pane} = triageFixture({size: '80x40'});
  press('e');
  openView(app, {kind: 'recent'});
  openView(app, {kind: 'inbox'});
  expect(pane().join()).not.toContain('#backend › freeze');
  press('e', 'z', 'z');
  const row = pane().find((line) => line.includes('#backend › freeze'));
  expect(row).toBeDefined();
  expect(row).not.toContain(' new ');
});

test('triage: C copies the unread messages of the row with their senders, and says how many', async () => {
  const {press, deviceCalls, toast} = triageFixture();
  press('C');
  await expect.poll(toast).toContain('2 messages');
  press('j', 'C');
  await expect.poll(toast).toContain('1 message');
  expect(toast()).not.toContain('1 messages');
  expect(deviceCalls.filter(([name]) => name === 'copy')).toEqual([
    ['copy', 'Carol Diaz: can we lift the freeze?\n\nCarol Diaz: it is urgent'],
    ['copy', 'Carol Diaz: lunch?'],
  ]);
});

test('triage: o lists the links of the messages on screen, or says that there are none', () => {
  const linked = inTopic(9, web, 'docs', 'see https://example.com/a');
  const {press, load, toast, at, app} = triageFixture({account: triageAccount([[linked]])});
  load(topicConversation(backend, 'freeze'));
  press('o');
  expect([toast(), openedPicker(app.frame)]).toEqual(['No links on screen.', undefined]);
  load(topicConversation(web, 'docs'));
  for (let step = 0; step < 10 && at() !== '#web › docs'; step++) press('j');
  press('o');
  const opened = openedPicker(app.frame);
  const labels = opened && pickerRows(app.frame, opened).map(({label}) => label);
  expect(labels).toEqual([expect.stringContaining('https://example.com/a')]);
});

test('triage: a row that another program snoozes leaves the list', async () => {
  const clock = new ManualClock(noonMs);
  const store = memoryStore(clock);
  let changed = () => {};
  const watched: typeof store = {
    ...store,
    onExternalChange: (listener) => {
      changed = listener;
      return () => {};
    },
  };
  const {pane, app} = triageFixture({clock, store: watched});
  triageFixture({clock, store}).press('b', 'h');
  expect(pane().join('\n')).toContain('freeze');
  changed();
  app.frames.paintNow();
  expect(pane().join('\n')).not.toContain('freeze');
});
