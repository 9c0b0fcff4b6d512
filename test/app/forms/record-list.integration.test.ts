import {expect, test} from 'vitest';
import {openRecordList, type RecordList, type RecordRow} from '#app/forms/record-list.ts';
import {systemClock} from '#std/clock.ts';
import {untilApp} from '#test/app/message-actions/message-fixture.ts';
import {appFixture} from '#test/support/app-fixture.ts';
import {overlayRows, overlayText} from '#test/support/overlay-text.ts';
import {unstartedSession} from '#test/support/unstarted-session.ts';
import {formAccount} from './form-fixture.ts';

const records: readonly RecordRow[] = [
  {key: 'a', label: 'Anna', detail: 'member'},
  {key: 'b', label: 'Bert', detail: 'guest'},
];

function listFixture<T = unknown>(list: Partial<RecordList<T>> & Pick<RecordList<T>, 'rows'>, isReadOnly = false) {
  const session = unstartedSession(formAccount, systemClock);
  const fixture = appFixture({session, size: '80x24', clock: systemClock, info: {isReadOnly}});
  const done: string[] = [];
  const opened = openRecordList<T>(fixture.app, {
    id: 'records',
    title: 'Records',
    add: {label: 'New record…', run: () => void done.push('add')},
    actions: [
      {key: 'Enter', hint: 'edit', isReadOnly: true, run: (_app, {key}) => void done.push(`edit ${key}`)},
      {
        key: 'Delete',
        hint: 'remove',
        confirm: ({label}) => ({title: `Remove ${label}?`, yes: 'Remove'}),
        disabledReason: ({key}) => (key === 'b' ? 'Bert stays' : undefined),
        run: (_app, {key}) => void done.push(`remove ${key}`),
      },
      {
        key: 'Ctrl-T',
        hint: 'thank',
        appliesTo: ({key}) => key === 'b',
        run: (_app, {key}) => void done.push(`thank ${key}`),
      },
    ],
    move: (_app, {key}, step) => void done.push(`move ${key} ${step}`),
    ...list,
  });
  const {app} = fixture;
  return {...fixture, opened, done, rows: () => overlayRows(app), hint: () => overlayText(app.frame).at(-1) ?? ''};
}

test('record list: a row adds, Enter edits, Delete asks before it removes, Alt-Down moves', () => {
  const {press, done, rows, hint} = listFixture({rows: () => records});
  expect(rows().slice(1)).toEqual([expect.stringMatching(/^▌New record… +Ctrl-A$/), ' Anna  member', ' Bert  guest']);
  expect(hint()).toContain('Enter adds · Esc closes');
  press('Enter', 'Ctrl-A', 'Down', 'Enter', 'Delete');
  expect(rows()).toEqual([expect.stringMatching(/^▌Cancel/), expect.stringMatching(/^ Remove/)]);
  press('y', 'Alt-Down');
  expect(done).toEqual(['add', 'add', 'edit a', 'remove a', 'move a 1']);
});

test('record list: hints show only what the row allows, and a refused key says why', () => {
  const {app, press, done, hint} = listFixture({rows: () => records});
  press('Down');
  expect(hint()).toContain('Enter edit · Delete remove · Alt-Up Alt-Down move it · Esc closes');
  press('Down');
  expect(hint()).toContain('Enter edit · Ctrl-T thank · Alt-Up Alt-Down move it · Esc closes');
  press('Delete');
  expect(app.screen.toast?.text).toBe('Bert stays');
  press('Ctrl-T', 'Up', 'Ctrl-T');
  expect(done).toEqual(['thank b']);
});

test('record list: typing filters by label and detail', () => {
  const {type, rows} = listFixture({rows: () => records});
  type('gue');
  expect(rows().slice(1)).toEqual(['▌Bert  guest']);
});

test('record list: what keeps records from being moved is no hint, and is said when tried', () => {
  const {app, press, done, hint} = listFixture({rows: () => records, moveProblem: () => 'They stay'});
  press('Down');
  expect(hint()).not.toContain('Alt-Down');
  press('Alt-Down');
  expect([app.screen.toast?.text, done]).toEqual(['They stay', []]);
});

test('record list: a read-only session can only look', () => {
  const {app, press, done} = listFixture({rows: () => records}, true);
  press('Ctrl-A', 'Down', 'Delete', 'Alt-Up', 'Enter');
  expect(app.screen.toast?.text).toBe('This session is read-only: nothing is changed');
  expect(done).toEqual(['edit a']);
});

test('record list: fetched records appear when they arrive, and again after a reload', async () => {
  const answers = [Promise.withResolvers<readonly RecordRow[]>(), Promise.withResolvers<readonly RecordRow[]>()];
  const promises = answers.map(({promise}) => promise);
  const {app, rows, opened} = listFixture<readonly RecordRow[]>({
    reads: [{key: ['records'], fetch: () => promises.shift() ?? Promise.resolve([])}],
    rows: (_frame, [loaded = []]) => loaded,
  });
  expect(rows().slice(2)).toEqual([' Loading…']);
  answers[0]?.resolve(records);
  await untilApp(app, () => rows().at(-1) === ' Bert  guest');
  opened.reload();
  answers[1]?.resolve([]);
  await untilApp(app, () => rows().at(-1) === ' None');
});

test('record list: the reason of a failed fetch is shown, and Ctrl-L tries again', async () => {
  const answers = [Promise.reject(new Error('No answer.')), Promise.resolve(records)];
  const {app, press, rows, hint} = listFixture<readonly RecordRow[]>({
    reads: [
      {
        key: ['records'],
        fetch: () => answers.shift() ?? Promise.reject(new Error('No third request is expected.')),
      },
    ],
    rows: (_frame, [loaded = []]) => loaded,
  });
  await untilApp(app, () => rows().at(-1) === ' No answer.');
  expect(hint()).toContain('Ctrl-L tries again');
  press('Ctrl-L');
  expect(rows().at(-1)).toBe(' Loading…');
  await untilApp(app, () => rows().at(-1) === ' Bert  guest');
  expect(hint()).not.toContain('Ctrl-L');
});

test('record list: a filter without a match says so; an empty list says that it is empty, also with a filter', () => {
  const full = listFixture({rows: () => records, empty: 'Nobody yet'});
  full.type('zoe');
  expect(full.rows().slice(1)).toEqual([' No matches']);
  const empty = listFixture({rows: () => [], empty: 'Nobody yet'});
  empty.type('zoe');
  expect(empty.rows().slice(1)).toEqual([' Nobody yet']);
});
