import fc from 'fast-check';
import {expect, test} from 'vitest';
import {conversationKey, topicConversation} from '#state/model/conversation.ts';
import type {Message} from '#state/model/message.ts';
import {conversationNarrow} from '#state/model/narrow.ts';
import {SortedMap} from '#std/sorted-map.ts';
import * as eg from '#test/support/state-builders.ts';
import {fewOrAll} from '#test/support/tier.ts';
import {backend, inTopic, noonMs, triageAccount, triageFixture} from './triage-fixture.ts';

const freeze = topicConversation(backend, 'freeze');
const key = conversationKey(freeze);

/** A message of several lines, each with a unique word. */
function longMessage(id: number, lines: number): Message {
  const content = Array.from({length: lines}, (_, at) => `m${id}l${at}.`).join('\n');
  return eg.message({id, channelId: backend, topic: 'freeze', content, timestamp: noonMs / 1000 - 60});
}

type Fixture = ReturnType<typeof triageFixture>;

interface Page {
  readonly ids: readonly number[];
  readonly foundOldest?: boolean;
  readonly foundNewest?: boolean;
}

/** Applies a page of the conversation as the server would return it. */
function applyPage({session, app}: Fixture, {ids, foundOldest = false, foundNewest = false}: Page): void {
  const {messages} = session.cache.state;
  const narrow = conversationNarrow(freeze);
  session.cache.apply(
    {type: 'timeline_opened', narrow},
    {type: 'fetch_started'},
    {
      type: 'messages_fetched',
      messages: ids.flatMap((id) => messages.byId.get(id) ?? []),
      unreadIds: [...ids],
      since: undefined,
      page: {narrow, joins: 'replace', anchor: undefined, foundOldest, foundNewest, matches: []},
    },
  );
  app.frames.paintNow();
}

/** Returns the words in the preview, without those in rows of the list. */
function previewWords(fixture: Fixture): readonly string[] {
  const previewed = fixture.pane().map((line) => line.split('│').at(-1) ?? '');
  return previewed.flatMap((line) => (line.includes('#backend') ? [] : (line.match(/m\d+l\d+\./g) ?? [])));
}

function fixtureWith(messages: readonly Message[], size = '120x40'): Fixture {
  return triageFixture({account: triageAccount(messages.map((message) => [message])), size});
}

const isOnFreeze = (fixture: Fixture) => fixture.at() === '#backend › freeze';

test('Space in the inbox: pages through every line of a long message before marking it done', () => {
  const fixture = fixtureWith([longMessage(50, 300)]);
  fixture.load(freeze);
  const viewedWords = new Set(previewWords(fixture));
  for (let page = 0; page < 40 && isOnFreeze(fixture); page++) {
    expect(fixture.unread()).toContain(50);
    for (const word of previewWords(fixture)) viewedWords.add(word);
    fixture.press('Space');
  }
  expect(fixture.toast()).toBe('Marked #backend › freeze read (3) · z undo');
  expect(viewedWords.size).toBe(300);
  expect(fixture.pane().join('\n')).not.toContain('more lines');
});

test('PageUp and PageDown in the inbox: fetch what comes before and after the loaded messages, at their ends only', () => {
  const messages = Array.from({length: 60}, (_, at) => longMessage(50 + at, 1));
  const fixture = fixtureWith(messages);
  const {timelines} = fixture.session;
  const fetched: string[] = [];
  Object.assign(timelines, {
    loadOlder: async () => void fetched.push('older'),
    loadNewer: async () => void fetched.push('newer'),
  });
  applyPage(fixture, {ids: messages.map(({id}) => id)});
  for (let page = 0; page < 5; page++) fixture.press('PageUp');
  expect(new Set(fetched)).toEqual(new Set(['older']));
  fetched.length = 0;
  for (let page = 0; page < 5; page++) fixture.press('PageDown');
  expect(new Set(fetched)).toEqual(new Set(['newer']));
  applyPage(fixture, {ids: messages.map(({id}) => id), foundOldest: true, foundNewest: true});
  fetched.length = 0;
  for (let page = 0; page < 5; page++) fixture.press('PageUp');
  for (let page = 0; page < 5; page++) fixture.press('PageDown');
  expect(fetched).toEqual([]);
});

