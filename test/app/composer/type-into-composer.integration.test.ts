import {expect, test} from 'vitest';
import {attachPaths} from '#app/composer/attach-files.ts';
import {changeActiveField} from '#app/composer/change-composer.ts';
import {pasteIntoFocusedInput} from '#app/text-input.ts';
import {Tokenizer} from '#terminal/input/tokenizer.ts';
import {hasMessage, waitForState} from '#test/state/session-fixture.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import {openedPicker} from '#ui/overlays/picker-rows.ts';
import {emptyLine} from '#ui/text/text-field.ts';
import {composeFixture} from './compose-fixture.ts';

const log = Array.from({length: 12}, (_, line) => `line ${line}`).join('\n');

test('paste: never sends, even with line breaks', async () => {
  const {press, text, app} = await composeFixture();
  press('r');
  pasteIntoFocusedInput(app, 'one\ntwo\n');
  expect(text()).toBe('one\ntwo\n');
  pasteIntoFocusedInput(app, 'three\r\n');
  expect(text()).toBe('one\ntwo\nthree');
  expect(app.state.outbox).toEqual([]);
});

test('paste: a paste over the limit keeps what fits and says so', async () => {
  const {press, take, text, app} = await composeFixture();
  const tokenizer = new Tokenizer({maxPasteBytes: 5});
  press('r');
  take(...tokenizer.write(Buffer.from('\u001b[200~one two three\u001b[201~')));
  expect(text()).toBe('one t');
  expect(app.screen.toast?.text).toBe('The paste is too long: only its first 8 MiB were inserted');
});

test('paste: a large paste can become a code block', async () => {
  const {press, text, app, rows} = await composeFixture();
  press('r');
  pasteIntoFocusedInput(app, log);
  expect(rows().at(-1)).toBe(' 12 lines pasted · Ctrl-X y makes a code block · Ctrl-X a attaches it as a file');
  press('Ctrl-X', 'y');
  expect(text()).toBe(`\`\`\`\n${log}\n\`\`\`\n`);
  press('Ctrl-_');
  expect(text()).toBe(log);
});

test('paste: letters typed after a large paste are only text', async () => {
  const {press, text, app, type, rows} = await composeFixture();
  press('r');
  pasteIntoFocusedInput(app, log);
  type('fa');
  expect(text()).toBe(`${log}fa`);
  expect(app.screen.composer.upload).toBeUndefined();
  expect(rows().join('\n')).not.toContain('pasted');
});

test('paste: one long line is called one line', async () => {
  const {press, app, rows} = await composeFixture();
  press('r');
  pasteIntoFocusedInput(app, 'x'.repeat(3000));
  expect(rows().at(-1)).toMatch(/^ 1 line pasted · Ctrl-X y makes a code block/);
});

test('paste: Enter keeps a large paste and does not send it', async () => {
  const {press, text, app} = await composeFixture();
  press('r');
  pasteIntoFocusedInput(app, log);
  press('Enter');
  expect(text()).toBe(log);
  expect(app.screen.composer.pastePrompt).toBeUndefined();
});

test('paste: a large paste can become a file', async () => {
  const {press, text, app, shows} = await composeFixture();
  press('r');
  pasteIntoFocusedInput(app, log);
  press('Ctrl-X', 'a');
  await shows(() => text().includes('/user_uploads/'));
  expect(text()).toMatch(/^\[pasted\.txt\]\(\/user_uploads\/.*\) $/);
  expect(app.screen.composer.upload).toBeUndefined();
  for (let step = 0; step < 5 && text() !== log; step++) press('Ctrl-_');
  expect(text()).toBe(log);
});

test('paste: a URL that a linkifier shortens is offered in its short form, and replaced only by the key', async () => {
  const {press, text, app, rows, type, fixture, session} = await composeFixture();
  await fixture.server.as(fixture.server.people.admin()).post('/realm/filters', {
    pattern: '#(?P<id>[0-9]+)',
    url_template: 'https://tickets.example/{id}',
    example_input: '#7',
    reverse_template: '#{id}',
    alternative_url_templates: ['https://old.example/?ticket={id}'],
  });
  await waitForState(session, ({linkifiers}) => linkifiers.length === 1);
  press('r');
  type('see ');
  pasteIntoFocusedInput(app, 'https://tickets.example/12');
  expect(text()).toBe('see https://tickets.example/12');
  expect(rows().at(-1)).toBe(' The short form is #12 · Ctrl-X y shortens');
  press('Ctrl-X', 'y');
  expect(text()).toBe('see #12');
  type(' and ');
  pasteIntoFocusedInput(app, 'https://old.example/?ticket=13');
  type(' too');
  expect(text()).toBe('see #12 and https://old.example/?ticket=13 too');
  expect(app.screen.composer.pastePrompt).toBeUndefined();
  type(' ');
  pasteIntoFocusedInput(app, 'https://tickets.example/14');
  press('Enter');
  expect(app.state.outbox.map(({content}) => content)).toEqual([
    'see #12 and https://old.example/?ticket=13 too https://tickets.example/14',
  ]);
});

