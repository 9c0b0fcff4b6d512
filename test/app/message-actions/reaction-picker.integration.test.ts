import {expect, test} from 'vitest';
import {waitForState} from '#test/state/session-fixture.ts';
import {messageFixture} from './message-fixture.ts';

test('reaction picker: adds an emoji found by name, and removes it with the same keys', async () => {
  const {fixture, session, select, press, type, says, app} = await messageFixture();
  const id = await fixture.postMessage('lunch?');
  await select(id);
  press(':');
  type('octop');
  expect(await says('octopus')).toContain('🐙');
  press('Enter');
  expect(app.screen.overlays).toEqual([]);
  expect(app.screen.toast?.text).toBe('Reacted with 🐙 · z undo');
  await waitForState(session, ({messages}) => messages.byId.get(id)?.reactions.length === 1);
  press(':');
  expect(await says('On this message')).toMatch(/🐙 octopus\s+You\s+\[1\]/);
  press('Enter');
  await waitForState(session, ({messages}) => messages.byId.get(id)?.reactions.length === 0);
});

test('reaction picker: existing reactions come first, with who added them', async () => {
  const {fixture, session, select, press, overlay} = await messageFixture();
  const id = await fixture.postMessage('done');
  await fixture.server.as(fixture.otto).post(`/messages/${id}/reactions`, {emoji_name: 'tada'});
  await select(id);
  await waitForState(session, ({messages}) => messages.byId.get(id)?.reactions.length === 1);
  press(':');
  const lines = overlay()?.split('\n') ?? [];
  expect(lines[3]).toContain('On this message');
  expect(lines[4]).toMatch(/🎉 tada\s+Otto\s+1 /);
  expect(lines[5]).toContain('Others');
  expect(lines.filter((line) => line.includes(' tada'))).toHaveLength(1);
});

test('reaction picker: names that a row would cut are shown in full for the choice with the cursor', async () => {
  const {fixture, session, select, press, overlay} = await messageFixture();
  const id = await fixture.postMessage('done');
  const [meg, otto] = [fixture.server.as(fixture.meg), fixture.server.as(fixture.otto)];
  const name = 'Otto Bartholomew Ravenscroft of the Northern Harbour Office';
  await otto.patch('/settings', {full_name: name});
  for (const user of [otto, meg]) await user.post(`/messages/${id}/reactions`, {emoji_name: 'tada'});
  await select(id);
  await waitForState(session, ({messages}) => messages.byId.get(id)?.reactions.length === 2);
  press(':');
  const lines =
    overlay()
      ?.split('\n')
      .map((line) => line.replaceAll('│', '').trim()) ?? [];
  expect(lines[4]).toMatch(/tada {2}Otto Bartholomew .*….* \[2\]$/);
  expect(lines.slice(-3, -1).join(' ')).toBe(`${name}, You`);
});

test('reaction picker: used emoji come before popular ones, and Tab keeps it open', async () => {
  const {fixture, select, press, type, overlay, app} = await messageFixture();
  await select(await fixture.postMessage('one'));
  press(':');
  type('snail');
  press('Tab');
  expect(app.screen.overlays).toHaveLength(1);
  press('Esc', 'z');
  await select(await fixture.postMessage('two'));
  press(':');
  expect(overlay()?.split('\n')[3]).toContain('🐌 snail');
});

test('reaction picker: a custom emoji is sent with its id', async () => {
  const {fixture, session, select, press, type} = await messageFixture();
  const gif = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
  const bytes = Uint8Array.from(Buffer.from(gif, 'base64'));
  const {status} = await fixture.server
    .as(fixture.otto)
    .upload('/realm/emoji/kettle', 'kettle.gif', bytes, 'image/gif');
  expect(status).toBe(200);
  await waitForState(session, ({emoji}) => [...emoji.values()].some(({name}) => name === 'kettle'));
  const id = await fixture.postMessage('tea');
  await select(id);
  press(':');
  type('kettle');
  press('Enter');
  const after = await waitForState(session, ({messages}) => messages.byId.get(id)?.reactions.length === 1);
  expect(after.messages.byId.get(id)?.reactions[0]).toMatchObject({
    emojiName: 'kettle',
    reactionType: 'realm_emoji',
  });
});
