import {expect, test} from 'vitest';
import {textOf} from '#test/support/frame-fixture.ts';
import {statusLines} from '#test/support/part-lines.ts';
import {selectedCount} from '#ui/list-table.ts';
import {screenLayout} from '#ui/screen-layout.ts';
import {organizationsFixture} from './organizations-fixture.ts';

const both = {acme: undefined, beta: undefined};

/** Two inboxes shown together, with a selected conversation of each; the cursor is in beta. */
function selectionFixture() {
  const fixture = organizationsFixture(both, 'grouped', '80x60');
  const {press, at, pane, shown, fixtures} = fixture;
  const go = (place: string) => {
    press('Home');
    while (at() !== place) press('j');
  };
  go('acme: #web › login');
  press('v');
  go('beta: #backend › logs');
  press('v');
  const unread = () => fixtures.map((each) => each.unread());
  return {
    ...fixture,
    go,
    unread,
    marked: () => pane().filter((line) => /^.✓|^.[*✔]/u.test(line) || line.slice(1, 2).trim() !== ''),
    toast: () => shown().screen.toast?.text,
    status: () => textOf(statusLines(shown().frame, screenLayout(shown().frame).main))[0],
  };
}

test('organizations: selected rows of all organizations are shown and counted, wherever the cursor is', () => {
  const {go, marked, shown} = selectionFixture();
  expect(marked().join('\n')).toMatch(/ac #web › login[\s\S]*be #backend › logs/);
  expect(selectedCount(shown().frame)).toBe(2);
  go('acme: Carol Diaz');
  expect(marked().join('\n')).toMatch(/ac #web › login[\s\S]*be #backend › logs/);
  expect(selectedCount(shown().frame)).toBe(2);
});

test('organizations: e marks the selected rows of all organizations read, and one undo brings all back', () => {
  const {press, unread, toast, shown, go} = selectionFixture();
  const before = unread();
  go('acme: Carol Diaz');
  press('e');
  expect(unread()).toEqual([before[0]?.filter((id) => id !== 5 && id !== 6), before[1]?.filter((id) => id !== 7)]);
  expect(toast()).toContain('acme: Marked #web › login read (2); beta: Marked #backend › logs read (1)');
  expect(selectedCount(shown().frame)).toBe(0);
  press('z');
  expect(unread()).toEqual(before);
  press('Z');
  expect(unread().map((ids) => ids.length)).toEqual(before.map((ids, index) => ids.length - (index === 0 ? 2 : 1)));
  press('z');
  expect(unread()).toEqual(before);
});

test('organizations: with selected rows only in another organization, e leaves the row under the cursor', () => {
  const {go, press, unread} = selectionFixture();
  go('beta: #backend › logs');
  press('v');
  go('beta: Carol Diaz');
  const before = unread();
  press('e');
  expect(unread()[1]).toEqual(before[1]);
  expect(unread()[0]).toEqual(before[0]?.filter((id) => id !== 5 && id !== 6));
});

test('organizations: b snoozes the selected rows of all organizations, and one undo brings all back', () => {
  const {press, toast, organizations} = selectionFixture();
  const snoozed = () => [0, 1].map((index) => organizations.appAt(index)?.screen.inbox.snoozes.size);
  press('b');
  press('h');
  expect(toast()).toMatch(/beta: Snoozed #backend › logs .*; acme: Snoozed #web › login/);
  expect(snoozed()).toEqual([1, 1]);
  press('z');
  expect(snoozed()).toEqual([0, 0]);
});

test('organizations: a message that arrives in another organization between paint and key stays unread', () => {
  const {go, press, fixtures, shown} = selectionFixture();
  const [, beta] = fixtures;
  go('acme: Carol Diaz');
  shown().frames.paintNow();
  beta?.arrive(90, 2, 'logs');
  beta?.app.frames.paintNow();
  press('e');
  expect(beta?.unread()).toContain(90);
  expect(beta?.unread()).not.toContain(7);
});

test('organizations: M mutes the selected rows of all organizations', () => {
  const {press, toast} = selectionFixture();
  press('M');
  expect(toast()).toContain('beta: Muted #backend › logs; acme: Muted #web › login');
});

test('organizations: M says why a selected direct conversation of another organization is not muted', () => {
  const {press, toast, go, organizations} = selectionFixture();
  go('beta: #backend › logs');
  press('v');
  go('beta: Carol Diaz');
  press('v');
  go('acme: Carol Diaz');
  press('M');
  expect(toast()).toContain('acme: Muted #web › login; beta: Only topics and channels can be muted here.');
  go('acme: #backend › freeze');
  press('M');
  expect(toast()).toContain('beta: Only topics and channels can be muted here.');
  expect(organizations.appAt(1)?.undoStack.canUndo).toBe(false);
  expect(toast()).not.toContain('undo');
});

test('organizations: Esc clears the selection of all organizations', () => {
  const {press, shown, organizations} = selectionFixture();
  press('Esc');
  expect(selectedCount(shown().frame)).toBe(0);
  expect(organizations.appAt(0)?.screen.lists.inbox.selected.size).toBe(0);
});
