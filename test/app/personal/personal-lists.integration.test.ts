import {expect, test} from 'vitest';
import {openAlertWordsList, openFileList, openMutedPeopleList, openSnippetList} from '#app/personal/personal-lists.ts';
import {ownSshKeys, sshKeyProblem} from '#app/personal/ssh-keys.ts';
import {settingSections} from '#app/settings/settings-list.ts';
import {pasteIntoFocusedInput} from '#app/text-input.ts';
import {personalCommands} from '#commands/settings.ts';
import {messageFixture, untilApp} from '#test/app/message-actions/message-fixture.ts';
import {waitForState} from '#test/state/session-fixture.ts';
import {appFixture} from '#test/support/app-fixture.ts';
import {newKeyLine} from '#test/support/ssh-key-line.ts';

test('alert words: several are added at once, one is removed, and both can be undone', async () => {
  const {session, fixture, app, press, type, says, overlay} = await messageFixture();
  const words = () => session.cache.state.alertWords;
  const client = fixture.server.as(fixture.meg);
  const queue = await client.listen({event_types: ['alert_words']});
  openAlertWordsList(app);
  press('Ctrl-A');
  type('tide, low water\nTide');
  press('Ctrl-D');
  await waitForState(session, () => words().length === 2);
  await says(/low water[\s\S]*tide/i);
  const [event] = await queue.next();
  expect(Reflect.get(event ?? {}, 'alert_words')).toHaveLength(2);
  await client.post('/users/me/alert_words', {alert_words: ['moon']});
  await says('moon');
  type('moon');
  press('Delete');
  await waitForState(session, () => !words().includes('moon'));
  expect(overlay()).not.toMatch(/▌moon/);
  press('Esc', 'z');
  await waitForState(session, () => words().includes('moon'));
});

test('alert words: a long word is refused while it is typed, and known words change nothing', async () => {
  const {app, press, type, says, overlay} = await messageFixture();
  openAlertWordsList(app);
  press('Ctrl-A');
  type('x'.repeat(101));
  expect(overlay()).toContain('A word may have 100 characters');
  press('Backspace');
  expect(overlay()).not.toContain('A word may have 100 characters');
  press('Ctrl-U');
  type('tide');
  press('Ctrl-D');
  await says('Added the alert word “tide”');
  press('Ctrl-A');
  type('TIDE');
  press('Ctrl-D');
  await says('All of these are alert words already');
});

test('muted people: muted by name, shown to another client, unmuted and undone', async () => {
  const {session, fixture, app, press, type, says} = await messageFixture();
  const {server, meg, otto} = fixture;
  const isMuted = () => session.cache.state.mutedUsers.has(otto.id);
  const queue = await server.as(meg).listen({event_types: ['muted_users']});
  openMutedPeopleList(app);
  await says('Nobody');
  press('Ctrl-A');
  type('otto');
  press('Enter', 'Esc', 'Ctrl-D');
  await says(/Otto/);
  expect(await queue.next()).toMatchObject([{muted_users: [{id: otto.id}]}]);
  press('Down', 'Delete');
  await waitForState(session, () => !isMuted());
  press('Esc', 'z');
  await waitForState(session, isMuted);
});

test('snippets: created, edited, deleted, and each undone; another client sees them', async () => {
  const {session, fixture, app, press, type, says} = await messageFixture();
  const titles = () => [...session.cache.state.snippets.values()].map(({title}) => title);
  openSnippetList(app);
  await says('No snippets');
  press('Ctrl-A');
  type('Hours');
  press('Tab');
  type('We open at nine.');
  press('Ctrl-D');
  await says('Saved the snippet “Hours”');
  await says(/Hours +We open at nine/);
  press('Down', 'Enter');
  type(' today');
  press('Ctrl-D');
  await waitForState(session, () => titles().includes('Hours today'));
  const client = fixture.server.as(fixture.meg);
  expect((await client.get('/saved_snippets')).saved_snippets).toMatchObject([{title: 'Hours today'}]);
  await says('Changed the snippet');
  press('Esc', 'z');
  await waitForState(session, () => titles().includes('Hours'));
  await says('Restored “Hours” · Z redo');
  press('Z');
  await waitForState(session, () => titles().includes('Hours today'));
  await says(/Changed the snippet.* · z undo/);
  press('z');
  await waitForState(session, () => titles().includes('Hours'));
  openSnippetList(app);
  press('Down', 'Delete');
  await waitForState(session, () => titles().length === 0);
  await says('Deleted the snippet');
  press('Esc', 'z');
  await waitForState(session, () => titles().length === 1);
  await says('Saved “Hours” again · Z redo');
  press('Z');
  await waitForState(session, () => titles().length === 0);
  await says(/Deleted the snippet.* · z undo/);
  press('z');
  await waitForState(session, () => titles().length === 1);
});

