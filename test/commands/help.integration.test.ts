import {expect, test} from 'vitest';
import {topicNarrow} from '#state/model/narrow.ts';
import {sessionFixture} from '#test/state/session-fixture.ts';
import {appFixture} from '#test/support/app-fixture.ts';
import {overlayRows, overlayText} from '#test/support/overlay-text.ts';
import {messagesView} from '#ui/core/frame.ts';
import {openedPicker, pickerRows} from '#ui/overlays/picker-rows.ts';

async function recentFixture() {
  return appFixture({session: (await sessionFixture()).session(), view: {kind: 'recent'}});
}

test('key help: the keys of the active context come first, and the title names the context', async () => {
  const {press, app} = await recentFixture();
  press('?');
  expect(overlayText(app.frame)[0]).toContain(' Keys · Conversation lists ');
  const rows = overlayRows(app).map((row) => row.trim());
  expect(rows.slice(1, 4)).toEqual(['Help', expect.stringMatching(/^▌Manual +g \?$/), 'Conversation lists']);
  expect(rows.indexOf('Conversation lists')).toBeLessThan(rows.indexOf('Lists'));
});

test('manual: Enter on the first row of the key help lists the chapters, and Enter on one shows it', async () => {
  const {press, type, app} = await recentFixture();
  press('?', 'Enter');
  expect(overlayText(app.frame)[0]).toContain(' Manual ');
  type('colours');
  press('Enter');
  await expect.poll(() => overlayText(app.frame).join('\n')).toContain('Colours and characters');
  expect(overlayText(app.frame)[0]).toContain(' Terminals ');
  press('Esc');
  expect(overlayText(app.frame)[0]).toContain(' Manual ');
});

test('key help: typing searches commands, and Enter runs the first one', async () => {
  const {press, type, app} = await recentFixture();
  press('F1');
  type('starred');
  expect(overlayRows(app)[1]).toMatch(/^▌Starred messages +\* {2}g \*$/);
  press('Enter');
  expect(app.screen.view).toMatchObject({kind: 'messages', narrow: [{operand: 'starred'}]});
});

const wanted = [
  ['quit', 'Quit Parley'],
  ['mark all', 'Mark all as read'],
  ['upload', 'Attach file'],
  ['members', 'Members of this channel'],
  ['sidebar', 'Show / hide channel sidebar'],
  ['theme', 'Theme'],
  ['add account', 'Add an account'],
  ['edit', 'Edit message'],
  ['delete', 'Delete message'],
  ['create channel', 'Create a channel'],
  ['poll', 'Create a poll'],
  ['date', 'Go to a date'],
] as const;

test.each([
  ['the inbox', 'inbox', []],
  ['messages', 'messages', []],
  ['the composer', 'messages', ['r']],
] as const)('key help and palette: from %s, words list the right command first', async (_name, kind, keys) => {
  const fixture = await sessionFixture();
  const view = kind === 'inbox' ? ({kind} as const) : messagesView(topicNarrow(fixture.channelId, 'talk'));
  const {press, take, app} = appFixture({session: fixture.session(), view});
  press(...keys);
  const found = (text: string) => {
    take({kind: 'paste', text});
    const open = openedPicker(app);
    const rows = open === undefined ? [] : pickerRows(app.frame, open);
    press('Ctrl-U');
    // The palette has what cannot run here below the rest.
    return [rows[0]?.label, rows.find(({disabled}) => disabled !== undefined)?.label].join('\n');
  };
  press('F1');
  const inHelp = wanted.map(([text]) => found(text));
  press('Esc', 'Ctrl-G');
  const inPalette = wanted.map(([text]) => found(`>${text}`));
  for (const [at, [, title]] of wanted.entries()) {
    expect(inHelp[at]).toContain(title);
    expect(inPalette[at]).toContain(title);
  }
});

test('key help: commands without a key are listed, and Enter runs one', async () => {
  const {press, type, app} = await recentFixture();
  press('?');
  type('about this server');
  expect(overlayRows(app)[1]).toMatch(/^▌About this server$/);
  press('Enter');
  expect(overlayText(app.frame)[0]).toContain('About this server');
});

test('key help: from the composer, a command of the views runs', async () => {
  const fixture = await sessionFixture();
  const view = messagesView(topicNarrow(fixture.channelId, 'talk'));
  const {press, type, app} = appFixture({session: fixture.session(), view});
  press('r', 'F1');
  type('starred messages');
  press('Enter');
  expect(app.screen.view).toMatchObject({narrow: [{operand: 'starred'}]});
});

test('key help: a title that is cut in its row is shown in full below the rows', async () => {
  const {press, type, app} = await recentFixture();
  app.set({size: {columns: 40, rows: 15}});
  press('?');
  type('page down; at');
  const shown = overlayText(app.frame).join(' ').replaceAll(/\s+/g, ' ');
  expect(shown).toContain('…');
  expect(shown).toContain('Page down; at the end, mark read and go to the next');
  press('Tab', 'Space');
  expect(overlayText(app.frame).join('')).not.toContain('…');
});

test('key help: a key is found by its name', async () => {
  const {press, type, app} = await recentFixture();
  press('?');
  type('Alt-Left');
  expect(overlayRows(app)[1]).toMatch(/^▌Go back .*Alt-Left$/);
});

test('key help: a key of another context is listed as unavailable, with the reason', async () => {
  const {press, type, app} = await recentFixture();
  press('?');
  type('Ctrl-X b');
  expect(overlayRows(app)[1]).toContain('Only in the composer');
  press('Enter');
  expect(app.screen.toast?.text).toBe('Only in the composer');
});

test('key help: after Tab a pressed key or sequence is looked up and not run', async () => {
  const {press, app} = await recentFixture();
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
