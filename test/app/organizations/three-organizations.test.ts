import {expect, test} from 'vitest';
import {changeList} from '#app/lists/change-list.ts';
import {conversationTitle} from '#state/selectors/names/names.ts';
import {noonMs} from '#test/app/inbox/triage-fixture.ts';
import {channelMessage} from '#test/state/messages/wire-events.ts';
import {overlayText} from '#test/support/overlay-text.ts';
import * as eg from '#test/support/state-builders.ts';
import {shownConversation} from '#ui/core/frame.ts';
import {inboxList} from '#ui/inbox/inbox-list.ts';
import {visibleRowsOf} from '#ui/lists/visible-rows.ts';
import {organizationsFixture} from './organizations-fixture.ts';

const three = {acme: undefined, beta: undefined, gamma: undefined};
const names = Object.keys(three);

type Fixture = ReturnType<typeof organizationsFixture>;

/** Where the user is: the account and its conversation, or the kind of its view. */
function place({shown}: Pick<Fixture, 'shown'>): string {
  const {state, screen, info} = shown();
  const conversation = shownConversation(screen);
  return `${info.accountName}: ${conversation === undefined ? screen.view.kind : conversationTitle(state, conversation)}`;
}

const unreadPlaces = (name: string) =>
  ['#backend › freeze', 'Carol Diaz', '#backend › logs', '#web › login', '#web › css'].map((one) => `${name}: ${one}`);

/** Presses a key several times; returns where each leads. */
function walk(fixture: Fixture, key: string, count: number): readonly string[] {
  return Array.from({length: count}, () => {
    fixture.press(key);
    return place(fixture);
  });
}

test.each(['grouped', 'mixed'] as const)(
  'three organizations, %s: Alt-Down walks through the unread conversations of all, and Alt-Up the same way back',
  (arrangement) => {
    const fixture = organizationsFixture(three, arrangement);
    const places = names.flatMap(unreadPlaces);
    expect(walk(fixture, 'Alt-Down', places.length)).toEqual(places);
    expect(walk(fixture, 'Alt-Up', places.length)).toEqual([...places.slice(0, -1).toReversed(), 'acme: inbox']);
  },
);

test('three organizations: in a walk, Alt-Up and Alt-Down may alternate where an organization begins', () => {
  const fixture = organizationsFixture({...three, beta: eg.state({})});
  const [first = '', ...others] = unreadPlaces('gamma');
  const last = unreadPlaces('acme').at(-1) ?? '';
  walk(fixture, 'Alt-Down', 5);
  expect([...walk(fixture, 'Alt-Down', 1), ...walk(fixture, 'Alt-Up', 1)]).toEqual([first, last]);
  expect(walk(fixture, 'Alt-Down', 2)).toEqual([first, others[0]]);
});

/** The labels of the rows, with the marks of their organizations. */
const rowTexts = ({shown}: Fixture) =>
  visibleRowsOf(shown().frame, inboxList).rows.map((row) => `${'mark' in row ? row.mark : ''} ${row.label}`);

const changes: Readonly<Record<string, (fixture: Fixture) => void>> = {
  'nothing changed': () => {},
  'a tab': ({press}) => press('5'),
  'another filter of topics': ({press}) => press('f'),
  'a folded group': ({press}) => press('-'),
  'an opened group': ({press}) => press('G', '-'),
  'another order': ({press}) => press('o'),
  'words to filter by': ({shown}) =>
    changeList(shown(), 'inbox', (list) => ({...list, filter: {...list.filter, text: 'web', cursor: 3}})),
};

test.each(
  (['grouped', 'mixed'] as const).flatMap((arrangement) =>
    Object.keys(changes).map((name) => [name, arrangement] as const),
  ),
)('three organizations: with %s (%s) the list stays the same wherever the cursor is', (name, arrangement) => {
  const fixture = organizationsFixture(three, arrangement, '80x80');
  changes[name]?.(fixture);
  const before = rowTexts(fixture);
  const visited: string[] = [];
  for (const key of ['j', 'k']) {
    for (let step = 0; step < before.length; step++) {
      fixture.press(key);
      expect(rowTexts(fixture)).toEqual(before);
      visited.push(fixture.shown().info.accountName);
    }
  }
  expect(new Set(visited)).toEqual(new Set(names));
});

test('three organizations: mentions are in the order of their times, whatever their ids', async () => {
  const now = Math.floor(noonMs / 1000);
  const mentions: Readonly<Record<string, readonly [id: number, secondsAgo: number][]>> = {
    acme: [[900, 600]],
    beta: [
      [4, 900],
      [5, 60],
    ],
    gamma: [[50, 300]],
  };
  const answer = (name: string) => ({
    result: 'success' as const,
    msg: '',
    anchor: 0,
    found_newest: true,
    found_oldest: true,
    found_anchor: false,
    history_limited: false,
    messages: (mentions[name] ?? []).map(([id, secondsAgo]) => ({
      ...channelMessage({id, content: `${name} ${id}`, timestamp: now - secondsAgo}),
      flags: ['mentioned'],
    })),
  });
  const {press, shown, fixtures} = organizationsFixture(three, 'grouped', '120x40', (name) => ({
    api: {getMessages: () => Promise.resolve(answer(name))},
  }));
  press('g', 'A');
  const texts = () => {
    for (const {app} of fixtures) app.frames.paintNow();
    return overlayText(shown().frame).flatMap((line) => /(?:acme|beta|gamma) \d+/.exec(line) ?? []);
  };
  await expect.poll(texts).toEqual(['beta 5', 'gamma 50', 'acme 900', 'beta 4']);
  const found = (words: string) => {
    press('Ctrl-U');
    fixtures.find(({app}) => app === shown())?.type(words);
    return texts();
  };
  expect([found('beta'), found('4 BETA'), found('gamma acme')]).toEqual([['beta 5', 'beta 4'], ['beta 4'], []]);
  // The conversation counts too.
  expect([found('gamma ›'), found('gamma nowhere')]).toEqual([['gamma 50'], []]);
});
