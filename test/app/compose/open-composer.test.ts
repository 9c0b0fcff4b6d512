import {expect, test} from 'vitest';
import {flushComposer} from '#app/compose/composer-saver.ts';
import {openConversation, openView} from '#app/navigation/navigation.ts';
import {topicConversation} from '#state/model/conversation.ts';
import {hasMessage} from '#test/state/session-fixture.ts';
import {composeFixture} from './compose-fixture.ts';

test('a conversation shows what r would do, and r begins', async () => {
  const {press, rows, app} = await composeFixture();
  expect(rows()).toEqual(['› r writes to #general › talk']);
  press('r');
  expect(app.screen.focus).toBe('composer');
  expect(rows()[0]).toMatch(/^to #general › talk +Enter send · \^J newline$/);
  expect(rows()[1]).toMatch(/^› Write here/);
});

test('what is typed is sent with Enter, and the composer stays open and empty', async () => {
  const {press, type, text, until, stage, app} = await composeFixture();
  press('r');
  type('hi Otto');
  expect(text()).toBe('hi Otto');
  press('Enter');
  expect(text()).toBe('');
  expect(app.screen.focus).toBe('composer');
  const state = await until(({messages}) =>
    [...messages.byId.values()].some(({content}) => content === 'hi Otto'),
  );
  const sent = [...state.messages.byId.values()].find(({content}) => content === 'hi Otto');
  expect(sent).toMatchObject({kind: 'channel', channelId: stage.channelId, topic: 'talk'});
  expect(state.localDrafts).toEqual([]);
});

test('Esc keeps the text as a draft, which is there when one comes back', async () => {
  const {press, type, text, rows, session, app} = await composeFixture();
  press('r');
  type('half a thought');
  press('Esc');
  expect(app.screen.focus).toBe('main');
  expect(app.screen.toast?.text).toBe('Draft saved · d');
  expect(session.drafts.all()).toMatchObject([{content: 'half a thought', target: {topic: 'talk'}}]);
  expect(rows()[0]).toMatch(/^› half a thought +✎ draft$/);
  press('r');
  expect(text()).toBe('half a thought');
});

test('text belongs to its conversation: another one has its own', async () => {
  const {press, type, text, stage, app, session} = await composeFixture();
  const other = topicConversation(stage.channelId, 'lunch');
  press('r');
  type('about talk');
  openConversation(app, other);
  expect(text()).toBe('');
  expect(app.screen.composer.isOpen).toBe(false);
  press('r');
  type('about lunch');
  openView(app, {kind: 'inbox'});
  openConversation(app, topicConversation(stage.channelId, 'talk'));
  expect(text()).toBe('about talk');
  openConversation(app, other);
  expect(text()).toBe('about lunch');
  expect(session.drafts.all()).toHaveLength(2);
});

test('what is taken up again can still be undone', async () => {
  const {press, type, text} = await composeFixture();
  press('r');
  type('one two');
  press('Esc', 'r', 'Ctrl-_');
  expect(text()).toBe('one ');
});

test('a moment after a key the text is on disk', async () => {
  const {press, type, session, shows, app} = await composeFixture();
  press('r');
  type('kept');
  await shows(() => session.drafts.all().length === 1);
  expect(session.drafts.all()[0]?.content).toBe('kept');
  type(' safe');
  flushComposer(app);
  expect(session.drafts.all()).toMatchObject([{content: 'kept safe'}]);
  expect(app.screen.composer.draftId).toBe(session.drafts.all()[0]?.id);
});

test('a draft that another client changes is followed; words in front of the eyes stay when it is deleted', async () => {
  const {press, type, text, session, shows, app} = await composeFixture();
  press('r');
  type('mine');
  flushComposer(app);
  const [draft] = session.drafts.all();
  session.drafts.edit(draft?.id, {target: draft?.target ?? {kind: 'none', topic: ''}, content: 'theirs'});
  await shows(() => text() === 'theirs');
  session.drafts.remove(draft?.id ?? '');
  await shows(() => session.drafts.all().length === 0);
  expect(text()).toBe('theirs');
});

test('words that another client sends from the same draft are not here to be sent twice', async () => {
  const {press, type, text, session, shows, until, stage, app} = await composeFixture();
  press('r');
  type('said once');
  flushComposer(app);
  const message = {type: 'stream', to: stage.channelId, topic: 'talk', content: 'said once'};
  const {id} = await stage.server.as(stage.meg).post('/messages', message);
  await until(hasMessage(id));
  session.drafts.remove(session.drafts.all()[0]?.id ?? '');
  await shows(() => text() === '');
  expect(app.screen).toMatchObject({
    composer: {isOpen: true, draftId: undefined},
    toast: {text: 'This was sent from elsewhere'},
  });
});

test('nothing can be written in a read-only session, and that is said', async () => {
  const {press, rows, app} = await composeFixture({facts: {isReadOnly: true}});
  expect(rows()).toEqual(['› This session is read-only: nothing is sent']);
  press('r');
  expect(app.screen.focus).toBe('main');
  expect(app.screen.toast?.text).toMatch(/read-only/);
});

test('several lines are typed with Ctrl-J, shown wrapped, and the cursor moves among them', async () => {
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

test('the composer grows no further than its share and then scrolls', async () => {
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

test('Ctrl-X d puts the text away and begins anew', async () => {
  const {press, type, text, session, rows} = await composeFixture();
  press('r');
  type('for later');
  press('Ctrl-X', 'd');
  expect(text()).toBe('');
  expect(session.drafts.all()).toMatchObject([{content: 'for later'}]);
  expect(rows().at(-1)).toBe(' 1 more draft · d');
});

test('what was put away comes back with undo, as the same draft', async () => {
  const {press, type, text, session, app} = await composeFixture();
  press('r');
  type('for later');
  press('Ctrl-C', 'Ctrl-_');
  expect(text()).toBe('for later');
  flushComposer(app);
  expect(session.drafts.all()).toMatchObject([{content: 'for later'}]);
});

test('a draft that is begun elsewhere appears in the conversation', async () => {
  const {rows, session, stage, shows} = await composeFixture();
  const target = {kind: 'topic', channelId: stage.channelId, topic: 'talk'} as const;
  session.drafts.edit(undefined, {target, content: 'from my phone'});
  await shows(() => rows()[0]?.startsWith('› from my phone') === true);
});

test('a long preview is scrolled by the line', async () => {
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
