import {expect, test} from 'vitest';
import type {App} from '#app/core/app.ts';
import {pollState} from '#content/widgets/widgets.ts';
import {egRect, textOf} from '#test/support/frame-fixture.ts';
import {statusLines} from '#test/support/part-lines.ts';
import {messageFixture, untilApp} from './message-fixture.ts';

function hintLine(app: App): string {
  return textOf(statusLines(app.frame, egRect('100x1'))).join('');
}

test('vote: in a channel without a subscription the vote is shown, although no event reports it', async () => {
  const {app, fixture, select, press, says} = await messageFixture();
  const {server, otto} = fixture;
  server.people.channel('elsewhere', [otto]);
  const poll = {type: 'stream', to: 'elsewhere', topic: 'lunch', content: '/poll Where?\nHarbor\nMarket'};
  const {id} = await server.as(otto).post('/messages', poll);
  await select(id);
  expect(hintLine(app)).toMatch(/Enter vote/);
  press('Enter');
  await says('[ ] Harbor');
  press('Enter');
  await says('[✓] Harbor');
});

test('vote: a vote is shown at once, before the server has it, and undo removes it', async () => {
  const {app, fixture, session, select, press, overlay, says} = await messageFixture();
  const id = await fixture.postMessage('/poll Where?\nHarbor\nMarket');
  await select(id);
  press('Enter');
  await says('[ ] Harbor');
  await fixture.hook('fault', {path: '/submessage', kind: 'drop_after'});
  press('Enter');
  expect(overlay()).toContain('[✓] Harbor');
  press('Esc');
  await session.pendingChanges.idle();
  await untilApp(app, () => session.pendingChanges.pendingActions().length === 0);
  press('z');
  const poll = () => pollState(session.cache.state.messages.byId.get(id)?.submessages ?? [], fixture.otto.id);
  expect(poll()?.options[0]?.voters).toEqual([]);
  await session.pendingChanges.idle();
  const {message} = await fixture.server.as(fixture.meg).get(`/messages/${id}`);
  expect(message.submessages.map(({content}: {content: string}) => JSON.parse(content).vote).slice(-1)).toEqual([-1]);
});

test('vote: Enter opens a to-do list, r replies to it, and Enter replies to other messages', async () => {
  const {app, fixture, select, press, overlay} = await messageFixture();
  const [todo, plain] = [
    await fixture.postMessage('/todo Stores\nRope: forty metres'),
    await fixture.postMessage('hi'),
  ];
  await select(todo);
  expect(hintLine(app)).toMatch(/Enter tick tasks {2}r reply/);
  press('Enter');
  expect(overlay()).toContain('[ ] Rope');
  press('Esc', 'r');
  expect(app.screen.focus).toBe('composer');
  press('Esc');
  await select(plain);
  expect(hintLine(app)).not.toContain('Enter');
  press('Enter');
  expect(app.screen.focus).toBe('composer');
});
