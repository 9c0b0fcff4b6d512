import {expect, test} from 'vitest';
import {restoreDraft} from '#app/composer/open-composer.ts';
import {appFixture} from '#test/support/app-fixture.ts';
import {egRect, textOf} from '#test/support/frame-fixture.ts';
import {messagePaneLines} from '#test/support/part-lines.ts';
import {composeFixture} from './compose-fixture.ts';

async function withOwn(text: string, more: Parameters<typeof composeFixture>[0] = {}) {
  const fixture = await composeFixture(more);
  fixture.press('r');
  fixture.type(text);
  fixture.press('Enter');
  await fixture.until(
    ({messages, outbox}) => outbox.length === 0 && [...messages.byId.values()].some(({content}) => content === text),
  );
  return fixture;
}

test('edit: Up in an empty composer edits the last own message', async () => {
  const {press, type, text, rows, until, app} = await withOwn('helo');
  press('Up');
  expect(text()).toBe('helo');
  expect(rows()[0]).toMatch(/^editing · Esc saves the edit as a draft/);
  press('Backspace');
  type('lo');
  press('Enter');
  expect(app.screen.composer.editing).toBeUndefined();
  expect(text()).toBe('');
  await until(({messages}) => [...messages.byId.values()].some(({content}) => content === 'hello'));
});

test('edit: hints do not offer to schedule, and its key leaves the edit alone', async () => {
  const {press, text, app} = await withOwn('helo');
  const hints = () => app.info.keys?.hints(app.frame).map(({label}) => label);
  expect(hints()).toContain('schedule');
  press('Up');
  expect(hints()).not.toContain('schedule');
  press('Ctrl-X', 's');
  expect(app.screen.overlays).toEqual([]);
  expect(app.screen.toast?.text).toBe('Not while editing a message: Enter saves it');
  expect(text()).toBe('helo');
});

test('edit: an abandoned edit is saved and continued later', async () => {
  const {press, type, text, app} = await withOwn('helo');
  press('Up');
  type(' world');
  press('Esc');
  expect(app.screen.toast?.text).toBe('Edit saved as a draft · E continues it');
  expect(text()).toBe('');
  press('r', 'Up');
  expect(text()).toBe('helo world');
});

test('edit: keeps the text that was being written', async () => {
  const {press, type, text, app} = await withOwn('first');
  type('half');
  press('Esc', 'r', 'Ctrl-A', 'Ctrl-K', 'Up');
  expect(app.screen.composer.editing).toBeDefined();
  press('Esc', 'r', 'Ctrl-Y');
  expect(text()).toBe('half');
});

test('edit: a message changed elsewhere meanwhile is not overwritten', async () => {
  const {press, type, app, fixture, until, shows} = await withOwn('mine');
  press('Up');
  const id = app.screen.composer.editing?.messageId;
  await fixture.server.as(fixture.meg).patch(`/messages/${id}`, {content: 'from my phone'});
  await until(({messages}) => messages.byId.get(id ?? 0)?.content === 'from my phone');
  type('!');
  press('Enter');
  await shows(() => app.screen.toast?.tone === 'error');
  expect(app.screen.toast?.text).toMatch(/Nothing was overwritten/);
  press('r', 'Up');
  expect(app.screen.composer.field.text).toBe('mine!');
  expect(app.screen.composer.editing?.before).toBe('from my phone');
});

test('edit: e on another sender’s message shows its source', async () => {
  const {press, app} = await composeFixture();
  press('E');
  expect(app.screen.overlays.at(-1)).toMatchObject({kind: 'card', card: {title: 'Source'}});
});

test('recall: Ctrl-R finds sent messages', async () => {
  const {press, type, text} = await withOwn('the quick brown fox');
  press('Ctrl-R');
  type('brown');
  press('Enter');
  expect(text()).toBe('the quick brown fox');
});

test('recall: where editing is not allowed, Up recalls the last sent text', async () => {
  const {press, text, fixture, until, session} = await withOwn('again');
  await fixture.server.as(fixture.server.people.owner()).patch('/realm', {allow_message_editing: false});
  await until(({realm}) => realm.allowMessageEditing === false);
  press('Up');
  expect(text()).toBe('again');
  press('Down');
  expect(text()).toBe('');
  expect(session.drafts.all()).toEqual([]);
});

