import fc from 'fast-check';
import {expect, test} from 'vitest';
import {conversationKey, topicConversation} from '#state/model/conversation.ts';
import type {Message} from '#state/model/message.ts';
import {conversationNarrow} from '#state/model/narrow.ts';
import {SortedMap} from '#std/sorted-map.ts';
import {backend, inTopic, noonMs, triageAccount, triageFixture} from '#test/app/inbox/triage-fixture.ts';
import * as eg from '#test/support/state-builders.ts';

const freeze = topicConversation(backend, 'freeze');
const key = conversationKey(freeze);

/** A message of so many lines, each with a word that is nowhere else. */
function long(id: number, lines: number): Message {
  const content = Array.from({length: lines}, (_, at) => `m${id}l${at}.`).join('\n');
  return eg.message({id, channelId: backend, topic: 'freeze', content, timestamp: noonMs / 1000 - 60});
}

type Stage = ReturnType<typeof triageFixture>;

interface Page {
  readonly ids: readonly number[];
  readonly foundOldest?: boolean;
  readonly foundNewest?: boolean;
}

/** A stretch of the conversation, as the server answers it. */
function fetched({session, app}: Stage, {ids, foundOldest = false, foundNewest = false}: Page): void {
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

/** Words that are on the screen, without those that rows quote. */
function wordsOn(stage: Stage): readonly string[] {
  const previewed = stage.pane().map((line) => line.split('│').at(-1) ?? '');
  return previewed.flatMap((line) => (line.includes('#backend') ? [] : (line.match(/m\d+l\d+\./g) ?? [])));
}

function stageWith(messages: readonly Message[], size = '120x40'): Stage {
  return triageFixture({account: triageAccount(messages.map((message) => [message])), size});
}

const isThere = (stage: Stage) => stage.at() === '#backend › freeze';

test('Space goes through every line of a message, however long, before it is done', () => {
  const stage = stageWith([long(50, 300)]);
  stage.load(freeze);
  const seen = new Set(wordsOn(stage));
  for (let page = 0; page < 40 && isThere(stage); page++) {
    expect(stage.unread()).toContain(50);
    for (const word of wordsOn(stage)) seen.add(word);
    stage.press('Space');
  }
  expect(stage.toast()).toBe('Marked #backend › freeze read (3) · z undo');
  expect(seen.size).toBe(300);
  expect(stage.pane().join('\n')).not.toContain('more lines');
});

test('PageDown at the end of a preview goes nowhere, least of all back to what is older', () => {
  const older = Array.from({length: 60}, (_, at) => long(50 + at, 1));
  const stage = stageWith(older);
  stage.load(freeze);
  stage.readElsewhere(1, 2, ...older.slice(0, -1).map(({id}) => id));
  const before = wordsOn(stage);
  expect(before).toContain('m109l0.');
  stage.press('PageDown', 'PageDown');
  expect(wordsOn(stage)).toEqual(before);
});

test('what is not loaded is never marked: Space says so', () => {
  const stage = stageWith(Array.from({length: 200}, (_, at) => long(50 + at, 1)));
  fetched(stage, {ids: [1, 2, ...Array.from({length: 50}, (_, at) => 50 + at)], foundOldest: true});
  stage.press(...new Array<string>(12).fill('Space'));
  expect(stage.toast()).toBe('What follows is not here yet · e marks it read all the same');
  expect(isThere(stage)).toBe(true);
  expect(stage.unread()).toHaveLength(208);
});

test('the end of a conversation of which the beginning is missing marks nothing', () => {
  const stage = stageWith([long(50, 1), long(51, 1), long(52, 1)]);
  fetched(stage, {ids: [51, 52], foundNewest: true});
  expect(wordsOn(stage)).toEqual(['m51l0.', 'm52l0.']);
  stage.press('Space', 'Space');
  expect(stage.toast()).toBe('Some of it is not here yet · e marks it read all the same');
  expect(stage.unread()).toHaveLength(11);
  fetched(stage, {ids: [1, 2, 50, 51, 52], foundOldest: true, foundNewest: true});
  stage.press('Space');
  expect(isThere(stage)).toBe(false);
});

test('what turns out to be between two messages that were seen is shown before anything is done', () => {
  const middle = Array.from({length: 60}, (_, at) => long(51 + at, 1));
  const stage = stageWith([long(50, 1), ...middle, long(120, 1)]);
  fetched(stage, {ids: [1, 2, 50, 120], foundOldest: true, foundNewest: false});
  stage.press('Space', 'Space');
  expect(wordsOn(stage)).toEqual(['m50l0.', 'm120l0.']);
  fetched(stage, {ids: [1, 2, 50, ...middle.map(({id}) => id), 120], foundOldest: true, foundNewest: true});
  const seen = new Set<string>();
  for (let page = 0; page < 20 && isThere(stage); page++) {
    for (const word of wordsOn(stage)) seen.add(word);
    stage.press('Space');
  }
  expect(isThere(stage)).toBe(false);
  for (const {id} of middle) expect(seen).toContain(`m${id}l0.`);
});

test('nothing is marked while nothing is there, and Space asks once more', () => {
  const account = triageAccount();
  const messages = eg.state().messages;
  const stage = triageFixture({account: {...account, messages}});
  stage.session.cache.apply(
    {type: 'timeline_opened', narrow: conversationNarrow(freeze)},
    {type: 'fetch_failed', narrow: conversationNarrow(freeze), problem: 'the server is tired'},
  );
  stage.app.frames.paintNow();
  expect(stage.pane().join('\n')).toMatch(/could not be loaded: the server is.*tired.*Space tries again/s);
  stage.press('Space', 'Space');
  expect(stage.toast()).toBe('These messages are not here yet · e marks them read all the same');
  expect(stage.unread()).toHaveLength(8);
});

test('keys that come faster than pictures turn one page, and are done with one conversation', () => {
  const stage = stageWith([long(50, 100)]);
  stage.load(freeze);
  const [first] = wordsOn(stage);
  stage.type('          ');
  expect(isThere(stage)).toBe(true);
  expect(stage.unread()).toContain(50);
  expect(wordsOn(stage)[0]).not.toBe(first);

  const short = triageFixture();
  short.load(freeze);
  short.type('   ');
  expect(short.unread()).toEqual([3, 4, 5, 6, 7, 8]);
});

test('on a folded group Space says what can be done instead', () => {
  const stage = triageFixture();
  stage.press('G', 'Space');
  expect(stage.at()).toBe('Muted');
  expect(stage.toast()).toBe('This is a group · Enter shows it, X marks all of it read');
  expect(stage.unread()).toHaveLength(8);
});

type Step = 'Space' | 'PageUp' | 'PageDown' | 'burst' | 'arrive' | 'load' | `${number}x${number}`;
const steps = fc.constantFrom<Step>(
  ...(['Space', 'Space', 'Space', 'Space', 'PageUp', 'PageDown', 'burst', 'arrive', 'load'] as const),
  ...(['120x40', '80x24', '40x15', '200x50'] as const),
);

function take(stage: Stage, step: Step, next: () => number): void {
  const {app} = stage;
  if (step === 'burst') stage.type('  ');
  else if (step === 'arrive') stage.arrive(next(), backend, 'freeze');
  else if (step === 'load') stage.load(freeze);
  else if (/^\d/.test(step)) {
    const [columns = 0, rows = 0] = step.split('x').map(Number);
    app.set({size: {columns, rows}});
    app.frames.paintNow();
  } else stage.press(step);
}

test('whatever one does, what Space marks had every line of it on the screen', () => {
  const lengths = fc.array(fc.integer({min: 1, max: 70}), {minLength: 1, maxLength: 6});
  fc.assert(
    fc.property(lengths, fc.array(steps, {minLength: 5, maxLength: 40}), (sizes, course) => {
      const messages = sizes.map((lines, at) => long(50 + at, lines));
      const stage = stageWith(messages);
      const seen = new Set<string>();
      let id = 200;
      for (const step of course) {
        if (!isThere(stage)) break;
        for (const word of wordsOn(stage)) seen.add(word);
        take(stage, step, () => id++);
      }
      const left = new Set(stage.unread());
      const read = messages.filter((message) => !left.has(message.id));
      const words = read.flatMap(({content}) => content.split('\n'));
      expect(words.filter((word) => !seen.has(word))).toEqual([]);
      if (read.length > 0) expect(stage.app.state.unreads.conversations.get(key)?.ids.has(50)).not.toBe(true);
    }),
    {numRuns: 60},
  );
});

test('messages of one line that are all in sight are done with one key', () => {
  const stage = stageWith([inTopic(50, backend, 'freeze', 'so be it')]);
  stage.load(freeze);
  stage.press('Space');
  expect(stage.toast()).toBe('Marked #backend › freeze read (3) · z undo');
});

test('a folded spoiler and what somebody muted wrote are shown by their line, and that line is enough', () => {
  const at = {channelId: backend, topic: 'freeze', timestamp: noonMs / 1000 - 60};
  const account = triageAccount([
    [eg.message({...at, id: 50, content: '```spoiler The end\nit was the butler\n```'})],
    [eg.message({...at, id: 51, senderId: 13, content: 'something rude'})],
  ]);
  const stage = triageFixture({
    account: {...account, mutedUsers: SortedMap.by([{id: 13, timestamp: 1}], ({id}) => id)},
  });
  stage.load(freeze);
  const shown = stage.pane().join('\n');
  expect(shown).toMatch(/The end/);
  expect(shown).not.toMatch(/butler|something rude/);
  stage.press('Space');
  expect(stage.toast()).toBe('Marked #backend › freeze read (4) · z undo');
});