const device = {
  listFiles: (directory: string) => (directory === '/tmp' ? [{name: 'my pic.png', isDirectory: false}] : []),
  readFile: async () => ({name: 'my pic.png', bytes: new Uint8Array([1, 2, 3]), size: 3}),
};

test('paste: dropped files are attached after confirmation', async () => {
  const {press, text, app, rows, shows} = await composeFixture({device});
  press('r');
  pasteIntoFocusedInput(app, "'/tmp/my pic.png'");
  expect(rows().at(-1)).toBe(' Path of my pic.png · Ctrl-X y attaches');
  press('Ctrl-X', 'y');
  await shows(() => text().includes('/user_uploads/'));
  expect(text()).toMatch(/^\[my pic\.png\]/);
});

test('attach: a key attaches the image in the clipboard, and says why it cannot', async () => {
  const clipboardImage = async () => new Uint8Array([1, 2, 3]);
  const {press, text, shows} = await composeFixture({device: {clipboardImage}});
  press('r', 'Ctrl-X', 'P');
  await shows(() => text().includes('/user_uploads/'));
  expect(text()).toMatch(/^\[clipboard\.png\]/);
  const without = await composeFixture();
  without.press('r', 'Ctrl-X', 'P');
  await without.shows(() => without.app.screen.toast !== undefined);
  expect(without.app.screen.toast?.text).toBe('Not attached: The clipboard contains no image.');
  expect(without.text()).toBe('');
});

test('attach: a file is picked by path, and sending waits for the upload', async () => {
  const {press, text, app, type, shows} = await composeFixture({device});
  press('r', 'Ctrl-X', 'a');
  type('/tmp/my');
  press('Enter');
  await shows(() => text() !== '');
  expect(text()).toBe('[Uploading my pic.png…]() ');
  press('Enter');
  expect(app.screen.composer.warnings[0]?.text).toMatch(/still uploading/);
  await shows(() => app.frames.paintedFrame.screen.composer.field.text.includes('/user_uploads/'));
  press('Enter');
  expect(text()).toBe('');
});

test('attach: Tab completes the path of a file, and only Enter attaches it', async () => {
  const {press, text, app, type, shows} = await composeFixture({device});
  press('r', 'Ctrl-X', 'a');
  type('/tmp/my');
  press('Tab', 'Tab');
  expect(openedPicker(app)?.field.text).toBe('/tmp/my pic.png');
  expect(app.screen.uploads).toBeUndefined();
  press('Enter');
  await shows(() => text().includes('/user_uploads/'));
});

test.each([
  {result: 'was attached', readFile: device.readFile, expected: /^look \[my pic\.png\]\(\/user_uploads/},
  {result: 'was not attached', readFile: async () => Promise.reject(new Error('It is locked.')), expected: /^look $/},
])('attach: Enter before the screen shows that a file $result does not send', async ({readFile, expected}) => {
  const clock = new ManualClock();
  const {press, text, app, type, shows} = await composeFixture({clock, device: {...device, readFile}});
  press('r');
  type('look ');
  press('Ctrl-X', 'a');
  type('/tmp/my');
  press('Enter', 'Enter');
  expect(app.state.outbox).toEqual([]);
  expect(app.screen.composer.warnings[0]?.text).toMatch(/^A file is still being attached/);
  await shows(() => app.screen.uploads === undefined);
  press('Enter');
  expect(app.state.outbox).toEqual([]);
  expect(text()).toMatch(expected);
  expect(app.screen.composer.warnings[0]?.text).toMatch(/^Attaching has ended just now/);
  press('Enter');
  expect(text()).toBe('');
});

test('attach: an edit is not saved while a file is being attached to it', async () => {
  const {press, text, app, type, shows, fixture, until} = await composeFixture({device});
  const mine = {type: 'stream', to: 'general', topic: 'talk', content: 'mine'};
  const {id} = await fixture.server.as(fixture.meg).post('/messages', mine);
  await until(hasMessage(id));
  press('r', 'Up', 'Ctrl-X', 'a');
  expect(text()).toBe('mine');
  type('/tmp/my');
  press('Enter');
  await shows(() => text().includes('Uploading'));
  press('Enter');
  expect(app.screen.composer.editing?.messageId).toBe(id);
  expect(app.screen.toast?.text).toMatch(/still uploading/);
});

test('attach: a link is separated by spaces from the words around it', async () => {
  const {press, text, type, shows} = await composeFixture({device});
  press('r');
  type('look:');
  press('Ctrl-X', 'a');
  type('/tmp/my');
  press('Enter');
  await shows(() => text().includes('Uploading'));
  type('both attached');
  await shows(() => text().includes('/user_uploads/'));
  expect(text()).toMatch(/^look: \[my pic\.png\]\(\/user_uploads\/[^)]*\) both attached$/);
});

