import {copyFileSync, existsSync} from 'node:fs';
import {expect, test} from 'vitest';
import {visibleRowsOf} from '#app/lists/visible-rows.ts';
import {openTestStore, scratchFile} from '#test/storage/storage-fixture.ts';
import {inTopic, triageAccount, triageFixture, web} from './triage-fixture.ts';

const labelsOf = ({app}: ReturnType<typeof triageFixture>) =>
  visibleRowsOf(app.frame, 'inbox').rows.map(({label}) => label);

/** What is on the disk this moment, as a program finds it that starts after this one was killed. */
function killedCopy(path: string): string {
  const copy = scratchFile();
  for (const part of ['', '-wal']) if (existsSync(path + part)) copyFileSync(path + part, copy + part);
  return copy;
}

const many = triageAccount(
  Array.from({length: 12}, (_, at) => [inTopic(20 + at, web, `topic ${at}`)] as const),
);

test.each([
  ['eeeeee', 6],
  ['b1b1b1b1', 8],
  ['MjMMM', 4],
  ['jjvjvjvjvM', 1],
  ['XXXXX', 4],
] as const)('wherever a program is killed in %s, all that was done can be taken back', (keys, writes) => {
  const path = scratchFile();
  const stage = triageFixture({account: many, store: openTestStore(path).store});
  const unread = stage.unread();
  const copies: string[] = [];
  const {pendingChanges: deeds, keyValues: notes} = stage.store;
  // After every write, also in the middle of what a key does.
  const [addAll, setAll, set] = [deeds.addAll, notes.setAll, notes.set];
  const seeing =
    <A extends readonly unknown[], T>(write: (...args: A) => T) =>
    (...args: A): T => {
      const written = write(...args);
      copies.push(killedCopy(path));
      return written;
    };
  Object.assign(deeds, {addAll: seeing(addAll)});
  Object.assign(notes, {setAll: seeing(setAll), set: seeing(set)});
  // One read with all the keys: nothing that waits for its end has happened.
  stage.type(keys);
  expect(copies.length).toBeGreaterThanOrEqual(writes);

  for (const copy of copies) {
    const next = triageFixture({account: many, store: openTestStore(copy).store});
    const {app} = next;
    for (let most = 20; most > 0 && next.toast() !== 'Nothing to undo.'; most--) next.press('z');
    expect(next.unread()).toEqual(unread);
    expect(app.screen.inbox.snoozes.size).toBe(0);
    expect(app.state.userTopics).toEqual(many.userTopics);
  }
});

test('what an earlier program did comes back at its place, and is no news', () => {
  const path = scratchFile();
  const first = triageFixture({store: openTestStore(path).store});
  const before = labelsOf(first);
  first.press('j', 'j', 'e', 'e');
  expect(labelsOf(first)).not.toEqual(before);
  const second = triageFixture({store: openTestStore(path).store});
  second.press('z', 'z');
  expect(labelsOf(second)).toEqual(before);
  expect(second.pane().join('\n')).not.toMatch(/ new/);
  expect(second.at()).toBe('#backend › logs');
});

test('X that is taken back leads to where it was pressed, also after a restart', () => {
  const path = scratchFile();
  const first = triageFixture({store: openTestStore(path).store});
  first.press('j', 'j', 'j', 'j');
  const where = first.at();
  expect(where).toBe('#web › css');
  first.press('X');
  expect(first.at()).not.toBe(where);
  first.press('z');
  expect(first.at()).toBe(where);
  first.press('X');
  const second = triageFixture({store: openTestStore(path).store});
  second.press('z');
  expect(second.at()).toBe(where);
});

test('X and taking it back and X again in one read is X', () => {
  const once = triageFixture({account: many});
  const again = triageFixture({account: many});
  once.type('jjX');
  again.type('jjXzX');
  expect(again.unread()).toEqual(once.unread());
  expect(again.toast()).toBe(once.toast());
  expect(again.at()).toBe(once.at());
});