test('Space in the inbox: PageDown at the end of a preview does not move, and never goes back', () => {
  const older = Array.from({length: 60}, (_, at) => longMessage(50 + at, 1));
  const fixture = fixtureWith(older);
  fixture.load(freeze);
  fixture.readElsewhere(1, 2, ...older.slice(0, -1).map(({id}) => id));
  const before = previewWords(fixture);
  expect(before).toContain('m109l0.');
  fixture.press('PageDown', 'PageDown');
  expect(previewWords(fixture)).toEqual(before);
});

test('Space in the inbox: messages that are not loaded are never marked read, and a toast says so', () => {
  const fixture = fixtureWith(Array.from({length: 200}, (_, at) => longMessage(50 + at, 1)));
  applyPage(fixture, {ids: [1, 2, ...Array.from({length: 50}, (_, at) => 50 + at)], foundOldest: true});
  fixture.press(...new Array<string>(12).fill('Space'));
  expect(fixture.toast()).toBe('Next messages still loading · e marks them read anyway');
  expect(isOnFreeze(fixture)).toBe(true);
  expect(fixture.unread()).toHaveLength(208);
});

test('Space in the inbox: the end of a conversation whose beginning is missing marks nothing read', () => {
  const fixture = fixtureWith([longMessage(50, 1), longMessage(51, 1), longMessage(52, 1)]);
  applyPage(fixture, {ids: [51, 52], foundNewest: true});
  expect(previewWords(fixture)).toEqual(['m51l0.', 'm52l0.']);
  fixture.press('Space', 'Space');
  expect(fixture.toast()).toBe('Some messages still loading · e marks them read anyway');
  expect(fixture.unread()).toHaveLength(11);
  applyPage(fixture, {ids: [1, 2, 50, 51, 52], foundOldest: true, foundNewest: true});
  fixture.press('Space');
  expect(isOnFreeze(fixture)).toBe(false);
});

test('Space in the inbox: messages loaded between two viewed ones are shown before anything is marked', () => {
  const middle = Array.from({length: 60}, (_, at) => longMessage(51 + at, 1));
  const fixture = fixtureWith([longMessage(50, 1), ...middle, longMessage(120, 1)]);
  applyPage(fixture, {ids: [1, 2, 50, 120], foundOldest: true, foundNewest: false});
  fixture.press('Space', 'Space');
  expect(previewWords(fixture)).toEqual(['m50l0.', 'm120l0.']);
  applyPage(fixture, {
    ids: [1, 2, 50, ...middle.map(({id}) => id), 120],
    foundOldest: true,
    foundNewest: true,
  });
  const viewedWords = new Set<string>();
  for (let page = 0; page < 20 && isOnFreeze(fixture); page++) {
    for (const word of previewWords(fixture)) viewedWords.add(word);
    fixture.press('Space');
  }
  expect(isOnFreeze(fixture)).toBe(false);
  for (const {id} of middle) expect(viewedWords).toContain(`m${id}l0.`);
});

test('Space in the inbox: with nothing loaded nothing is marked, and Space fetches again', () => {
  const account = triageAccount();
  const messages = eg.state().messages;
  const fixture = triageFixture({account: {...account, messages}});
  fixture.session.cache.apply(
    {type: 'timeline_opened', narrow: conversationNarrow(freeze)},
    {type: 'fetch_failed', narrow: conversationNarrow(freeze), problem: 'the server is tired'},
  );
  fixture.app.frames.paintNow();
  expect(fixture.pane().join('\n')).toMatch(/could not be loaded: the server is.*tired.*Space tries again/s);
  fixture.press('Space', 'Space');
  expect(fixture.toast()).toBe('Messages still loading · e marks them read anyway');
  expect(fixture.unread()).toHaveLength(8);
});