test('snippets: from the composer, Enter inserts one, and its text becomes a new one', async () => {
  const {session, fixture, app, select, press, type, says} = await messageFixture();
  await fixture.server.as(fixture.meg).post('/saved_snippets', {title: 'Bye', content: 'See you soon.'});
  await waitForState(session, ({snippets}) => snippets.size === 1);
  await select(await fixture.postMessage('hello'));
  press('r');
  type('Well. ');
  press("Alt-'", 'Enter');
  expect(app.screen.composer.field.text).toBe('Well. See you soon.');
  press("Alt-'");
  await says('Save the text as a snippet…');
  press('Down', 'Enter');
  type('x'.repeat(61));
  await says('1 character too long');
  press('Backspace', 'Ctrl-D');
  await waitForState(session, ({snippets}) => snippets.size === 2);
  const [, saved] = [...session.cache.state.snippets.values()];
  expect(saved?.content).toBe('Well. See you soon.');
});

test('snippets: what the server refuses stays in the form, and an older server is named', async () => {
  const {fixture, app, press, type, says} = await messageFixture();
  await fixture.hook('fault', {path: '/saved_snippets', kind: 'status', status: 400, code: 'BAD_REQUEST'});
  openSnippetList(app);
  press('Enter');
  type('One');
  press('Tab');
  type('text');
  press('Ctrl-D');
  expect(await says('Not saved')).toContain('One');
  const old = await messageFixture({server: {level: 277}});
  openSnippetList(old.app);
  press('Enter');
  expect(old.overlay()).toContain('Needs Zulip 10');
});

async function fileFixture() {
  const parts = await messageFixture();
  const {server, meg} = parts.fixture;
  const upload = async (name: string, text: string) => {
    const {body} = await server.as(meg).upload('/user_uploads', name, new TextEncoder().encode(text));
    return String(Reflect.get(body, 'url'));
  };
  return {...parts, upload};
}

test('files: sizes, dates and uses are listed, an upload elsewhere appears, and one is deleted', async () => {
  const {fixture, session, app, upload, press, type, says, overlay, deviceCalls} = await fileFixture();
  const {server, meg, channelId} = fixture;
  const url = await upload('chart.txt', 'x'.repeat(2048));
  await server
    .as(meg)
    .post('/messages', {type: 'stream', to: channelId, topic: 'files', content: `see [chart](${url})`});
  openFileList(app);
  expect(await says('chart.txt')).toMatch(/1 file, 2 KB +the organization uses 2 KB/);
  expect(overlay()).toMatch(/chart\.txt.*in 1 message.*2 KB/);
  await upload('notes.txt', 'abc');
  expect(await says('notes.txt')).toMatch(/notes\.txt.*in no message.*3 bytes/);
  await says(/2 files, 2 KB/);
  type('chart');
  press('Ctrl-Y');
  await untilApp(app, () => deviceCalls.some(([name]) => name === 'copy'));
  expect(deviceCalls.find(([name]) => name === 'copy')?.[1]).toContain(url);
  press('Enter');
  await untilApp(app, () => deviceCalls.some(([name]) => name === 'open'));
  press('Delete');
  await says('links in messages will not work');
  press('y');
  await waitForState(session, ({attachments}) => attachments.size === 1);
  await says('Deleted chart.txt');
});

test('files: another client deletes one, and Ctrl-O opens the message that uses the other', async () => {
  const {fixture, session, app, upload, press, type, says, overlay} = await fileFixture();
  const {server, meg, channelId} = fixture;
  const url = await upload('chart.txt', 'chart');
  await upload('notes.txt', 'notes');
  const message = {type: 'stream', to: channelId, topic: 'files', content: `see [chart](${url})`};
  await server.as(meg).post('/messages', message);
  openFileList(app);
  await says('notes.txt');
  const notes = [...session.cache.state.attachments.values()].find(({name}) => name === 'notes.txt');
  await server.as(meg).delete(`/attachments/${notes?.id}`);
  await untilApp(app, () => overlay()?.includes('notes.txt') === false);
  type('chart');
  press('Ctrl-O');
  await untilApp(app, () => app.screen.view.kind === 'messages');
  expect(app.screen.view).toMatchObject({narrow: [{}, {operand: 'files'}]});
});

test('files: a failure is shown instead of the list', async () => {
  const {fixture, app, says} = await fileFixture();
  await fixture.hook('fault', {path: '/attachments', kind: 'status', status: 400, code: 'BAD_REQUEST', times: 9});
  openFileList(app);
  expect(await says('Injected')).toContain('My files');
});

