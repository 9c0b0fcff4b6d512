import {expect, test} from 'vitest';
import {restoreDraft} from '#app/compose/open-composer.ts';
import {composeFixture} from './compose-fixture.ts';

async function withOwn(text: string, more: Parameters<typeof composeFixture>[0] = {}) {
  const stage = await composeFixture(more);
  stage.press('r');
  stage.type(text);
  stage.press('Enter');
  await stage.until(
    ({messages, outbox}) =>
      outbox.length === 0 && [...messages.byId.values()].some(({content}) => content === text),
  );
  return stage;
}

test('Up in an empty composer changes my last message', async () => {
  const {press, type, text, rows, until, app} = await withOwn('helo');
  press('Up');
  expect(text()).toBe('helo');
  expect(rows()[0]).toMatch(/^editing · Esc keeps a draft of the edit/);
  press('Backspace');
  type('lo');
  press('Enter');
  expect(app.screen.composer.editing).toBeUndefined();
  expect(text()).toBe('');
  await until(({messages}) => [...messages.byId.values()].some(({content}) => content === 'hello'));
});

test('an edit that is left is kept, and gone on with', async () => {
  const {press, type, text, app} = await withOwn('helo');
  press('Up');
  type(' world');
  press('Esc');
  expect(app.screen.toast?.text).toBe('The edit is kept · e on the message goes on with it');
  expect(text()).toBe('');
  press('r', 'Up');
  expect(text()).toBe('helo world');
});

test('an edit keeps what was being written besides', async () => {
  const {press, type, text, app} = await withOwn('first');
  type('half');
  press('Esc', 'r', 'Ctrl-A', 'Ctrl-K', 'Up');
  expect(app.screen.composer.editing).toBeDefined();
  press('Esc', 'r', 'Ctrl-Y');
  expect(text()).toBe('half');
});

test('the server keeps its word when somebody else was quicker', async () => {
  const {press, type, app, stage, until, shows} = await withOwn('mine');
  press('Up');
  const id = app.screen.composer.editing?.messageId;
  await stage.server.as(stage.meg).patch(`/messages/${id}`, {content: 'from my phone'});
  await until(({messages}) => messages.byId.get(id ?? 0)?.content === 'from my phone');
  type('!');
  press('Enter');
  await shows(() => app.screen.toast?.tone === 'error');
  expect(app.screen.toast?.text).toMatch(/Nothing was overwritten/);
  press('r', 'Up');
  expect(app.screen.composer.field.text).toBe('mine!');
  expect(app.screen.composer.editing?.before).toBe('from my phone');
});

test('a message of somebody else shows its source', async () => {
  const {press, app} = await composeFixture();
  press('e');
  expect(app.screen.overlays.at(-1)).toMatchObject({kind: 'card', card: {title: 'Source'}});
});

test('Ctrl-R finds what was sent before', async () => {
  const {press, type, text} = await withOwn('the quick brown fox');
  press('Ctrl-R');
  type('brown');
  press('Enter');
  expect(text()).toBe('the quick brown fox');
});

test('where nothing may be changed any more, Up brings back what was sent', async () => {
  const {press, text, stage, until, session} = await withOwn('again');
  await stage.server.as(stage.server.people.owner()).patch('/realm', {allow_message_editing: false});
  await until(({realm}) => realm.allowMessageEditing === false);
  press('Up');
  expect(text()).toBe('again');
  press('Down');
  expect(text()).toBe('');
  expect(session.drafts.all()).toEqual([]);
});

test('a draft is taken up where it belongs, and what was being written is kept', async () => {
  const {press, type, text, session, stage, app} = await composeFixture();
  const target = {kind: 'topic', channelId: stage.channelId, topic: 'lunch'} as const;
  const draft = session.drafts.edit(undefined, {target, content: 'soup?'});
  press('r');
  type('half');
  if (draft !== undefined) restoreDraft(app, draft);
  expect(text()).toBe('soup?');
  expect(app.screen.view).toMatchObject({kind: 'messages'});
  expect(app.screen.toast?.text).toBe('What you were writing is kept as a draft · d');
  expect(session.drafts.all().map(({content}) => content)).toEqual(['soup?', 'half']);
});
