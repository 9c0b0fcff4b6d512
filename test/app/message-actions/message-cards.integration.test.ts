import {expect, test} from 'vitest';
import {textDiff} from '#std/text-diff.ts';
import {waitForState} from '#test/state/session-fixture.ts';
import {egDisplay, textOf} from '#test/support/frame-fixture.ts';
import {diffLines} from '#ui/message-actions/edit-history-lines.ts';
import {messageFixture} from './message-fixture.ts';

test('read receipts: the card opens at once and fills when the server answers', async () => {
  const {fixture, select, press, overlay, says} = await messageFixture();
  const id = await fixture.postMessage('hello');
  await select(id);
  await fixture.server.as(fixture.meg).post('/messages/flags', {messages: [id], op: 'add', flag: 'read'});
  press('V');
  expect(overlay()).toContain('loading…');
  expect(await says('Read by 1 person')).toContain('Meg Member (you)');
  press('Esc');
  expect(overlay()).toBeUndefined();
});

test('read receipts: the card shows a server error, and Ctrl-L tries again', async () => {
  const {fixture, select, press, overlay, says} = await messageFixture();
  await select(await fixture.postMessage('hello'));
  await fixture.hook('fault', {
    // Not the requests that mark the message read.
    method: 'GET',
    path: '/messages',
    kind: 'status',
    status: 400,
    code: 'BAD_REQUEST',
    times: 20,
  });
  press('V');
  expect(await says('Injected fault.')).toContain('Ctrl-L tries');
  await fixture.hook('clear-faults');
  press('Ctrl-L');
  expect(overlay()).toContain('loading…');
  // The message may be marked read before or after the receipts are fetched.
  await says(/Read by (no one yet|1 person)/);
});

test('read receipts: turned off by the organization, no card opens', async () => {
  const {fixture, session, select, press, app} = await messageFixture();
  await select(await fixture.postMessage('hello'));
  const owner = fixture.server.people.owner();
  await fixture.server.as(owner).patch('/realm', {enable_read_receipts: false});
  await waitForState(session, ({realm}) => realm.enableReadReceipts === false);
  press('V');
  expect(app.screen.toast?.text).toBe('Read receipts are turned off in this organization.');
});

test('edit history: shows changes word by word, and moves', async () => {
  const {fixture, session, select, press, says} = await messageFixture();
  const id = await fixture.postMessage('lift the freeze at noon');
  const otto = fixture.server.as(fixture.otto);
  await otto.patch(`/messages/${id}`, {content: 'lift the freeze before noon'});
  await otto.patch(`/messages/${id}`, {topic: 'freeze', propagate_mode: 'change_one'});
  // Otherwise the conversation that it leaves may be opened.
  await waitForState(session, ({messages}) => {
    const message = messages.byId.get(id);
    return message?.kind === 'channel' && message.topic === 'freeze';
  });
  await select(id);
  press('H');
  const text = await says('Otto sent');
  const lines = text.split('\n').map((line) => line.replaceAll(/[│]/g, '').trim());
  expect(lines).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^Otto moved it from “talk” to “freeze” {2}today, /),
      expect.stringMatching(/^Otto edited {2}today, /),
      '- lift the freeze at noon',
      '+ lift the freeze before noon',
    ]),
  );
});

test('edit history: lines far from a change are counted, not shown', () => {
  const before = 'one\ntwo\nthree\nfour\nfive\nsix';
  const lines = diffLines(textDiff(before, before.replace('six', 'seven')), 40, {display: egDisplay});
  expect(textOf(lines)).toEqual(['… 4 unchanged lines', '  five', '- six', '+ seven']);
});

test('report: the reason “other” needs an explanation, and the moderators get the report', async () => {
  const {fixture, session, select, press, type, says} = await messageFixture();
  const {server, otto} = fixture;
  const desk = server.people.channel('desk', [otto], {invite_only: 1});
  const owner = server.people.owner();
  await server.as(owner).patch('/realm', {moderation_request_channel_id: desk});
  await waitForState(session, ({realm}) => realm.moderationRequestChannelId === desk);
  await select(await fixture.postMessage('Buy now'));
  press(';');
  type('report to the mod');
  await says('Report to the moderators');
  press('Enter');
  await says('Reason');
  type('other');
  press('Enter', 'Ctrl-D');
  await says('Explanation is missing');
  type('It is an advertisement.');
  press('Ctrl-D');
  await says('Reported to the moderators');
  const {messages} = await server.as(otto).get('/messages', {
    narrow: [{operator: 'channel', operand: desk}],
    anchor: 'newest',
    num_before: 1,
    num_after: 0,
    apply_markdown: false,
  });
  expect(messages[0].content).toContain('It is an advertisement.');
});
