import {expect, test} from 'vitest';
import {waitForState} from '#test/state/session-fixture.ts';
import {messageFixture} from './message-fixture.ts';

test('an emoji is found by its name, given, and taken back with the same keys', async () => {
  const {stage, session, select, press, type, says, app} = await messageFixture();
  const id = await stage.say('lunch?');
  await select(id);
  press(':');
  type('octop');
  expect(await says('octopus')).toContain('🐙');
  press('Enter');
  expect(app.screen.overlays).toEqual([]);
  expect(app.screen.toast?.text).toBe('Reacted with 🐙 · Z undo');
  await waitForState(session, ({messages}) => messages.byId.get(id)?.reactions.length === 1);
  press(':');
  expect(await says('On this message')).toMatch(/🐙 octopus\s+you\s+\[1\]/);
  press('Enter');
  await waitForState(session, ({messages}) => messages.byId.get(id)?.reactions.length === 0);
});

test('the reactions that a message has are first, with who gave them', async () => {
  const {stage, session, select, press, overlay} = await messageFixture();
  const id = await stage.say('done');
  await stage.server.as(stage.otto).post(`/messages/${id}/reactions`, {emoji_name: 'tada'});
  await select(id);
  await waitForState(session, ({messages}) => messages.byId.get(id)?.reactions.length === 1);
  press(':');
  const lines = overlay()?.split('\n') ?? [];
  expect(lines[3]).toContain('On this message');
  expect(lines[4]).toMatch(/🎉 tada\s+Otto\s+1 /);
  expect(lines[5]).toContain('Others');
  expect(lines.filter((line) => line.includes(' tada'))).toHaveLength(1);
});

test('what was chosen before comes before what everybody uses; Tab stays for more', async () => {
  const {stage, select, press, type, overlay, app} = await messageFixture();
  await select(await stage.say('one'));
  press(':');
  type('snail');
  press('Tab');
  expect(app.screen.overlays).toHaveLength(1);
  press('Esc', 'Z');
  await select(await stage.say('two'));
  press(':');
  expect(overlay()?.split('\n')[3]).toContain('🐌 snail');
});

test('an emoji of the organization is given by its own id', async () => {
  const {stage, session, select, press, type} = await messageFixture();
  const gif = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
  const bytes = Uint8Array.from(Buffer.from(gif, 'base64'));
  const {status} = await stage.server
    .as(stage.otto)
    .upload('/realm/emoji/kettle', 'kettle.gif', bytes, 'image/gif');
  expect(status).toBe(200);
  await waitForState(session, ({emoji}) => [...emoji.values()].some(({name}) => name === 'kettle'));
  const id = await stage.say('tea');
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