test('personal lists: a read-only session shows them and changes nothing', async () => {
  const {session, fixture} = await messageFixture();
  await fixture.server.as(fixture.meg).post('/users/me/alert_words', {alert_words: ['moon']});
  await waitForState(session, ({alertWords}) => alertWords.length === 1);
  const {app, press} = appFixture({session, info: {isReadOnly: true}});
  openAlertWordsList(app);
  press('Down', 'Delete');
  expect(app.screen.toast?.text).toBe('This session is read-only: nothing is changed');
  press('Ctrl-A');
  expect(app.screen.overlays).toHaveLength(1);
  expect(session.cache.state.alertWords).toEqual(['moon']);
});

test('SSH keys: one is pasted, shown, undone, and removed after a question; the server has what the list shows', async () => {
  const {fixture, app, press, says, overlay} = await messageFixture();
  const client = fixture.server.as(fixture.meg);
  const fingerprints = async () =>
    (await client.get('/parley/ssh_keys')).ssh_keys.map((key: {fingerprint: string}) => key.fingerprint);
  ownSshKeys.open(app);
  await says('No keys: Ctrl-A adds one');
  const line = newKeyLine();
  press('Ctrl-A');
  pasteIntoFocusedInput(app, `${line}\n`);
  press('Ctrl-D');
  await says(/meg@laptop +ssh-ed25519 · SHA256:.* not used yet/);
  expect(await fingerprints()).toHaveLength(1);
  press('Esc', 'z');
  await says('Removed the SSH key');
  expect(await fingerprints()).toEqual([]);
  const {ssh_key: added} = await client.post('/parley/ssh_keys', {key: newKeyLine('meg@desk')});
  ownSshKeys.open(app);
  await says('meg@desk');
  press('Down');
  expect(overlay()).toContain(`${added.fingerprint}, ssh-ed25519, added today`);
  press('Delete');
  await says('Remove the key meg@desk?');
  press('Esc');
  expect(await fingerprints()).toEqual([added.fingerprint]);
  press('Delete', 'y');
  await says('No keys');
  expect(await fingerprints()).toEqual([]);
  expect(app.screen.toast?.text).toBe('Removed the key meg@desk');
});

test('SSH keys: the form says what is wrong with a key, and keeps what was pasted', async () => {
  const {fixture, app, press, says, overlay} = await messageFixture();
  const line = newKeyLine();
  const requests = () => fixture.server.context.db.value<number>('SELECT count(*) FROM ssh_key');
  await fixture.server.as(fixture.otto).post('/parley/ssh_keys', {key: line});
  ownSshKeys.openNew(app);
  press('Ctrl-D');
  await says('Public key is missing');
  const refused = async (text: string, sentence: string) => {
    for (let lines = 0; lines < 4; lines++) press('Ctrl-U', 'Backspace');
    pasteIntoFocusedInput(app, text);
    press('Ctrl-D');
    await says(sentence);
  };
  await refused('-----BEGIN OPENSSH PRIVATE KEY-----\nb3Blbn\n', 'This is a private key');
  await refused('ssh-rsa AAAA\nssh-rsa AAAA', 'A public key is one line');
  await refused('hello', 'This is not a public key of OpenSSH');
  await refused(line.slice(0, 40), 'incomplete or damaged');
  await refused(line, 'This key belongs to another account');
  expect(overlay()).toContain('ssh-ed25519');
  expect(requests()).toBe(1);
});

test('SSH keys: without a connection the list says so, and what is typed is not lost', async () => {
  const {fixture, app, press, says} = await messageFixture();
  await fixture.server.close();
  ownSshKeys.open(app);
  await says(/not be reached|offline|connect/i);
  press('Ctrl-A');
  pasteIntoFocusedInput(app, newKeyLine());
  press('Ctrl-D');
  await says(/not be reached|offline|connect/i);
});

test('SSH keys: another server than Parley’s has none, and the command and the setting say so', async () => {
  const {app} = await messageFixture();
  const {account} = app.frame;
  const zulip = {...app.frame, account: {...account, server: {...account.server, version: '12.0'}}};
  const disabled = (frame: typeof app.frame) =>
    settingSections(app, frame)
      .flatMap(({items}) => items)
      .find(({key}) => key === 'ssh keys')?.disabled;
  const reason = 'Only Parley’s own server can be used over SSH';
  expect([sshKeyProblem(zulip), disabled(zulip)]).toEqual([reason, reason]);
  expect([sshKeyProblem(app.frame), disabled(app.frame)]).toEqual([undefined, undefined]);
  const command = personalCommands.find(({id}) => id === 'sshkeys.open');
  expect(command?.disabledReason?.({...app, frame: zulip} as never)).toBe(reason);
});
