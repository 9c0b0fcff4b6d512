import {expect, test} from 'vitest';
import type {LocalSettings} from '#app/core/host.ts';
import {resortInbox} from '#app/inbox/enter-inbox.ts';
import {openView} from '#app/navigation/navigation.ts';
import type {InboxSort} from '#state/selectors/inbox/inbox.ts';
import * as eg from '#test/support/state-builders.ts';
import {inboxList} from '#ui/inbox/inbox-list.ts';
import {visibleRowsOf} from '#ui/lists/visible-rows.ts';
import {noonMs, type TriageFixtureOptions, triageAccount, triageFixture} from './triage-fixture.ts';

/** The inbox of the fixture with one more direct message, and a way to choose its order with keys. */
function sortFixture(options: TriageFixtureOptions = {}) {
  const direct = eg.direct({id: 9, senderId: 12, userIds: [12], names: {12: 'Dan Ek'}, timestamp: noonMs / 1000 - 60});
  const saved: string[] = [];
  const choices = {priority: 'by priority', newest: 'newest first', oldest: 'oldest first', channel: 'by channel'};
  const localSettings: LocalSettings = {
    list: () => [
      {
        key: 'inboxOrder',
        name: 'inbox_order',
        title: 'Order of the inbox',
        description: '',
        default: 'priority',
        value: fixture.app.screen.inbox.order.sort,
        choices,
      },
    ],
    change: (_key, value) => {
      saved.push(String(value));
      resortInbox(fixture.app, value as InboxSort);
      return {isSaved: true, statusText: 'saved'};
    },
  };
  const fixture: ReturnType<typeof triageFixture> = triageFixture({
    account: triageAccount([[direct]]),
    localSettings,
    ...options,
  });
  const list = () => fixture.pane().map((line) => (line.split('│')[0] ?? '').trimEnd());
  const choose = (name: string) => {
    fixture.press('O');
    fixture.type(name);
    fixture.press('Enter');
    fixture.app.frames.paintNow();
  };
  /** The names of the conversations from the top. */
  const names = () => {
    const {rows} = visibleRowsOf(fixture.app.frame, inboxList);
    return rows.filter(({kind}) => kind === 'item').map(({label}) => label);
  };
  return {...fixture, list, choose, names, saved};
}

test('inbox order: the first title names it, and O changes and saves it', () => {
  const {list, choose, names, saved, at} = sortFixture({size: '110x40'});
  expect(list()[2]).toMatch(/^ {2}MENTIONS {2}@1 2 +by priority$/);
  expect(list().find((line) => line.includes('CHANNELS'))).toMatch(/ by channel$/);
  choose('newest');
  expect(list()[2]).toMatch(/^ {2}ALL {2}@1 8 +newest first$/);
  expect(names()).toEqual([
    'Dan Ek',
    '#backend › logs',
    '#web › login',
    '#web › css',
    'Carol Diaz',
    '#backend › freeze',
  ]);
  expect(at()).toBe('#backend › freeze');
  const newest = names();
  choose('oldest');
  expect(list()[2]).toMatch(/^ {2}ALL {2}@1 8 +oldest first$/);
  expect(names()).toEqual(newest.toReversed());
  choose('by channel');
  expect(list().slice(2, 12)).toEqual([
    expect.stringMatching(/ALL {2}@1 8 +by channel/),
    '   Direct messages',
    expect.stringMatching(/1 Dan Ek /),
    expect.stringMatching(/1 Carol Diaz /),
    '   #backend',
    expect.stringMatching(/1 logs /),
    expect.stringMatching(/@1 2 freeze /),
    '   #web',
    expect.stringMatching(/2 login /),
    expect.stringMatching(/1 css /),
  ]);
  expect(saved).toEqual(['newest', 'oldest', 'channel']);
});

test('inbox order: muted conversations are after all others in every order', () => {
  const {list, choose} = sortFixture();
  for (const name of ['newest', 'oldest', 'by channel', 'by priority']) {
    choose(name);
    expect(list().findLast((line) => line !== '')).toMatch(/^ {2}MUTED ▸ {2}1$/);
  }
});

test('inbox order: a tab names the order of its rows', () => {
  const {list, choose, press} = sortFixture();
  press('3');
  expect(list()[2]).toMatch(/^ {2}DIRECT {2}2 +newest first$/);
  press('1');
  choose('oldest');
  press('5');
  expect(list()[2]).toMatch(/^ {2}CHANNELS {2}4 +oldest first$/);
});

test('inbox order: rows stay in their places while one of them is read in part, and after a visit elsewhere', () => {
  for (const sort of ['by priority', 'newest', 'oldest', 'by channel']) {
    const {choose, names, readElsewhere, app} = sortFixture({size: '80x40'});
    choose(sort);
    const before = names();
    readElsewhere(1, 5);
    app.frames.paintNow();
    expect(names()).toEqual(before);
    openView(app, {kind: 'recent'});
    openView(app, {kind: 'inbox'});
    app.frames.paintNow();
    // Without its mention the first conversation is among the channels.
    if (sort !== 'by priority') expect(names()).toEqual(before);
  }
});

test('inbox order: in one list, a new conversation is at the end, and one that returns by undo is in its place', () => {
  const {choose, names, press, arrive, app} = sortFixture({size: '80x40'});
  choose('newest');
  press('g', 'g', 'e');
  arrive(101, 1, 'fonts');
  app.frames.paintNow();
  expect(names()).toEqual([
    '#backend › logs',
    '#web › login',
    '#web › css',
    'Carol Diaz',
    '#backend › freeze',
    '#web › fonts',
  ]);
  openView(app, {kind: 'recent'});
  openView(app, {kind: 'inbox'});
  press('z');
  app.frames.paintNow();
  expect(names().slice(0, 3)).toEqual(['#web › fonts', 'Dan Ek', '#backend › logs']);
});

test('inbox order: X marks the channel of the row, or all direct messages, where all groups are one list', () => {
  const {choose, press, unread} = sortFixture();
  choose('newest');
  press('g', 'g', 'X', 'y');
  expect(unread()).toEqual([1, 2, 4, 5, 6, 7, 8]);
  press('X', 'y');
  expect(unread()).toEqual([4, 5, 6, 8]);
});
