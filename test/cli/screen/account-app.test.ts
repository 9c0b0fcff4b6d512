import {readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {directConversation} from '#state/model/conversation.ts';
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
