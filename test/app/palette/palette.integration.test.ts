import {expect, test} from 'vitest';
import {openConversation, timelineState} from '#app/navigation/navigation.ts';
import {commandList, commandTable} from '#commands/command-table.ts';
import {topicConversation} from '#state/model/conversation.ts';
import {untilApp} from '#test/app/message-actions/message-fixture.ts';
import {hasMessage, sessionFixture, waitForState} from '#test/state/session-fixture.ts';
import {appFixture} from '#test/support/app-fixture.ts';
import {overlayRows, overlayText} from '#test/support/overlay-text.ts';
import {fewOrAll} from '#test/support/tier.ts';
import {shownConversation} from '#ui/core/frame.ts';
import {openedPicker, pickerRows} from '#ui/overlays/picker-rows.ts';

/** Meg, with three topics that Otto wrote in. */
async function paletteFixture() {
  const fixture = await sessionFixture();
  await fixture.postMessage('one', 'deploy freeze');
  await fixture.postMessage('two', 'lunch');
  const last = await fixture.postMessage('three', 'cats');
  const session = fixture.session();
  session.start();
  await session.ready();
  await waitForState(session, hasMessage(last));
  const app = appFixture({session});
  const topic = (name: string) => topicConversation(fixture.channelId, name);
  const shown = () => shownConversation(app.app.screen);
  return {...app, fixture, session, topic, shown};
}

