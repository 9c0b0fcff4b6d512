import {copyFileSync, existsSync} from 'node:fs';
import {expect, test} from 'vitest';
import {openTestStore, scratchFile} from '#test/storage/storage-fixture.ts';
import {inboxList} from '#ui/inbox/inbox-list.ts';
import {visibleRowsOf} from '#ui/lists/visible-rows.ts';
import {inTopic, triageAccount, triageFixture, web} from './triage-fixture.ts';

const labelsOf = ({app}: ReturnType<typeof triageFixture>) =>
  visibleRowsOf(app.frame, inboxList).rows.map(({label}) => label);

/** Copies what is on disk now, as a program would find it after this one was killed. */
function killedCopy(path: string): string {
  const copy = scratchFile();
  for (const part of ['', '-wal']) if (existsSync(path + part)) copyFileSync(path + part, copy + part);
  return copy;
}

const many = triageAccount(Array.from({length: 12}, (_, at) => [inTopic(20 + at, web, `topic ${at}`)] as const));

test.each([
  ['eeeeee', 6],
  ['bhbhbhbh', 8],
  ['MjMMM', 4],
  ['jjvjvjvjvM', 1],
  ['XXXXy', 4],
] as const)('triage undo: wherever a program is killed during %s, all actions can be undone', (keys, writes) => {
  const path = scratchFile();
  const fixture = triageFixture({account: many, store: openTestStore(path).store});
  const unread = fixture.unread();
  const copies: string[] = [];
  const {pendingChanges, keyValues} = fixture.store;
  // Copies the disk after every write, also in the middle of an action.
  const [addAll, setAll, set] = [pendingChanges.addAll, keyValues.setAll, keyValues.set];
  const copyingDisk =
    <A extends readonly unknown[], T>(write: (...args: A) => T) =>
    (...args: A): T => {
      const result = write(...args);
      copies.push(killedCopy(path));
      return result;
    };
  Object.assign(pendingChanges, {addAll: copyingDisk(addAll)});
  Object.assign(keyValues, {setAll: copyingDisk(setAll), set: copyingDisk(set)});
  // All keys arrive in one read: no microtask between them has run.
  fixture.type(keys);
  expect(copies.length).toBeGreaterThanOrEqual(writes);

  for (const copy of copies) {
    const next = triageFixture({account: many, store: openTestStore(copy).store});
    const {app} = next;
    for (let left = 20; left > 0 && next.toast() !== 'Nothing to undo.'; left--) next.press('z');
    expect(next.unread()).toEqual(unread);
    expect(app.screen.inbox.snoozes.size).toBe(0);
    expect(app.state.userTopics).toEqual(many.userTopics);
  }
});

test('triage undo: an action of an earlier program run is undone at its position and not shown as new', () => {
  const path = scratchFile();
  const first = triageFixture({store: openTestStore(path).store});
  const before = labelsOf(first);
  first.press('j', 'j', 'e', 'e');
  expect(labelsOf(first)).not.toEqual(before);
  const second = triageFixture({store: openTestStore(path).store});
  second.press('z', 'z');
  expect(labelsOf(second)).toEqual(before);
  expect(second.pane().join('\n')).not.toMatch(/\bnew\b/);
  expect(second.at()).toBe('#backend › logs');
});

test('triage undo: undo of X returns to where it was pressed, also after a restart', () => {
  const path = scratchFile();
  const first = triageFixture({store: openTestStore(path).store});
  first.press('j', 'j', 'j', 'j');
  const where = first.at();
  expect(where).toBe('#web › css');
  first.press('X', 'y');
  expect(first.at()).not.toBe(where);
  first.press('z');
  expect(first.at()).toBe(where);
  first.press('X', 'y');
  const second = triageFixture({store: openTestStore(path).store});
  second.press('z');
  expect(second.at()).toBe(where);
});

test('triage undo: X, undo and X again in one read equal one X', () => {
  const once = triageFixture({account: many});
  const again = triageFixture({account: many});
  once.type('jjX');
  again.type('jjXzX');
  expect(again.unread()).toEqual(once.unread());
  expect(again.toast()).toBe(once.toast());
  expect(again.at()).toBe(once.at());
});
