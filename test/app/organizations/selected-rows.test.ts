import {expect, test} from 'vitest';
import {describeScreen} from '#cli/control/describe-screen.ts';
import {commandList} from '#commands/command-table.ts';
import {textOf} from '#test/support/frame-fixture.ts';
import {statusLines} from '#test/support/part-lines.ts';
import {selectedCount} from '#ui/list-table.ts';
import {screenLayout} from '#ui/screen-layout.ts';
import {organizationsFixture} from './organizations-fixture.ts';

const both = {acme: undefined, beta: undefined};

/** Two inboxes shown together, with a selected conversation of each; the cursor is in beta. */
function selectionFixture() {
  const fixture = organizationsFixture(both, 'grouped', '80x60');
  const {press, pane, shown, fixtures} = fixture;
  const go = (place: string) => {
    press('Home');
    fixture.go(place);
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

test.each([
  ['M', 1],
  ['F', 3],
] as const)(
  'organizations: %s sets the policy of the selected topics of all organizations to %i, and one undo and one redo change all',
  (key, policy) => {
    const {press, organizations} = selectionFixture();
    const policies = () =>
      [0, 1].map((index) =>
        [...(organizations.appAt(index)?.state.userTopics.values() ?? [])].flatMap((each) =>
          each.policy === 0 ? [] : [`${each.topic} ${each.policy}`],
        ),
      );
    const before = policies();
    press(key);
    const after = policies();
    expect(after).toEqual([expect.arrayContaining([`login ${policy}`]), expect.arrayContaining([`logs ${policy}`])]);
    press('z');
    expect(policies()).toEqual(before);
    press('Z');
    expect(policies()).toEqual(after);
  },
);

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

test('organizations: U marks the selected rows of all organizations unread, and one undo takes all back', () => {
  const {press, unread, toast} = selectionFixture();
  press('e');
  // The recent conversations: logs of acme and beta, then login of acme and beta.
  press('t', 'Home', 'j', 'v', 'j', 'v');
  const before = unread();
  press('U');
  expect(unread()).toEqual([
    [...(before[0] ?? []), 6].sort((a, b) => a - b),
    [...(before[1] ?? []), 7].sort((a, b) => a - b),
  ]);
  expect(toast()).toContain('acme: Marked #web › login unread; beta: Marked #backend › logs unread');
  press('z');
  expect(unread()).toEqual(before);
});

test('organizations: S stars a message of each selected row of all organizations, and one undo takes all back', () => {
  const {press, toast, organizations, shown} = selectionFixture();
  const starred = () => [0, 1].map((index) => [...(organizations.appAt(index)?.state.starred ?? [])]);
  press('S');
  expect(starred()).toEqual([[5], [7]]);
  expect(toast()).toContain('beta: Starred the first unread message; acme: Starred the first unread message');
  expect(selectedCount(shown().frame)).toBe(0);
  press('z');
  expect(starred()).toEqual([[], []]);
});

test('organizations: S stars a message of each selected row of one organization', () => {
  const {press, go, toast, organizations} = selectionFixture();
  press('Esc');
  for (const place of ['beta: Carol Diaz', 'beta: #backend › logs']) {
    go(place);
    press('v');
  }
  press('S');
  expect(organizations.appAt(1)?.state.starred.size).toBe(2);
  expect(toast()).toContain('Starred the first unread message of 2 conversations');
  press('z');
  expect(organizations.appAt(1)?.state.starred.size).toBe(0);
});

test('organizations: n skips the selected rows of all organizations', () => {
  const {press, organizations} = selectionFixture();
  press('n');
  expect([0, 1].map((index) => organizations.appAt(index)?.screen.inbox.skipped.size)).toEqual([1, 1]);
});

const onOneOrganization = commandList.filter(({actsOnSelection}) => actsOnSelection === 'one organization');

test.each(onOneOrganization.map(({id}) => id))('organizations: with selected rows of two, %s is refused', (id) => {
  const {fixtures, toast, shown, organizations, go, press} = selectionFixture();
  const run = (at: number) => fixtures[at]?.router.run(shown(), id);
  run(1);
  expect(toast()).toBe('The selected rows are of beta, acme. Select rows of one organization only.');
  go('acme: #web › login');
  press('v');
  run(0);
  expect(toast()).toBe('The selected rows are of beta. Put the cursor on one of them first.');
  for (const index of [0, 1]) {
    expect(organizations.appAt(index)?.screen.overlays).toEqual([]);
    expect(organizations.appAt(index)?.undoStack.canUndo).toBe(false);
  }
});

/** The commands that are about the row under the cursor, whatever is selected. */
const onCursorRow = [
  'open',
  'select.toggle',
  'triage.readon',
  'triage.reply',
  'triage.reply.dm',
  'triage.snooze',
  'triage.thumb',
  'triage.react',
  'triage.links',
  'triage.copytext',
  'triage.done.group',
  // The inbox has no rows of channels that can be selected.
  'channel.folder',
  'channel.archive',
  'channel.unarchive',
  'channel.edit',
  'channel.members',
];

test('organizations: each command about a row of the inbox says whether it acts on the selection of all organizations', () => {
  const inInbox = commandList.filter(
    ({isAboutRow, contexts}) => isAboutRow === true && contexts.some((each) => ['nav', 'list', 'inbox'].includes(each)),
  );
  expect(inInbox.filter(({actsOnSelection}) => actsOnSelection === undefined).map(({id}) => id)).toEqual(onCursorRow);
});

test('organizations: the selection that other programs read has the rows of all organizations', () => {
  const {shown} = selectionFixture();
  expect(describeScreen(shown()).selection).toMatchObject([
    {title: '#backend › logs'},
    {account: 'acme', title: '#web › login'},
  ]);
});

test('organizations: Esc clears the selection of the last of three, although the one between has none', () => {
  const {press, go, organizations} = organizationsFixture({acme: undefined, beta: undefined, gamma: undefined});
  press('v');
  go('gamma: #web › login');
  press('v', 'Alt-1');
  const selected = () => [0, 1, 2].map((index) => organizations.appAt(index)?.screen.lists.inbox.selected.size);
  expect(selected()).toEqual([1, 0, 1]);
  press('Esc');
  expect(selected()).toEqual([0, 0, 0]);
});

test('organizations: what was done in several is said of each, and offers undo', () => {
  const {press, go, fixtures, shown} = organizationsFixture({acme: undefined, beta: undefined});
  const select = () => {
    press('Alt-1', 'Home', 'v');
    go('beta: #backend › freeze');
    press('v');
  };
  select();
  press('F');
  expect(shown().screen.toast?.text).toMatch(/^acme: Followed.*; beta: Followed|^beta: Followed.*; acme: Followed/);
  expect(shown().screen.toast?.text).toContain(' · z undo');
  for (const {app} of fixtures) expect(app.undoStack.canUndo).toBe(true);
});

test('organizations: another tab ends the selection of all organizations', () => {
  const {press, go, unread, shown} = selectionFixture();
  go('acme: Carol Diaz');
  press('3', '1');
  expect(selectedCount(shown().frame)).toBe(0);
  press('3', 'Home');
  const before = unread();
  press('e');
  expect(unread()).toEqual([before[0]?.filter((id) => id !== 3), before[1]]);
});

test.each([
  ['the text filter', ['t', 'j', 'v'], ['t', 'c', 's', 's', 'Tab', 'Home'], [4]],
  ['a folded group', [], ['Home', 'j', 'j', 'h', 'Home'], [1, 2]],
  ['the filter of topics', [], ['f', 'Home'], [1, 2]],
])('organizations: a selected row of another organization that %s hides is no target', (_, select, hide, read) => {
  const {press, go, unread, shown} = selectionFixture();
  go('acme: #web › login');
  press('v', ...select, 'Alt-1', 'Home');
  expect(selectedCount(shown().frame)).toBe(1);
  press(...hide);
  expect([shown().info.accountName, selectedCount(shown().frame)]).toEqual(['acme', 0]);
  const before = unread();
  press('e');
  expect(unread()).toEqual([before[0]?.filter((id) => !read.includes(id)), before[1]]);
});

test('organizations: of two selected rows of another organization, only the one that is shown is a target', () => {
  const {press, go, unread, shown} = selectionFixture();
  go('acme: #web › login');
  press('v');
  go('beta: #backend › freeze');
  press('v', 'Alt-1', 'f');
  expect([shown().info.accountName, selectedCount(shown().frame)]).toEqual(['acme', 1]);
  const before = unread();
  press('e');
  expect(unread()).toEqual([before[0], before[1]?.filter((id) => id !== 1 && id !== 2)]);
});
