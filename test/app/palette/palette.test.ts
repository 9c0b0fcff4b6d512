import {expect, test} from 'vitest';
import {shownConversation} from '#app/core/view.ts';
import {openConversation, timelineState} from '#app/navigation/navigation.ts';
import {openedPicker, pickerRows} from '#app/overlays/picker.ts';
import {commandList, commandTable} from '#commands/command-table.ts';
import {topicConversation} from '#state/model/conversation.ts';
import {hasMessage, sessionFixture, waitForState} from '#test/state/session-fixture.ts';
import {appFixture} from '#test/support/app-fixture.ts';
import {overlayRows, overlayText} from '#test/support/overlay-text.ts';

/** Meg, with three topics that Otto wrote in. */
async function paletteStage() {
  const stage = await sessionFixture();
  await stage.say('one', 'deploy freeze');
  await stage.say('two', 'lunch');
  const last = await stage.say('three', 'cats');
  const session = stage.session();
  session.start();
  await session.ready();
  await waitForState(session, hasMessage(last));
  const app = appFixture({session});
  const topic = (name: string) => topicConversation(stage.channelId, name);
  const shown = () => shownConversation(app.app.screen);
  return {...app, stage, session, topic, shown};
}

test('a few letters find a conversation, and Enter goes there', async () => {
  const {press, type, shown, topic, app} = await paletteStage();
  press('Ctrl-G');
  type('depl');
  expect(overlayRows(app)[1]).toMatch(/^▌#general › deploy freeze +1$/);
  press('Enter');
  expect(shown()).toEqual(topic('deploy freeze'));
  expect(app.screen.overlays).toEqual([]);
});

test('letters of another keyboard layout find the same', async () => {
  const {press, type, shown, topic} = await paletteStage();
  press('Ctrl-G');
  type('вуздщн');
  press('Enter');
  expect(shown()).toEqual(topic('deploy freeze'));
});

test('with nothing typed Enter goes to the last conversation', async () => {
  const {press, app, shown, topic} = await paletteStage();
  openConversation(app, topic('lunch'));
  openConversation(app, topic('cats'));
  press('Ctrl-K', 'Enter');
  expect(shown()).toEqual(topic('lunch'));
  press('Ctrl-G', 'Enter');
  expect(shown()).toEqual(topic('cats'));
});

test('Tab looks inside a channel', async () => {
  const {press, type, app, shown, topic, session, stage} = await paletteStage();
  await session.fetchTopics(stage.channelId);
  press('Ctrl-G');
  type('#gen');
  press('Tab');
  expect(openedPicker(app)?.field.text).toBe('#general>');
  type('lu');
  press('Enter');
  expect(shown()).toEqual(topic('lunch'));
});

test.each(['Alt-Enter', 'Ctrl-O'])('%s opens without marking anything read', async (key) => {
  const {press, type, app, shown, topic} = await paletteStage();
  press('Ctrl-G');
  type('lunch');
  press(key);
  expect(shown()).toEqual(topic('lunch'));
  expect(timelineState(app).isPeek).toBe(true);
});

test('commands are run by name, each with its key beside it', async () => {
  const {press, type, app} = await paletteStage();
  press(';');
  expect(overlayText(app.frame)[0]).toContain(' Commands ');
  type('recent conv');
  expect(overlayRows(app)[1]).toMatch(/^▌Recent conversations.* t$/);
  press('Enter');
  expect(app.screen.view.kind).toBe('recent');
});

test('the hint says what Enter does with what is looked for', async () => {
  const {press, type, app} = await paletteStage();
  const hint = () => overlayText(app.frame).at(-1) ?? '';
  press('Ctrl-G');
  expect(hint()).toContain('Enter opens');
  type('>');
  expect(hint()).toContain('Enter runs it');
  expect(hint()).not.toContain('Tab');
});

test('who runs a command by name three times is told its key, once', async () => {
  const {press, type, app} = await paletteStage();
  const run = () => {
    press(';');
    type('recent conv');
    press('Enter');
    const tip = app.screen.toast?.text;
    press('I');
    return tip;
  };
  expect([run(), run()]).toEqual([undefined, undefined]);
  expect(run()).toBe('Tip: t does this');
  app.set({toast: undefined});
  expect(run()).toBeUndefined();
});

test('a command that cannot be done is there with its reason', async () => {
  const {press, type, app, topic} = await paletteStage();
  openConversation(app, topic('lunch'));
  press(';');
  type('all public channels');
  expect(overlayRows(app)[1]).toContain('Only after a search without results');
});

test('all commands are listed, those that can be done now first', async () => {
  const {press, app} = await paletteStage();
  press(';');
  const open = openedPicker(app);
  const rows = open === undefined ? [] : pickerRows(app.frame, open);
  expect(new Set(rows.map(({label}) => label))).toEqual(new Set(commandList.map(({title}) => title)));
  const disabled = rows.map((row) => row.disabled !== undefined);
  expect(disabled).toEqual(disabled.toSorted());
});

test.each([
  ['quit', 'app.quit'],
  ['exit', 'app.quit'],
  ['q', 'app.quit'],
  ['mark all', 'triage.done.group'],
  ['upload', 'compose.attach'],
  ['add account', 'account.pick'],
  ['members', 'view.people'],
  ['sidebar', 'pane.sidebar'],
  ['theme', 'settings.open'],
  ['edit', 'msg.edit'],
  ['delete', 'msg.delete'],
  ['create channel', 'channel.new'],
  ['poll', 'format.poll'],
  ['undo', 'undo'],
])('“%s” shows %s first', async (query, id) => {
  const {press, type, app} = await paletteStage();
  press(';');
  type(query);
  expect(overlayRows(app)[1]).toContain(`▌${commandTable.get(id)?.title}`);
});

test('a name that no command has matches nothing', async () => {
  const {press, type, app} = await paletteStage();
  press(';');
  type('xyzzy');
  expect(overlayRows(app)[1]?.trim()).toBe('No matches');
});

test('a command of another place says where it can be done, and does nothing', async () => {
  const {press, type, app} = await paletteStage();
  press(';');
  type('upload');
  expect(overlayRows(app)[1]).toContain('Only in the composer');
  for (const key of ['Enter', 'Alt-Enter']) {
    app.set({toast: undefined});
    press(key);
    expect(app.screen.toast?.text).toBe('Only in the composer');
  }
  expect(openedPicker(app)?.picker.id).toBe('palette');
});

test('a command that makes sense as a key only names its key', async () => {
  const {press, type, app} = await paletteStage();
  press(';');
  type('half page down');
  expect(overlayRows(app)[1]).toMatch(/Press Ctrl-D instead/);
});

test('of equal matches the one that was used last comes first', async () => {
  const {press, type, app} = await paletteStage();
  const first = () => {
    press(';');
    type('messages');
    const row = overlayRows(app)[1];
    press('Esc');
    return row;
  };
  const before = first();
  press(';');
  type('starred messages');
  press('Enter', 'I');
  expect(before).not.toContain('Starred messages');
  expect(first()).toContain('Starred messages');
});

test('the same key again closes it, and Esc closes only it', async () => {
  const {press, app} = await paletteStage();
  press('Ctrl-G', 'Ctrl-G');
  expect(app.screen.overlays).toEqual([]);
  press('Ctrl-G', 'Esc');
  expect(app.screen.overlays).toEqual([]);
  expect(app.screen.view.kind).toBe('inbox');
});

test('a question mark finds texts of the help', async () => {
  const {press, type, app} = await paletteStage();
  press('Ctrl-G');
  type('?becomes read');
  press('Enter');
  expect(overlayText(app.frame)[0]).toContain(' What becomes read, and when ');
  expect(overlayText(app.frame).join(' ')).toContain('stays unread');
});

test('what the server finds comes below while one types', async () => {
  const {press, type, app, stage} = await paletteStage();
  await stage.say('the quick brown fox', 'animals');
  press('Ctrl-G');
  type('/brown');
  await expect
    .poll(() => overlayRows(app).join('\n'))
    .toMatch(/Otto: the quick brown fox +#general › animals/);
  expect(overlayRows(app)[1]).toBe('▌Search for brown');
});