test('restoreDraft: opens the draft’s conversation and saves the current text', async () => {
  const {press, type, text, session, fixture, app} = await composeFixture();
  const target = {kind: 'topic', channelId: fixture.channelId, topic: 'lunch'} as const;
  const draft = session.drafts.edit(undefined, {target, content: 'soup?'});
  press('r');
  type('half');
  if (draft !== undefined) restoreDraft(app, draft);
  expect(text()).toBe('soup?');
  expect(app.screen.view).toMatchObject({kind: 'messages'});
  expect(app.screen.toast?.text).toBe('Your text was saved as a draft');
  expect(session.drafts.all().map(({content}) => content)).toEqual(['soup?', 'half']);
});

test('edit: at the rate limit, it is saved after the wait that the server asked for', async () => {
  const {press, type, fixture, shows, app, until} = await withOwn('helo');
  await fixture.hook('fault', {method: 'PATCH', path: '/messages', kind: 'rate_limit', retry_after: 2});
  press('Up');
  type('!');
  press('Enter');
  await shows(() => app.screen.toast?.text.startsWith('Edit') === true);
  expect(app.screen.toast?.text).toMatch(/^Edited/);
  await until(({messages}) => [...messages.byId.values()].some(({content}) => content === 'helo!'));
});

test('edit: a message with an edit that is not saved says so until the edit is saved', async () => {
  const {press, type, app, fixture, shows, session} = await withOwn('helo');
  const shown = () => textOf(messagePaneLines(app.frame, egRect('80x20'))).join('\n');
  await fixture.hook('fault', {method: 'PATCH', path: '/messages', kind: 'status', status: 400});
  press('Up');
  type(' world');
  expect(shown()).not.toContain('Edit not saved');
  press('Enter');
  await shows(() => shown().includes('Edit not saved'));
  app.toast('Something else');
  expect(shown()).toContain('Edit not saved');
  // The next start shows it too.
  const next = appFixture({size: '80x24', session});
  expect(next.app.screen.unsavedEditIds).toEqual(app.screen.unsavedEditIds);
  press('G');
  expect(shown()).toContain('Edit not saved · E continues it');
  press('E');
  expect(shown()).not.toContain('Edit not saved');
  press('Enter');
  await shows(() => app.screen.toast?.text.startsWith('Edited') === true);
  expect(shown()).not.toContain('Edit not saved');
});

test('edit: a long wait that the server asks for is not waited for, and the edit is kept', async () => {
  const {press, type, text, app, fixture, shows} = await withOwn('helo');
  await fixture.hook('fault', {method: 'PATCH', path: '/messages', kind: 'rate_limit', retry_after: 120});
  press('Up');
  type(' world');
  press('Enter');
  await shows(() => app.screen.toast?.tone === 'error');
  expect(app.screen.toast?.text).toMatch(/^Edit not saved: .* asks to wait 2 minutes/);
  press('r', 'Up');
  expect(text()).toBe('helo world');
});

test('edit: what is new in it and not closed is named before it is saved, and Enter again saves it', async () => {
  const {press, type, rows, until, app} = await withOwn('helo');
  press('Up');
  type(' and @**Nobody at all');
  press('Enter');
  expect(app.screen.composer.editing).toBeDefined();
  expect(rows().join('\n')).toMatch(/“@\*\*Nobody” has no \*\* at the end[\s\S]*Enter again to save/);
  press('Enter');
  await until(({messages}) => [...messages.byId.values()].some(({content}) => content === 'helo and @**Nobody at all'));
});

test('edit: Up and Down go through the own messages, leave a changed text, and Down after the last one ends the edit', async () => {
  const {press, type, text, app, until} = await withOwn('first');
  type('second');
  press('Enter');
  await until(
    ({messages, outbox}) =>
      outbox.length === 0 && [...messages.byId.values()].some(({content}) => content === 'second'),
  );
  press('Up');
  type('!');
  press('Home', 'Up');
  expect(text()).toBe('second!');
  press('Down');
  expect(text()).toBe('second!');
  press('End', 'Backspace', 'Home', 'Up');
  expect(text()).toBe('first');
  press('Down');
  expect(text()).toBe('second');
  press('Down');
  expect([text(), app.screen.composer.editing, app.screen.focus]).toEqual(['', undefined, 'composer']);
});