test('Space in the inbox: keys faster than paints turn one page and mark one conversation done', () => {
  const fixture = fixtureWith([longMessage(50, 100)]);
  fixture.load(freeze);
  const [first] = previewWords(fixture);
  fixture.type('          ');
  expect(isOnFreeze(fixture)).toBe(true);
  expect(fixture.unread()).toContain(50);
  expect(previewWords(fixture)[0]).not.toBe(first);

  const short = triageFixture();
  short.load(freeze);
  short.type('   ');
  expect(short.unread()).toEqual([3, 4, 5, 6, 7, 8]);
});

test('Space in the inbox: on a folded group a toast says what to press instead', () => {
  const fixture = triageFixture();
  fixture.press('G', 'Space');
  expect(fixture.at()).toBe('Muted');
  expect(fixture.toast()).toBe('This is a group · Enter unfolds it, X marks all read');
  expect(fixture.unread()).toHaveLength(8);
});

type Step = 'Space' | 'PageUp' | 'PageDown' | 'burst' | 'arrive' | 'load' | `${number}x${number}`;
const steps = fc.constantFrom<Step>(
  ...(['Space', 'Space', 'Space', 'Space', 'PageUp', 'PageDown', 'burst', 'arrive', 'load'] as const),
  ...(['120x40', '80x24', '40x15', '200x50'] as const),
);

function applyStep(fixture: Fixture, step: Step, next: () => number): void {
  const {app} = fixture;
  if (step === 'burst') fixture.type('  ');
  else if (step === 'arrive') fixture.arrive(next(), backend, 'freeze');
  else if (step === 'load') fixture.load(freeze);
  else if (/^\d/.test(step)) {
    const [columns = 0, rows = 0] = step.split('x').map(Number);
    app.set({size: {columns, rows}});
    app.frames.paintNow();
  } else fixture.press(step);
}

test('Space in the inbox: every line of the marked messages was on screen, whatever the user does', () => {
  const lengths = fc.array(fc.integer({min: 1, max: 70}), {minLength: 1, maxLength: 6});
  fc.assert(
    fc.property(lengths, fc.array(steps, {minLength: 5, maxLength: 40}), (sizes, stepList) => {
      const messages = sizes.map((lines, at) => longMessage(50 + at, lines));
      const fixture = fixtureWith(messages);
      const viewedWords = new Set<string>();
      let id = 200;
      for (const step of stepList) {
        if (!isOnFreeze(fixture)) break;
        for (const word of previewWords(fixture)) viewedWords.add(word);
        applyStep(fixture, step, () => id++);
      }
      const left = new Set(fixture.unread());
      const read = messages.filter((message) => !left.has(message.id));
      const words = read.flatMap(({content}) => content.split('\n'));
      expect(words.filter((word) => !viewedWords.has(word))).toEqual([]);
      if (read.length > 0) expect(fixture.app.state.unreads.conversations.get(key)?.ids.has(50)).not.toBe(true);
    }),
    {numRuns: fewOrAll(15, 120)},
  );
});

test('Space in the inbox: one-line messages that are all on screen are marked done with one key', () => {
  const fixture = fixtureWith([inTopic(50, backend, 'freeze', 'so be it')]);
  fixture.load(freeze);
  fixture.press('Space');
  expect(fixture.toast()).toBe('Marked #backend › freeze read (3) · z undo');
});

test("Space in the inbox: a folded spoiler and a muted user's message count as viewed by their one line", () => {
  const at = {channelId: backend, topic: 'freeze', timestamp: noonMs / 1000 - 60};
  const account = triageAccount([
    [eg.message({...at, id: 50, content: '```spoiler The end\nit was the butler\n```'})],
    [eg.message({...at, id: 51, senderId: 13, content: 'something rude'})],
  ]);
  const fixture = triageFixture({
    account: {...account, mutedUsers: SortedMap.by([{id: 13, timestamp: 1}], ({id}) => id)},
  });
  fixture.load(freeze);
  const shown = fixture.pane().join('\n');
  expect(shown).toMatch(/The end/);
  expect(shown).not.toMatch(/butler|something rude/);
  fixture.press('Space');
  expect(fixture.toast()).toBe('Marked #backend › freeze read (4) · z undo');
});