test('attach: the placeholder of an interrupted upload shows a warning before sending', async () => {
  const {press, text, app, type} = await composeFixture({device});
  press('r');
  type('look: [Uploading my pic.png…]()');
  press('Enter');
  expect(app.screen.composer.warnings[0]?.text).toMatch(/^my pic\.png was not uploaded/);
  expect(app.state.outbox).toEqual([]);
  press('Enter');
  expect(text()).toBe('');
});

test('attach: an unreadable file leaves the text unchanged', async () => {
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

test('attach: the link replaces the placeholder in the text wherever the user goes on writing, and in the draft after closing', async () => {
  const {press, text, type, shows, app, session} = await composeFixture({device});
  const attach = () => {
    press('Ctrl-X', 'a');
    type('/tmp/my');
    press('Enter');
  };
  press('r');
  attach();
  await shows(() => text().includes('Uploading'));
  press('Ctrl-A');
  type('look: ');
  await shows(() => text().includes('/user_uploads/'));
  type('here ');
  expect(text()).toMatch(/^look: here \[my pic\.png\]\(\/user_uploads\/[^)]*\) $/);
  press('Ctrl-E');
  attach();
  await shows(() => text().includes('Uploading'));
  press('Esc', 'P');
  expect(app.screen.composer.field.text).toBe('');
  await shows(() => app.screen.uploads === undefined);
  expect(session.drafts.all().map(({content}) => content)).toEqual([
    expect.stringMatching(/^look: here (?:\[my pic\.png\]\(\/user_uploads\/[^)]*\) ){2}$/),
  ]);
});

test('attach: several files are attached in their order; what cannot be read ends it, and what was attached stays', async () => {
  const readFile = async (path: string) => {
    if (path.endsWith('locked')) throw new Error('It is locked.');
    return {name: path.slice(1), bytes: new Uint8Array([1, 2, 3]), size: 3};
  };
  const {app, press, text, shows, deviceCalls} = await composeFixture({device: {...device, readFile}});
  press('r');
  attachPaths(app, ['/one', '/two', '/locked', '/three']);
  await shows(() => app.screen.uploads === undefined);
  expect(text()).toMatch(/^\[one\]\(\/user_uploads\/[^)]*\) \[two\]\(\/user_uploads\/[^)]*\) $/);
  expect(app.screen.toast?.text).toBe('Not attached: It is locked.');
  const progress = deviceCalls.flatMap(([name, value]) => (name === 'setProgress' ? [value] : []));
  expect([progress[0], progress.at(-1)]).toEqual([0, undefined]);
});

test('attach: Ctrl-C cancels the upload, and leaves what was written around it', async () => {
  const {app, fixture, press, text, type, shows} = await composeFixture({device});
  await fixture.hook('fault', {method: 'POST', path: '/user_uploads', kind: 'delay', delay_ms: 60_000});
  press('r');
  type('before');
  attachPaths(app, ['/tmp/my pic.png', '/tmp/my pic.png']);
  await shows(() => text().includes('Uploading'));
  type('after');
  press('Ctrl-C');
  await shows(() => app.screen.toast?.text === 'Upload cancelled');
  expect(text()).toBe('before after');
  expect(app.screen.uploads).toBeUndefined();
});

test('composer: after a long text was deleted at once, it is scrolled to its start again', async () => {
  const {press, text, app} = await composeFixture();
  press('r');
  pasteIntoFocusedInput(app, Array.from({length: 40}, (_, line) => `line ${line}`).join('\n'));
  expect(app.screen.composer.top).toBeGreaterThan(0);
  changeActiveField(app, () => emptyLine, 'placed');
  expect([text(), app.screen.composer.top]).toEqual(['', 0]);
});