test('palette: a few letters find a conversation, and Enter opens it', async () => {
  const {press, type, shown, topic, app} = await paletteFixture();
  press('Ctrl-G');
  type('depl');
  expect(overlayRows(app)[1]).toMatch(/^▌#general › deploy freeze +1$/);
  press('Enter');
  expect(shown()).toEqual(topic('deploy freeze'));
  expect(app.screen.overlays).toEqual([]);
});

test('palette: letters of another keyboard layout find the same', async () => {
  const {press, type, shown, topic} = await paletteFixture();
  press('Ctrl-G');
  type('вуздщн');
  press('Enter');
  expect(shown()).toEqual(topic('deploy freeze'));
});

test('palette: without a query Enter opens the previous conversation', async () => {
  const {press, app, shown, topic} = await paletteFixture();
  openConversation(app, topic('lunch'));
  openConversation(app, topic('cats'));
  press('Ctrl-K', 'Enter');
  expect(shown()).toEqual(topic('lunch'));
  press('Ctrl-G', 'Enter');
  expect(shown()).toEqual(topic('cats'));
});

test('palette: Tab drills into a channel', async () => {
  const {press, type, app, shown, topic, session, fixture} = await paletteFixture();
  await session.fetchTopics(fixture.channelId);
  press('Ctrl-G');
  type('#gen');
  press('Tab');
  expect(openedPicker(app)?.field.text).toBe('#general>');
  type('lu');
  press('Enter');
  expect(shown()).toEqual(topic('lunch'));
});

test.each(['Alt-Enter', 'Ctrl-O'])('palette: %s opens without marking anything read', async (key) => {
  const {press, type, app, shown, topic} = await paletteFixture();
  press('Ctrl-G');
  type('lunch');
  press(key);
  expect(shown()).toEqual(topic('lunch'));
  expect(timelineState(app).isPeek).toBe(true);
});

test('palette: runs commands by name and shows their keys', async () => {
  const {press, type, app} = await paletteFixture();
  press(';');
  expect(overlayText(app.frame)[0]).toContain(' Commands ');
  type('recent conv');
  expect(overlayRows(app)[1]).toMatch(/^▌Recent conversations.* t$/);
  press('Enter');
  expect(app.screen.view.kind).toBe('recent');
});

test('palette: the hint follows the source', async () => {
  const {press, type, app} = await paletteFixture();
  const hint = () => overlayText(app.frame).at(-1) ?? '';
  press('Ctrl-G');
  expect(hint()).toContain('Enter opens');
  type('>');
  expect(hint()).toContain('Enter runs');
  expect(hint()).not.toContain('Tab');
});

test('palette: the third use of a command shows its key, once', async () => {
  const {press, type, app} = await paletteFixture();
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

test('palette: an unavailable command shows its reason', async () => {
  const {press, type, app, topic} = await paletteFixture();
  openConversation(app, topic('lunch'));
  press(';');
  type('all public channels');
  expect(overlayRows(app)[1]).toContain('Only after a search without results');
});

test('palette: lists all commands, available ones first', async () => {
  const {press, app} = await paletteFixture();
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
  ['mark all', 'mark.all.read'],
  ['upload', 'compose.attach'],
  ['add account', 'account.add'],
  ['members', 'channel.members'],
  ['sidebar', 'pane.sidebar'],
  ['theme', 'settings.theme'],
  ['edit', 'msg.edit'],
  ['delete', 'msg.delete'],
  ['create channel', 'channel.new'],
  ['poll', 'format.poll'],
  ['undo', 'undo'],
])('palette: “%s” shows %s first, or first of what cannot run here', async (query, id) => {
  const {press, type, app} = await paletteFixture();
  press(';');
  type(query);
  const open = openedPicker(app);
  const rows = open === undefined ? [] : pickerRows(app.frame, open);
  const wanted = rows.find(({label}) => label === commandTable.get(id)?.title);
  expect(rows.find(({disabled}) => (disabled === undefined) === (wanted?.disabled === undefined))).toBe(wanted);
});

test('palette: a name that no command has matches nothing', async () => {
  const {press, type, app} = await paletteFixture();
  press(';');
  type('xyzzy');
  expect(overlayRows(app)[1]?.trim()).toBe('No matches');
});

test('palette: a command of another mode says where it works, and does nothing', async () => {
  const {press, type, app} = await paletteFixture();
  press(';');
  type('bold');
  expect(overlayRows(app)[1]).toContain('Only in the composer');
  for (const key of ['Enter', 'Alt-Enter']) {
    app.set({toast: undefined});
    press(key);
    expect(app.screen.toast?.text).toBe('Only in the composer');
  }
  expect(openedPicker(app)?.picker.id).toBe('palette');
});

test('palette: a key-only command names its key', async () => {
  const {press, type, app} = await paletteFixture();
  press(';');
  type('half page down');
  expect(overlayRows(app)[1]).toMatch(/Press Ctrl-D instead/);
});

test('palette: among equal matches the last used command comes first', async () => {
  const {press, type, app} = await paletteFixture();
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

test('palette: the same key closes it, and Esc closes only it', async () => {
  const {press, app} = await paletteFixture();
  press('Ctrl-G', 'Ctrl-G');
  expect(app.screen.overlays).toEqual([]);
  press('Ctrl-G', 'Esc');
  expect(app.screen.overlays).toEqual([]);
  expect(app.screen.view.kind).toBe('inbox');
});

test('palette: ? finds help pages', async () => {
  const {press, type, app} = await paletteFixture();
  press('Ctrl-G');
  type('?become read');
  press('Enter');
  expect(overlayText(app.frame)[0]).toContain(' How messages become read ');
  expect(overlayText(app.frame).join(' ')).toContain('stays unread');
});

test('palette: / shows the server’s results while typing', async () => {
  const {press, type, app, fixture} = await paletteFixture();
  await fixture.postMessage('the quick brown fox', 'animals');
  press('Ctrl-G');
  type('/brown');
  await expect.poll(() => overlayRows(app).join('\n')).toMatch(/Otto: the quick brown fox +#general › animals/);
  expect(overlayRows(app)[1]).toBe('▌Search for brown');
});

test('palette: the last row searches messages, and a term that is not understood stays in the search box', async () => {
  const {press, type, app} = await paletteFixture();
  press('Ctrl-G');
  type('sender:ott fox');
  press('Up', 'Enter');
  expect(app.screen.view).toMatchObject({query: 'sender:Otto fox'});
  press('Ctrl-G');
  type('channel:nope fox');
  press('Enter');
  expect(openedPicker(app)?.field.text).toBe('channel:nope fox');
  expect(overlayRows(app)[1]).toBe(' There is no channel called “nope”.');
  expect(app.screen.view).toMatchObject({query: 'sender:Otto fox'});
});

test.each(['Ctrl-K', '/'])(
  'permalink: pasted into %s shows the title of its conversation, and Enter opens it at the message',
  async (key) => {
    const {press, take, app, shown, topic, fixture} = await paletteFixture();
    const id = await fixture.postMessage('look here', 'deploy freeze');
    const path = `#narrow/channel/${fixture.channelId}-general/topic/deploy.20freeze/near/${id}`;
    press(key);
    take({kind: 'paste', text: `${fixture.server.url}/${path}\n`});
    expect(overlayRows(app).slice(1)).toEqual([`▌#general › deploy freeze  message ${id}`]);
    press('Enter');
    expect(app.screen.overlays).toEqual([]);
    expect(shown()).toEqual(topic('deploy freeze'));
    expect(timelineState(app).openAt).toBe(id);
  },
);

test.each(['Ctrl-K', '/'])('permalink: typed into %s without the server’s address opens', async (key) => {
  const {press, type, shown, topic, fixture} = await paletteFixture();
  press(key);
  type(`#narrow/stream/${fixture.channelId}-general/topic/lunch`);
  press('Enter');
  expect(shown()).toEqual(topic('lunch'));
});

test.each(['Ctrl-K', '/'])('permalink: of another server, pasted into %s, says so and opens nothing', async (key) => {
  const {press, take, app} = await paletteFixture();
  press(key);
  take({kind: 'paste', text: 'https://chat.example.org/#narrow/channel/1-general/topic/lunch'});
  expect(overlayRows(app).slice(1)).toEqual(['▌This link is for another organization.']);
  press('Enter');
  expect(app.screen.toast?.text).toBe('This link is for another organization.');
  expect(app.screen.view).toEqual({kind: 'inbox'});
});

test('permalink: pasted after the shown search in the search box opens, and the hint says so', async () => {
  const {press, type, take, app, shown, topic, fixture} = await paletteFixture();
  press('/');
  type('two');
  press('Enter', '/');
  expect(overlayRows(app)[0]).toContain('two');
  const link = `${fixture.server.url}/#narrow/channel/${fixture.channelId}-general/topic/lunch`;
  take({kind: 'paste', text: link});
  expect(overlayRows(app).slice(1)).toEqual(['▌#general › lunch  from the link']);
  expect(overlayText(app.frame).at(-1)).toContain('Enter opens the link · Esc closes');
  press('Enter');
  expect(shown()).toEqual(topic('lunch'));
});

test('permalink: pasted as a Markdown link or after other words into Ctrl-K opens', async () => {
  const {press, take, shown, topic, fixture} = await paletteFixture();
  const link = `${fixture.server.url}/#narrow/channel/${fixture.channelId}-general/topic`;
  press('Ctrl-K');
  take({kind: 'paste', text: `[#general > lunch](${link}/lunch)`});
  press('Enter');
  expect(shown()).toEqual(topic('lunch'));
  press('Ctrl-K');
  take({kind: 'paste', text: `Otto wrote: <${link}/cats>`});
  press('Enter');
  expect(shown()).toEqual(topic('cats'));
});

test('permalink: to a direct conversation shows its title, and one with an unknown user says so', async () => {
  const {press, type, app, fixture} = await paletteFixture();
  press('Ctrl-K');
  type(`#narrow/dm/${fixture.meg.id},${fixture.otto.id}-dm`);
  expect(overlayRows(app).slice(1)).toEqual(['▌Otto  from the link']);
  press('Ctrl-U');
  type('#narrow/dm/987654-nobody');
  expect(overlayRows(app).slice(1)).toEqual(['▌This link names an unknown user.']);
});

test('palette: before the account is known, commands say that it is connecting, and then what holds', async () => {
  const fixture = await sessionFixture();
  const session = fixture.session();
  const {app, press, type} = appFixture({session});
  const found = () => overlayRows(app).find((row) => row.includes('Create a channel')) ?? '';
  press(';');
  type('create a channel');
  expect(found()).toContain('Still connecting');
  session.start();
  await session.ready();
  await untilApp(app, () => !found().includes('Still connecting'));
  expect(found()).toContain('Create a channel');
  expect(found()).not.toMatch(/permission|connect/);
});

test('palette: “rules” finds rules, and “save” what is saved', async () => {
  const {press, type, app} = await paletteFixture();
  press(';');
  type('rules');
  expect(overlayRows(app)[1]).toContain('Always do this for such messages…');
  press('Esc', ';');
  type('save');
  expect(overlayRows(app)[1]).toContain('Saved snippets');
});

test.each(['split', 'online', 'e', 'a'])(
  'palette: no command that cannot run is before one that can, for %j',
  async (query) => {
    const {press, type, app} = await paletteFixture();
    press(';');
    type(query);
    const open = openedPicker(app);
    const rows = open === undefined ? [] : pickerRows(app.frame, open);
    const firstDisabled = rows.findIndex(({disabled}) => disabled !== undefined);
    expect(firstDisabled).toBeGreaterThan(0);
    expect(rows.slice(firstDisabled).every(({disabled}) => disabled !== undefined)).toBe(true);
  },
);

test('palette: the whole name of a command that cannot run has the cursor, and Enter says why', async () => {
  const {press, type, app} = await paletteFixture();
  const rows = () => {
    const open = openedPicker(app);
    return open === undefined ? [] : pickerRows(app.frame, open);
  };
  press(';');
  const disabled = rows().filter((row) => row.disabled !== undefined);
  press('Esc');
  const behindOthers: string[] = [];
  const step = fewOrAll(15, 1);
  for (const {label, disabled: reason = ''} of disabled.filter((_, at) => at % step === 0)) {
    press(';');
    type(label.toLowerCase());
    const cursor = openedPicker(app)?.cursor ?? -1;
    expect(rows()[cursor]?.label).toBe(label);
    if (cursor > 0) behindOthers.push(label);
    press('Enter');
    expect(app.screen.toast?.text).toContain(reason);
    press('Esc');
  }
  if (step === 1) expect(behindOthers).not.toEqual([]);
});

test('palette: “split” finds two conversations side by side first', async () => {
  const {press, type, app} = await paletteFixture();
  press(';');
  type('split');
  expect(overlayRows(app)[1]).toMatch(/^▌Show a second conversation beside/);
});

test('palette: a command shows the key of this place: none that would be typed into the composer', async () => {
  const {press, type, app, topic} = await paletteFixture();
  openConversation(app, topic('lunch'));
  const keyOf = (title: string) => {
    type(title);
    const row = overlayRows(app).find((line) => line.slice(1).startsWith(title));
    press('Esc');
    return / {2,}(\S.*)$/.exec(row ?? '')?.[1];
  };
  press(';');
  expect(keyOf('Undo')).toBe('z');
  press('r', 'Ctrl-G');
  type('>');
  expect(keyOf('Undo')).toBe('Ctrl-X u');
  press('Ctrl-G');
  type('>');
  expect(keyOf('Starred messages')).toBeUndefined();
});
