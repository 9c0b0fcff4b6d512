import {expect, test} from 'vitest';
import {sessionFixture} from '#test/state/session-fixture.ts';
import {appFixture} from '#test/support/app-fixture.ts';
import {overlayRows, overlayText} from '#test/support/overlay-text.ts';

async function staged() {
  return appFixture({session: (await sessionFixture()).session(), view: {kind: 'recent'}});
}

test('the keys of where one is come first, and the title says where that is', async () => {
  const {press, app} = await staged();
  press('?');
  expect(overlayText(app.frame)[0]).toContain(' Keys · Inbox and conversation lists ');
  const rows = overlayRows(app).map((row) => row.trim());
  expect(rows[1]).toBe('Inbox and conversation lists');
  expect(rows.indexOf('Inbox and conversation lists')).toBeLessThan(rows.indexOf('Lists'));
});

test('what is typed finds commands and keys, and Enter runs', async () => {
  const {press, type, app} = await staged();
  press('F1');
  type('starred');
  expect(overlayRows(app)[1]).toMatch(/^▌Starred messages +\* {2}g \*$/);
  press('Enter');
  expect(app.screen.view).toMatchObject({kind: 'messages', narrow: [{operand: 'starred'}]});
});

test('a key is found by its name', async () => {
  const {press, type, app} = await staged();
  press('?');
  type('Alt-Left');
  expect(overlayRows(app)[1]).toMatch(/^▌Go back .*Alt-Left$/);
});

test('a key of another place is shown, and says that it is not for here', async () => {
  const {press, type, app} = await staged();
  press('?');
  type('Ctrl-X b');
  expect(overlayRows(app)[1]).toContain('Only in the composer');
  press('Enter');
  expect(app.screen.toast?.text).toBe('Only in the composer');
});

test('a key can be looked up by pressing it, a sequence key by key, and does nothing', async () => {
  const {press, app} = await staged();
  press('?', 'Tab', 'g');
  expect(overlayText(app.frame).join('\n')).toContain('More keys can follow');
  press('i');
  expect(overlayText(app.frame).join('\n')).toMatch(/g i.*Navigation +Inbox/s);
  press('Ctrl-C');
  expect(overlayText(app.frame).join('\n')).toContain('Everywhere');
  press('Esc', 'Esc');
  expect(app.screen.overlays).toEqual([]);
  expect(app.screen.view.kind).toBe('recent');
});
