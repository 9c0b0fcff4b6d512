import {expect, test} from 'vitest';
import {messageFixture, untilApp} from '#test/app/message-actions/message-fixture.ts';

type Options = Parameters<typeof messageFixture>[0];

/** Meg's client with the card open. */
async function aboutCard(options: Options = {}) {
  const parts = await messageFixture(options);
  const {press, type} = parts;
  press(';');
  type('about this');
  press('Enter');
  return parts;
}

test('about card: the organization, the server, its limits and the account', async () => {
  const {fixture, says} = await aboutCard({app: {info: {version: '1.2.3'}}});
  const text = await says('email and password');
  expect(text).toMatch(/Name +Parley/);
  expect(text).toMatch(new RegExp(`Address +${fixture.server.url}`));
  expect(text).toMatch(/Version +Zulip \S+/);
  expect(text).toMatch(/Level +509 \(feature level\)/);
  expect(text).toMatch(/Message +at most 10000 characters/);
  expect(text).toMatch(/File +at most \d+ MiB/);
  expect(text).toMatch(/Name +Meg Member/);
  expect(text).toMatch(/Email +meg\.member@example\.com/);
  expect(text).toMatch(/Role +Member/);
  expect(text).toMatch(/Parley +1\.2\.3/);
  expect(text).not.toContain('lacks');
});

test('about card: what an old server lacks is listed with the release that has it', async () => {
  const {says, press, overlay} = await aboutCard({server: {level: 371}});
  await says('email and password');
  press('G');
  const text = overlay() ?? '';
  expect(text).toContain('What this server lacks');
  expect(text).toMatch(/Zulip 11 +Reminders/);
  expect(text).toMatch(/Zulip 12 +Permission to start topics/);
  expect(text).not.toContain('Saved snippets');
});

test('about card: the role follows events while the card is open', async () => {
  const {fixture, says} = await aboutCard();
  const {server, meg} = fixture;
  const owner = server.as(server.people.owner());
  for (const [role, name] of [
    [100, 'Owner'],
    [200, 'Administrator'],
    [300, 'Moderator'],
    [600, 'Guest'],
    [400, 'Member'],
  ] as const) {
    await owner.patch(`/users/${meg.id}`, {role});
    await says(new RegExp(`Role +${name}`));
  }
});

test('about card: when the settings cannot be fetched, the rest is shown with the reason', async () => {
  const {fixture, press, type, says, overlay} = await messageFixture();
  await fixture.hook('fault', {path: '/server_settings', kind: 'status', status: 400, code: 'BAD_REQUEST'});
  press(';');
  type('feature level');
  press('Enter');
  const text = await says(/Login +Injected fault\./);
  expect(text).toMatch(/Level +509/);
  press('Esc');
  expect(overlay()).toBeUndefined();
});

test('about card: keys open the address, copy the facts and lead to the connection', async () => {
  const {fixture, press, deviceCalls, says} = await aboutCard({app: {info: {isReadOnly: true}}});
  expect(await says('email and password')).toMatch(/Session +read-only: nothing is changed/);
  press('o', 'c');
  expect(deviceCalls).toContainEqual(['open', fixture.server.url]);
  const copied = String(deviceCalls.find(([name]) => name === 'copy')?.[1]);
  expect(copied).toContain('Level: 509 (feature level)');
  expect(copied).not.toContain(fixture.meg.apiKey);
  press('n');
  await says('Event queue');
});

test('about card: that the browser or the clipboard failed is shown', async () => {
  const open = async () => Promise.reject(new Error('The browser cannot be started.'));
  const copy = async () => Promise.reject(new Error('The clipboard is locked.'));
  const {app, press, says} = await aboutCard({app: {device: {open, copy}}});
  await says('email and password');
  press('o');
  await untilApp(app, () => app.screen.toast?.text === 'The browser cannot be started.');
  press('c');
  await untilApp(app, () => app.screen.toast?.text === 'The clipboard is locked.');
});
