import {expect, test} from 'vitest';
import {hasOtherUnread, openNextUnreadAfter} from '#app/triage/unread-walk.ts';
import {conversationTitle} from '#state/selectors/names/names.ts';
import * as eg from '#test/support/state-builders.ts';
import {shownConversation} from '#ui/core/frame.ts';
import {visibleRowsOf} from '#ui/lists/visible-rows.ts';
import {recentList} from '#ui/recent/recent-list.ts';
import {organizationsFixture} from './organizations-fixture.ts';

const both = {acme: undefined, beta: undefined};
const next = 'Alt-a';

type Fixture = ReturnType<typeof organizationsFixture>;

/** Where the user is: the account and its conversation, or the kind of its view. */
function place({shown}: Pick<Fixture, 'shown'>): string {
  const {state, screen, info} = shown();
  const conversation = shownConversation(screen);
  return `${info.accountName}: ${conversation === undefined ? screen.view.kind : conversationTitle(state, conversation)}`;
}

test('organizations: one walk goes through the unread conversations of all, and returns to where it began', () => {
  const fixture = organizationsFixture(both);
  const places: string[] = [];
  for (let step = 0; step < 11; step++) {
    fixture.press(next);
    places.push(place(fixture));
  }
  expect(places).toEqual([
    ...['#backend › freeze', 'Carol Diaz', '#backend › logs', '#web › login', '#web › css'].map(
      (name) => `acme: ${name}`,
    ),
    ...['#backend › freeze', 'Carol Diaz', '#backend › logs', '#web › login', '#web › css'].map(
      (name) => `beta: ${name}`,
    ),
    'acme: inbox',
  ]);
  expect(fixture.fixtures[1]?.app.screen.view.kind).toBe('inbox');
});

test('organizations: a walk can begin where nothing is unread', () => {
  const fixture = organizationsFixture({acme: eg.state({}), beta: undefined});
  expect(hasOtherUnread(fixture.shown())).toBe(true);
  fixture.press(next);
  expect(place(fixture)).toBe('beta: #backend › freeze');
});

test('organizations: each alone, the walk stays in its account', () => {
  const fixture = organizationsFixture(both, 'separate');
  for (let step = 0; step < 6; step++) fixture.press(next);
  expect(place(fixture)).toBe('acme: inbox');
});

test('organizations: after the last unread conversation of one organization comes that of another', () => {
  const fixture = organizationsFixture({acme: eg.state({}), beta: undefined});
  expect(openNextUnreadAfter(fixture.shown(), undefined)).toBe(true);
  expect(place(fixture)).toBe('beta: #backend › freeze');
});

test('organizations: the recent conversations of all are one list by time, and keys act in the account of a row', () => {
  const fixture = organizationsFixture(both);
  fixture.press('t');
  const rows = () =>
    visibleRowsOf(fixture.shown().frame, recentList).rows.map((row) =>
      'mark' in row ? `${String(row.mark)} ${row.label}` : row.label,
    );
  const before = rows();
  expect(before.slice(0, 4)).toEqual([
    'ac #backend › logs',
    'be #backend › logs',
    'ac #web › login',
    'be #web › login',
  ]);
  fixture.press('j', 'j', 'j', 'Enter');
  expect(place(fixture)).toBe('beta: #web › login');
  fixture.press('Esc');
  expect([place(fixture), rows()]).toEqual(['beta: recent', before]);
});

test('organizations: a filter goes on being typed when the cursor crosses to another account, and has ended in the one before', () => {
  const fixture = organizationsFixture(both);
  const {press, type, shown} = fixture;
  const now = () => {
    const {info, screen} = shown();
    return [info.accountName, screen.lists.recent.filter.text, screen.lists.recent.isFiltering];
  };
  press('t', 't');
  type('lo');
  press('Down');
  expect(now()).toEqual(['beta', 'lo', true]);
  type('gin');
  expect(now()).toEqual(['acme', 'login', true]);
  press('Down');
  expect(now()).toEqual(['beta', 'login', true]);
  press('Tab', 'Alt-1');
  expect(now()).toEqual(['acme', 'login', false]);
});

test('organizations: Esc in a list that stays filtered shows all rows of all again, and the view stays', () => {
  const fixture = organizationsFixture(both);
  const {press, type, shown} = fixture;
  press('t', 't');
  type('css');
  press('Tab');
  const count = () => visibleRowsOf(shown().frame, recentList).rows.length;
  expect(count()).toBe(2);
  press('j', 'Esc');
  expect([shown().info.accountName, shown().screen.view.kind, shown().screen.lists.recent.filter.text]).toEqual([
    'beta',
    'recent',
    '',
  ]);
  expect(count()).toBeGreaterThan(2);
  press('k');
  expect([shown().info.accountName, count() > 2]).toEqual(['acme', true]);
});

test('organizations: Alt-/ goes to the same conversation of another organization, which is another one', () => {
  const fixture = organizationsFixture(both);
  fixture.press('j', 'j', 'j', 'Enter', 'Alt-2');
  fixture.go('beta: #web › login');
  fixture.press('Enter');
  expect(place(fixture)).toBe('beta: #web › login');
  fixture.press('Alt-/');
  expect(place(fixture)).toBe('acme: #web › login');
});

test('organizations: a walk that ends in another one says so where it began, also when that has nothing unread any more', () => {
  const fixture = organizationsFixture(both);
  fixture.press(next);
  const [acme, beta] = fixture.fixtures;
  acme?.readElsewhere(1, 2, 3, 4, 5, 6, 7, 8);
  fixture.press(next);
  expect(place(fixture)).toBe('beta: #backend › freeze');
  beta?.readElsewhere(1, 2, 3, 4, 5, 6, 7, 8);
  fixture.press(next);
  expect([place(fixture), fixture.shown().screen.toast?.text]).toEqual([
    'acme: inbox',
    'Nothing else is unread · back to where you started',
  ]);
});
