import {expect, test} from 'vitest';
import {acceptMovedDestination} from '#app/composer/moved-destination.ts';
import {openView} from '#app/navigation/navigation.ts';
import {textOf} from '#test/support/frame-fixture.ts';
import {completionMenu} from '#test/support/part-lines.ts';
import {composeFixture} from './compose-fixture.ts';

test('composer: the mention menu accepts with Enter, and Esc closes only the menu', async () => {
  const {press, type, text, app} = await composeFixture();
  press('r');
  type('hi @ot');
  const menu = completionMenu(app.frame);
  expect(menu?.rect).toMatchObject({x: 0, columns: 80});
  expect(textOf(menu?.lines ?? [])[1]).toMatch(/^▌.? ?Otto/);
  press('Enter');
  expect(text()).toBe('hi @**Otto** ');
  type('@ot');
  press('Esc');
  expect(app.screen.composer.menu).toBeUndefined();
  expect(app.screen.focus).toBe('composer');
  type('t');
  expect(app.screen.composer.menu).toBeUndefined();
});

test('composer: Tab on a channel offers the channel itself first, then its topics', async () => {
  const {press, type, text, app} = await composeFixture();
  press('r');
  type('see #gene');
  press('Tab');
  expect(text()).toBe('see #**general>');
  expect(app.screen.composer.menu?.completion.options.map(({label}) => label)).toEqual(['#general', 'talk']);
  press('Tab');
  expect(text()).toBe('see #**general** ');
});

test('composer: a > typed behind an accepted channel begins its topic, and not a topic with that sign', async () => {
  const {press, type, text} = await composeFixture();
  press('r');
  type('#gene');
  press('Tab');
  type('>');
  expect(text()).toBe('#**general>');
  type('bar');
  press('Tab');
  expect(text()).toBe('#**general>bar** ');
});

test.each([' ', ',', '.', '\n'])('composer: %j behind an accepted channel closes its link', async (typed) => {
  const {press, type, text} = await composeFixture();
  press('r');
  type('see #gene');
  press('Tab');
  if (typed === '\n') press('Alt-Enter');
  else type(typed);
  type('then');
  expect(text()).toBe(`see #**general**${typed}then`);
});

test('composer: a mention and a link that are not closed are named before sending, and a key closes them', async () => {
  const {press, type, text, app, rows} = await composeFixture();
  press('r');
  type('@**Otto please see\\');
  press('Enter');
  type('#**general>talk, now');
  press('Esc', 'Ctrl-D');
  const warning = '“@**Otto” and “#**general>talk” have no ** at the end: they are sent as plain text.';
  expect(app.screen.composer.warnings.map((one) => one.text)).toEqual([warning]);
  expect(rows().join(' ').replaceAll(/\s+/g, ' ')).toContain('plain text. Ctrl-X y adds it.');
  press('Ctrl-X', 'y');
  expect(text()).toBe('@**Otto** please see\n#**general>talk**, now');
  press('Ctrl-D');
  expect(text()).toBe('');
});

test('composer: arrows select in the menu, and moving the cursor closes it', async () => {
  const {press, type, text, app} = await composeFixture();
  press('r');
  type('/');
  expect(app.screen.composer.menu?.index).toBe(0);
  press('Down');
  expect(app.screen.composer.menu?.index).toBe(1);
  press('Ctrl-P', 'Ctrl-N', 'Tab');
  expect(text()).toBe('/poll ');
  type('@ot');
  press('Left');
  expect(app.screen.composer.menu).toBeUndefined();
});

