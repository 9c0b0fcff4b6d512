import {expect, test} from 'vitest';
import {diffLines} from '#app/message-actions/edit-history-card.ts';
import {textDiff} from '#app/message-actions/text-diff.ts';
import {waitForState} from '#test/state/session-fixture.ts';
import {egDisplay, textOf} from '#test/support/frame-fixture.ts';
import {messageFixture} from './message-fixture.ts';

test('read receipts are there at once as a card and are filled when the server answers', async () => {
  const {stage, select, press, overlay, says} = await messageFixture();
  const id = await stage.say('hello');
  await select(id);
  await stage.server.as(stage.meg).post('/messages/flags', {messages: [id], op: 'add', flag: 'read'});
  press('V');
  expect(overlay()).toContain('loading…');
  expect(await says('Read by one person')).toContain('Meg Member (you)');
  press('Esc');
  expect(overlay()).toBeUndefined();
});

test('what the server refuses is said in the card', async () => {
  const {stage, select, press, says} = await messageFixture();
  await select(await stage.say('hello'));
  await stage.hook('fault', {path: '/messages', kind: 'status', status: 400, code: 'BAD_REQUEST', times: 20});
  press('V');
  await says('Injected fault.');
});

test('receipts that the organization turned off have no card', async () => {
  const {stage, session, select, press, app} = await messageFixture();
  await select(await stage.say('hello'));
  const owner = stage.server.people.owner();
  await stage.server.as(owner).patch('/realm', {enable_read_receipts: false});
  await waitForState(session, ({realm}) => realm.enableReadReceipts === false);
  press('V');
  expect(app.screen.toast?.text).toBe('Read receipts are turned off in this organization.');
});

test('the history tells what was changed, word by word, and where the message was', async () => {
  const {stage, select, press, says} = await messageFixture();
  const id = await stage.say('lift the freeze at noon');
  const otto = stage.server.as(stage.otto);
  await otto.patch(`/messages/${id}`, {content: 'lift the freeze before noon'});
  await otto.patch(`/messages/${id}`, {topic: 'freeze', propagate_mode: 'change_one'});
  await select(id);
  press('H');
  const said = await says('Otto sent');
  const lines = said.split('\n').map((line) => line.replaceAll(/[│]/g, '').trim());
  expect(lines).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^Otto moved it from “talk” to “freeze” {2}today, /),
      expect.stringMatching(/^Otto edited {2}today, /),
      '- lift the freeze at noon',
      '+ lift the freeze before noon',
    ]),
  );
});

test('lines far from a change are counted, not shown', () => {
  const before = 'one\ntwo\nthree\nfour\nfive\nsix';
  const lines = diffLines(textDiff(before, before.replace('six', 'seven')), 40, {display: egDisplay});
  expect(textOf(lines)).toEqual(['… 4 lines as before', '  five', '- six', '+ seven']);
});
