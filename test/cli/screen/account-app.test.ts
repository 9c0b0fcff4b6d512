import {readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {openComposer} from '#app/composer/open-composer.ts';
import {openConversation} from '#app/navigation/navigation.ts';
import {pasteIntoFocusedInput} from '#app/text-input.ts';
import {directConversation} from '#state/model/conversation.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import {writeZuliprc} from '#test/support/terminal/parley-command.ts';
import {accountAppFixture} from './account-app-fixture.ts';

test.each([true, false])('account: with send_typing = %s, others learn that the user types: %s', async (sendTyping) => {
  const {server, meg, otto, online} = await accountAppFixture({sendTyping});
  const {app} = await online('meg');
  const queue = await server.as(otto).listen({event_types: ['typing', 'message']});
  const conversation = directConversation([otto.id], meg.id);
  app.session.typing.noteTyping(conversation);
  app.session.outbox.send({conversation, content: 'hello', draftId: undefined});
  const types: string[] = [];
  while (!types.includes('message')) types.push(...(await queue.next()).map(({type}) => type));
  expect(types.includes('typing')).toBe(sendTyping);
});

test.each([true, false])('account: with drafts.sync = %s, a draft is on the server: %s', async (draftSync) => {
  const {server, meg, otto, online} = await accountAppFixture({draftSync});
  const {app} = await online('meg');
  app.session.drafts.edit(undefined, {target: directConversation([otto.id], meg.id), content: 'half a text'});
  await app.session.drafts.flush();
  expect((await server.as(meg).get('/drafts')).drafts).toHaveLength(draftSync ? 1 : 0);
  expect(app.session.drafts.all()).toMatchObject([{content: 'half a text'}]);
});

test('account: the log says what failed, and contains no message, no draft and no key', async () => {
  const {server, meg, otto, online, log} = await accountAppFixture();
  const hook = (name: string, body: object) =>
    fetch(`${server.url}/test-hooks/${name}`, {method: 'POST', body: JSON.stringify(body)});
  const {app} = await online('meg');
  const conversation = directConversation([otto.id], meg.id);
  await hook('fault', {path: '/drafts', kind: 'status', status: 400, code: 'BAD_REQUEST', times: 5});
  app.session.drafts.edit(undefined, {target: conversation, content: 'a private draft'});
  await app.session.drafts.flush();
  await hook('fault', {path: '/messages', method: 'POST', kind: 'status', status: 400, code: 'BAD_REQUEST'});
  app.session.outbox.send({conversation, content: 'a private message', draftId: undefined});
  await expect.poll(() => app.state.outbox[0]?.status).toBe('failed');
  await hook('expire-queues', {});
  const text = () => readFileSync(log.path, 'utf8');
  await expect.poll(text).toContain('The event queue is lost');
  for (const secret of ['private', meg.apiKey]) expect(text()).not.toContain(secret);
});

test('account: logged out, it connects with a key that is saved much later, without a restart', async () => {
  const clock = new ManualClock(Date.now());
  const {server, meg, online, fileOf} = await accountAppFixture({}, {clock});
  const {app} = await online('meg');
  const {api_key: apiKey} = await server.as(meg).post('/users/me/api_key/regenerate');
  const phaseAfter = (ms: number) => () => {
    clock.advance(ms);
    return app.state.connection.phase;
  };
  await expect.poll(phaseAfter(1000)).toBe('signedOut');
  expect(phaseAfter(25_000)()).toBe('signedOut');
  writeZuliprc(fileOf('meg'), {site: server.url, email: meg.email, apiKey: String(apiKey)});
  clock.advance(10_000);
  await expect.poll(phaseAfter(1)).toBe('online');
  expect((await server.as({...meg, apiKey: String(apiKey)}).get('/users/me')).user_id).toBe(meg.id);
});

test.each([true, false])('account: with isReadOnly = %s, nobody learns that the user types: %s', async (isReadOnly) => {
  const {server, meg, otto, online} = await accountAppFixture({}, {isReadOnly});
  const {app} = await online('meg');
  const queue = await server.as(otto).listen({event_types: ['typing', 'message']});
  const types: string[] = [];
  app.session.typing.noteTyping(directConversation([otto.id], meg.id));
  if (!isReadOnly) types.push(...(await queue.next()).map(({type}) => type));
  await server.as(meg).post('/messages', {type: 'direct', to: [otto.id], content: 'hello'});
  while (!types.includes('message')) types.push(...(await queue.next()).map(({type}) => type));
  expect(types.includes('typing')).toBe(!isReadOnly);
});

test('account: only the one that is shown at the start asks about Enter', async () => {
  const {open} = await accountAppFixture();
  const [shown, other] = [await open('meg'), await open('otto')];
  shown.start(true);
  other.start(false);
  await Promise.all([shown, other].map(({app}) => app.session.ready()));
  await expect.poll(() => shown.app.screen.overlays).toHaveLength(1);
  expect(other.app.screen.overlays).toEqual([]);
});

test('account: quiet hours that are set on the screen hold at once, and end at once', async () => {
  const {open, settings} = await accountAppFixture();
  const account = await open('meg');
  account.applySetting({...settings, notifyQuiet: '00:00-23:59'}, 'notifyQuiet');
  expect(account.app.screen.quietUntil).toBeDefined();
  account.applySetting({...settings, notifyQuiet: ''}, 'notifyQuiet');
  expect(account.app.screen.quietUntil).toBeUndefined();
});

test('account: what was typed right before the end is a draft at the next start', async () => {
  const {meg, otto, online, open} = await accountAppFixture();
  const account = await online('meg');
  const {app} = account;
  openConversation(app, directConversation([otto.id], meg.id));
  openComposer(app, {target: directConversation([otto.id], meg.id)});
  pasteIntoFocusedInput(app, 'half a thought');
  await account.stop();
  const again = await open('meg');
  expect(again.app.session.drafts.all()).toMatchObject([{content: 'half a thought'}]);
});