test('composer: c asks for the topic in the current channel, then for the text', async () => {
  const {press, type, rows, until, app} = await composeFixture();
  press('c');
  expect(rows().slice(0, 2)).toEqual([' Channel general', ' Topic   general chat']);
  expect(app.screen.composer.activePart).toBe('topic');
  type('picnic');
  press('Tab');
  expect(rows()[0]).toMatch(/^to #general › picnic {2}not here/);
  type('who brings cake?');
  press('Enter');
  const state = await until(({messages}) =>
    [...messages.byId.values()].some(({content}) => content === 'who brings cake?'),
  );
  expect([...state.messages.byId.values()].at(-1)).toMatchObject({topic: 'picnic'});
});

test('composer: x completes recipients and refuses unknown names', async () => {
  const {press, type, app, rows} = await composeFixture();
  press('x');
  type('zzz');
  press('Enter');
  expect(app.screen.toast?.text).toBe('No user is called “zzz”.');
  expect(app.screen.composer.activePart).toBe('to');
  press('Ctrl-U');
  type('ott');
  press('Esc', 'Tab');
  expect(rows()[0]).toMatch(/^to Otto {2}not here/);
  press('Shift-Tab', 'Ctrl-U');
  type('ott');
  press('Enter');
  expect(app.screen.composer.recipients?.to.text).toBe('Otto, ');
  press('Enter');
  expect(app.screen.composer.activePart).toBe('text');
  expect(rows()[0]).toMatch(/^to Otto {2}not here/);
});

test('composer: Ctrl-T changes the destination, and the draft follows', async () => {
  const {press, type, session, text} = await composeFixture();
  press('r');
  type('wrong place');
  press('Ctrl-T', 'Tab', 'Ctrl-U');
  type('right');
  press('Enter');
  expect(text()).toBe('wrong place');
  press('Esc');
  expect(session.drafts.all()).toMatchObject([{target: {topic: 'right'}, content: 'wrong place'}]);
});

test('composer: sending without a destination asks for one', async () => {
  const {press, type, app, session} = await composeFixture();
  openView(app, {kind: 'people'});
  press('c');
  press('Shift-Tab');
  app.set({composer: {...app.screen.composer, activePart: 'text'}});
  type('to whom?');
  press('Ctrl-D');
  expect(app.screen.composer.activePart).toBe('to');
  expect(app.screen.toast?.text).toBe('Enter a channel first.');
  expect(session.outbox).toBeDefined();
  expect(app.state.outbox).toEqual([]);
});

test('composer: a warning shows first, and sending again ignores it', async () => {
  const {press, type, rows, text} = await composeFixture();
  press('r');
  type('-----BEGIN PRIVATE KEY-----');
  press('Enter');
  expect(text()).not.toBe('');
  expect(rows()).toContain(' Enter again to send');
  expect(rows().join(' ')).toMatch(/! This looks like a private key/);
  press('Enter');
  expect(text()).toBe('');
});

test('composer: changing the text clears the warning', async () => {
  const {press, type, text, app} = await composeFixture();
  press('r');
  type('-----BEGIN PRIVATE KEY-----');
  press('Enter');
  type('x');
  expect(app.screen.composer.warnings).toEqual([]);
  press('Enter');
  expect(text()).not.toBe('');
});

test('composer: a text that is too long is not sent and shows the counter', async () => {
  const {press, app, rows, text, fixture} = await composeFixture();
  expect(fixture).toBeDefined();
  press('r');
  app.set({
    composer: {...app.screen.composer, field: {...app.screen.composer.field, text: 'x'.repeat(10_001)}},
  });
  expect(rows()[0]).toMatch(/10001\/10000 too long/);
  press('Ctrl-D');
  expect(text()).toHaveLength(10_001);
  expect(rows().join(' ')).toMatch(/1 character too long/);
});

test('composer: when the topic is renamed while writing, Enter follows', async () => {
  const {press, type, rows, app, fixture, until, session} = await composeFixture();
  press('r');
  type('still here?');
  const id = [...app.state.messages.byId.keys()].at(-1);
  await fixture.server.as(fixture.otto).patch(`/messages/${id}`, {topic: 'chatter', propagate_mode: 'change_all'});
  await until(({messages}) => messages.byConversation.get(`c${fixture.channelId}:chatter`) !== undefined);
  expect(rows()[1]).toBe('! renamed to #general › chatter — Enter follow · Esc stay');
  press('Enter');
  expect(app.screen.composer.target).toMatchObject({topic: 'chatter'});
  expect(app.state.outbox).toEqual([]);
  expect(rows()[0]).toMatch(/^to #general › chatter {2}not here/);
  expect(acceptMovedDestination(app)).toBe(false);
  press('Esc');
  expect(session.drafts.all()).toMatchObject([{target: {topic: 'chatter'}}]);
});

test('composer: after a refused send the first Esc keeps the text and says that it was not sent', async () => {
  const {press, type, app, text, session} = await composeFixture();
  press('r');
  app.set({
    composer: {...app.screen.composer, field: {...app.screen.composer.field, text: 'x'.repeat(10_000)}},
  });
  type('x');
  press('Ctrl-D', 'Esc');
  expect(app.screen.composer).toMatchObject({isOpen: true, warnings: []});
  expect(text()).toHaveLength(10_001);
  expect(app.screen.toast?.text).toBe('Not sent: the text is still here');
  press('Esc');
  expect(app.screen.composer.isOpen).toBe(false);
  expect(session.drafts.all()).toHaveLength(1);
});

test('composer: Esc closes an empty composer although Enter said that there is nothing to send', async () => {
  const {press, app} = await composeFixture();
  press('r', 'Enter', 'Esc');
  expect(app.screen.composer.isOpen).toBe(false);
});
