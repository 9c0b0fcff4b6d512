import {expect, test} from 'vitest';
import {pasteIntoFocusedInput} from '#app/text-input.ts';
import {composeFixture} from './compose-fixture.ts';

const log = Array.from({length: 12}, (_, line) => `line ${line}`).join('\n');

test('a paste never sends, whatever is in it', async () => {
  const {press, text, app} = await composeFixture();
  press('r');
  pasteIntoFocusedInput(app, 'one\ntwo\n');
  expect(text()).toBe('one\ntwo\n');
  pasteIntoFocusedInput(app, 'three\r\n');
  expect(text()).toBe('one\ntwo\nthree');
  expect(app.state.outbox).toEqual([]);
});

test('a large paste can become a block of code', async () => {
  const {press, text, app, rows, type} = await composeFixture();
  press('r');
  pasteIntoFocusedInput(app, log);
  expect(rows().at(-1)).toBe(' 12 lines pasted — f code block · a attach as a file · Enter keep');
  type('f');
  expect(text()).toBe(`\`\`\`\n${log}\n\`\`\`\n`);
});

test('Enter keeps a large paste as it is, and does not send it', async () => {
  const {press, text, app} = await composeFixture();
  press('r');
  pasteIntoFocusedInput(app, log);
  press('Enter');
  expect(text()).toBe(log);
  expect(app.screen.composer.pastePrompt).toBeUndefined();
});

test('a large paste can become a file', async () => {
  const {press, text, app, type, shows} = await composeFixture();
  press('r');
  pasteIntoFocusedInput(app, log);
  type('a');
  await shows(() => text().includes('/user_uploads/'));
  expect(text()).toMatch(/^\[pasted\.txt\]\(\/user_uploads\/.*\)$/);
  expect(app.screen.composer.upload).toBeUndefined();
});

const device = {
  listFiles: (directory: string) => (directory === '/tmp' ? [{name: 'my pic.png', isDirectory: false}] : []),
  readFile: async () => ({name: 'my pic.png', bytes: new Uint8Array([1, 2, 3]), size: 3}),
};

test('files that are dropped on the window are attached when somebody says so', async () => {
  const {press, text, app, rows, type, shows} = await composeFixture({device});
  press('r');
  pasteIntoFocusedInput(app, "'/tmp/my pic.png'");
  expect(rows().at(-1)).toBe(' Attach my pic.png? — y attach · Enter keep the path');
  type('y');
  await shows(() => text().includes('/user_uploads/'));
  expect(text()).toMatch(/^\[my pic\.png\]/);
});

test('a file is picked by its path; sending waits for it', async () => {
  const {press, text, app, type, shows} = await composeFixture({device});
  press('r', 'Ctrl-X', 'a');
  type('/tmp/my');
  press('Enter');
  await shows(() => text() !== '');
  expect(text()).toBe('[Uploading my pic.png…]()');
  press('Enter');
  expect(app.screen.composer.warnings[0]?.text).toMatch(/still on its way/);
  await shows(() => text().includes('/user_uploads/'));
  press('Enter');
  expect(text()).toBe('');
});

test('the mark of a file that was lost with the program is not sent without a word', async () => {
  const {press, text, app, type} = await composeFixture({device});
  press('r');
  type('look: [Uploading my pic.png…]()');
  press('Enter');
  expect(app.screen.composer.warnings[0]?.text).toMatch(/^my pic\.png did not get there/);
  expect(app.state.outbox).toEqual([]);
  press('Enter');
  expect(text()).toBe('');
});

test('a file that cannot be read leaves the text alone', async () => {
  const {press, text, app, type, shows} = await composeFixture({
    device: {...device, readFile: async () => Promise.reject(new Error('It is locked.'))},
  });
  press('r', 'Ctrl-X', 'a');
  type('/tmp/my');
  press('Enter');
  await shows(() => app.screen.toast !== undefined);
  expect(app.screen.toast?.text).toBe('Not attached: It is locked.');
  expect(text()).toBe('');
});
