import {expect, test} from 'vitest';
import type {App} from '#app/core/app.ts';
import {pollState} from '#content/widgets/widgets.ts';
import {waitForState} from '#test/state/session-fixture.ts';
import {egRect, textOf} from '#test/support/frame-fixture.ts';
import {messagePaneLines, statusLines} from '#test/support/part-lines.ts';
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

test('vote: a number and Enter vote for the option of that number, and the hint says what Enter does', async () => {
  const {fixture, session, select, press, type, overlay, says} = await messageFixture();
  const id = await fixture.postMessage('/poll Where?\nHarbor\nMarket\nPier 1');
  await select(id);
  press('Enter');
  await says('1 [ ] Harbor');
  expect(overlay()).toContain('Enter votes for it');
  type('2');
  press('Enter');
  await says('2 [✓] Market');
  expect(overlay()).toContain('Enter removes your vote');
  type('1');
  press('Enter');
  await says('1 [✓] Harbor');
  type('HARBOR');
  expect(overlay()).not.toContain('Add “');
  const poll = pollState(session.cache.state.messages.byId.get(id)?.submessages ?? [], fixture.otto.id);
  expect(poll?.options.map(({text, voters}) => [text, voters.length])).toEqual([
    ['Harbor', 1],
    ['Market', 1],
    ['Pier 1', 0],
  ]);
});

test('vote: undo of a ticked task leaves it alone where somebody has unticked it since', async () => {
  const {app, fixture, select, press, says} = await messageFixture();
  const {server, meg, otto} = fixture;
  const id = await fixture.postMessage('/todo Stores\nRope');
  await select(id);
  press('Enter');
  await says('[ ] Rope');
  press('Enter');
  await says('Ticked “Rope”');
  const contents = async () => {
    const {message} = await server.as(meg).get(`/messages/${id}`);
    return message.submessages.map(({content}: {content: string}) => content);
  };
  const strike = (await contents()).at(-1);
  await server.as(otto).post('/submessage', {message_id: id, msg_type: 'widget', content: strike});
  await says('[ ] Rope');
  const before = await contents();
  press('Esc', 'z');
  expect(app.screen.toast?.text).toBe('Nothing is left to undo: Ticked “Rope”');
  expect(await contents()).toEqual(before);
});

test.each([
  {what: 'an option', message: '/poll Where?\nHarbor', yes: 'Add the option'},
  {what: 'a task', message: '/todo Stores\nHarbor', yes: 'Add the task'},
])('vote: $what is added for everyone only after a question', async ({message, yes}) => {
  const {app, fixture, select, press, type, overlay, says} = await messageFixture();
  const id = await fixture.postMessage(message);
  await select(id);
  press('Enter');
  type('7');
  expect(overlay()).toContain('Add “7”…');
  expect(overlay()).toContain('Enter asks, then adds it for everyone');
  press('Enter');
  expect(overlay()).toContain(yes);
  press('Enter');
  expect(app.screen.toast).toBeUndefined();
  expect(overlay()).toContain('Add “7”…');
  press('Enter', 'y');
  await says('2 [ ] 7');
});

test('vote: reactions are below the last option and not behind it', async () => {
  const {app, fixture, session, select} = await messageFixture();
  const id = await fixture.postMessage('/poll Where?\nHarbor');
  await fixture.server.as(fixture.otto).post(`/messages/${id}/reactions`, {emoji_name: 'tada'});
  await select(id);
  await waitForState(session, ({messages}) => messages.byId.get(id)?.reactions.length === 1);
  const lines = textOf(messagePaneLines(app.frame, egRect('80x30'))).map((line) => line.trim());
  const option = lines.findIndex((line) => line.endsWith('Harbor'));
  expect(option).toBeGreaterThan(0);
  expect(lines[option + 1]).toMatch(/🎉 Otto$/);
});
