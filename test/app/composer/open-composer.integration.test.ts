import {expect, test} from 'vitest';
import {openConversation, openView} from '#app/navigation/navigation.ts';
import {topicConversation} from '#state/model/conversation.ts';
import {hasMessage} from '#test/state/session-fixture.ts';
import {composeFixture} from './compose-fixture.ts';

test('composer: closed it shows the r hint, and r opens it', async () => {
  const {press, rows, app} = await composeFixture();
  expect(rows()).toEqual(['› r writes to #general › talk']);
  press('r');
  expect(app.screen.focus).toBe('composer');
  expect(rows()[0]).toMatch(/^to #general › talk +Enter send · \^J newline$/);
  expect(rows()[1]).toMatch(/^› Write here/);
});

test('composer: Enter sends, and the composer stays open and empty', async () => {
  const {press, type, text, until, fixture, app} = await composeFixture();
  press('r');
  type('hi Otto');
  expect(text()).toBe('hi Otto');
  press('Enter');
  expect(text()).toBe('');
  expect(app.screen.focus).toBe('composer');
  const state = await until(({messages}) => [...messages.byId.values()].some(({content}) => content === 'hi Otto'));
  const sent = [...state.messages.byId.values()].find(({content}) => content === 'hi Otto');
  expect(sent).toMatchObject({kind: 'channel', channelId: fixture.channelId, topic: 'talk'});
  expect(state.localDrafts).toEqual([]);
});

test('composer: Esc saves a draft, and r restores it', async () => {
  const {press, type, text, rows, session, app} = await composeFixture();
  press('r');
  type('half a thought');
  press('Esc');
  expect(app.screen.focus).toBe('main');
  expect(app.screen.toast?.text).toBe('Draft saved · d drafts');
  expect(session.drafts.all()).toMatchObject([{content: 'half a thought', target: {topic: 'talk'}}]);
  expect(rows()[0]).toMatch(/^› half a thought +✎ draft$/);
  press('r');
  expect(text()).toBe('half a thought');
});

test('composer: each conversation keeps its own text', async () => {
  const {press, type, text, fixture, app, session} = await composeFixture();
  const other = topicConversation(fixture.channelId, 'lunch');
  press('r');
  type('about talk');
  openConversation(app, other);
  expect(text()).toBe('');
  expect(app.screen.composer.isOpen).toBe(false);
  press('r');
  type('about lunch');
  openView(app, {kind: 'inbox'});
  openConversation(app, topicConversation(fixture.channelId, 'talk'));
  expect(text()).toBe('about talk');
  openConversation(app, other);
  expect(text()).toBe('about lunch');
  expect(session.drafts.all()).toHaveLength(2);
});

test('composer: a restored draft keeps its undo history', async () => {
  const {press, type, text} = await composeFixture();
  press('r');
  type('one two');
  press('Esc', 'r', 'Ctrl-_');
  expect(text()).toBe('one ');
});

test('composer: the text is saved to disk shortly after a key', async () => {
  const {press, type, session, shows, app} = await composeFixture();
  press('r');
  type('kept');
  await shows(() => session.drafts.all().length === 1);
  expect(session.drafts.all()[0]?.content).toBe('kept');
  type(' safe');
  app.composerPersistence.flush();
  expect(session.drafts.all()).toMatchObject([{content: 'kept safe'}]);
  expect(app.screen.composer.draftId).toBe(session.drafts.all()[0]?.id);
});

test('composer: follows a draft changed elsewhere; its text stays when the draft is deleted elsewhere', async () => {
  const {press, type, text, session, shows, app} = await composeFixture();
  press('r');
  type('mine');
  app.composerPersistence.flush();
  const [draft] = session.drafts.all();
  session.drafts.edit(draft?.id, {target: draft?.target ?? {kind: 'none', topic: ''}, content: 'theirs'});
  await shows(() => text() === 'theirs');
  session.drafts.remove(draft?.id ?? '');
  await shows(() => session.drafts.all().length === 0);
  expect(text()).toBe('theirs');
});

test('composer: text sent by another client from the same draft is cleared', async () => {
  const {press, type, text, session, shows, until, fixture, app} = await composeFixture();
  press('r');
  type('said once');
  app.composerPersistence.flush();
  const message = {type: 'stream', to: fixture.channelId, topic: 'talk', content: 'said once'};
  const {id} = await fixture.server.as(fixture.meg).post('/messages', message);
  await until(hasMessage(id));
  session.drafts.remove(session.drafts.all()[0]?.id ?? '');
  await shows(() => text() === '');
  expect(app.screen).toMatchObject({
    composer: {isOpen: true, draftId: undefined},
    toast: {text: 'Already sent from another client'},
  });
});

test('composer: a read-only session refuses to write and says why', async () => {
  const {press, rows, app} = await composeFixture({info: {isReadOnly: true}});
  expect(rows()).toEqual(['› This session is read-only: nothing is sent']);
  press('r');
  expect(app.screen.focus).toBe('main');
  expect(app.screen.toast?.text).toMatch(/read-only/);
});

test('composer: Ctrl-J breaks lines, and the cursor moves between them', async () => {
  const {press, type, text, rows} = await composeFixture({size: '40x24'});
  press('r');
  type('first');
  press('Ctrl-J');
  type('second');
  expect(text()).toBe('first\nsecond');
  expect(rows().slice(1)).toEqual(['› first', '  second']);
  press('Up');
  type('!');
  expect(text()).toBe('first!\nsecond');
});

test('composer: grows to its maximum, then scrolls', async () => {
  const {press, type, rows} = await composeFixture({size: '80x20'});
  press('r');
  for (let line = 0; line < 20; line++) {
    type(`line ${line}`);
    press('Ctrl-J');
  }
  expect(rows()).toHaveLength(9);
  expect(rows().at(-2)).toBe('  line 19');
  for (let line = 0; line < 20; line++) press('Up');
  expect(rows()[1]).toBe('› line 0');
});

test('composer: Ctrl-X d saves the text as a draft and empties the composer', async () => {
  const {press, type, text, session, rows} = await composeFixture();
  press('r');
  type('for later');
  press('Ctrl-X', 'd');
  expect(text()).toBe('');
  expect(session.drafts.all()).toMatchObject([{content: 'for later'}]);
  expect(rows().at(-1)).toBe(' 1 more draft');
});

test('composer: undo restores a saved text as the same draft', async () => {
  const {press, type, text, session, app} = await composeFixture();
  press('r');
  type('for later');
  press('Ctrl-C', 'Ctrl-_');
  expect(text()).toBe('for later');
  app.composerPersistence.flush();
  expect(session.drafts.all()).toMatchObject([{content: 'for later'}]);
});

test('composer: a draft started elsewhere appears in its conversation', async () => {
  const {rows, session, fixture, shows} = await composeFixture();
  const target = {kind: 'topic', channelId: fixture.channelId, topic: 'talk'} as const;
  session.drafts.edit(undefined, {target, content: 'from my phone'});
  await shows(() => rows()[0]?.startsWith('› from my phone') === true);
});

test('composer: a long preview scrolls by line', async () => {
  const {press, type, rows} = await composeFixture();
  press('r');
  for (let line = 0; line < 20; line++) {
    type(`- item ${line}`);
    press('Ctrl-J');
  }
  press('Alt-p');
  const [first] = rows().slice(1);
  press('Down', 'Down');
  expect(rows()[1]).not.toBe(first);
  press('Up', 'Up', 'Up');
  expect(rows()[1]).toBe(first);
});

test('composer preview: a poll is shown as its readers will see it', async () => {
  const {press, type, rows} = await composeFixture();
  press('r');
  type('/poll Lunch?');
  press('Ctrl-J');
  type('Soup');
  press('Alt-p');
  expect(rows().join('\n')).toContain('[0] Soup');
});

test('composer: Esc after Up in an empty composer saves no draft and says nothing of one', async () => {
  const {press, text, app, session, fixture, until} = await composeFixture();
  const setting = {allow_message_editing: false};
  await fixture.server.as(fixture.server.people.owner()).patch('/realm', setting);
  const mine = {type: 'stream', to: 'general', topic: 'talk', content: 'sent before'};
  const {id} = await fixture.server.as(fixture.meg).post('/messages', mine);
  await until((state) => state.messages.byId.has(id) && state.realm.allowMessageEditing === false);
  press('r', 'Up');
  expect(text()).toBe('sent before');
  press('Esc');
  expect(app.screen.toast).toBeUndefined();
  expect(session.drafts.all()).toEqual([]);
  press('r');
  expect(text()).toBe('');
  press('Up', '!', 'Esc');
  expect(app.screen.toast?.text).toMatch(/^Draft saved/);
  expect(session.drafts.all()).toMatchObject([{content: 'sent before!'}]);
});
