import {expect, test} from 'vitest';
import {openPlain} from '#cli/plain/open-plain.ts';
import {verbFixture} from '#test/cli/verbs/verb-fixture.ts';
import {testIo} from '#test/support/cli-io.ts';
import {testServer} from '#test/support/server.ts';

/** Returns the server and what Meg's client prints for these lines. */
async function plainFixture() {
  const server = await testServer();
  const [meg, otto] = [server.people.member(), server.people.member('Otto')];
  const channelId = server.people.channel('general', [meg, otto]);
  const {home} = verbFixture(server, meg);
  const talk = async (lines: readonly string[]) => {
    const io = testIo({home, random: Math.random, input: lines.map((line) => `${line}\n`).join('')});
    const options = {destination: undefined, isTriage: false, isExploring: false, isReadOnly: false};
    expect(await openPlain(options, io)).toBe(0);
    return io.out().split('\n');
  };
  return {server, meg, otto, channelId, talk};
}

test('plain: a form is a numbered list; a number with a value changes a field, “save” saves it', async () => {
  const {server, meg, otto, talk} = await plainFixture();
  const lines = await talk([
    'channel.new',
    '1 tides',
    '3 private, prot',
    '4 otto',
    '1',
    'back',
    '6 yes',
    'save',
    'quit',
  ]);
  expect(lines).toContain('New channel:');
  expect(lines).toContain('1. Name: tides (changed)');
  expect(lines).toContain('3. Privacy: Private, protected history (changed)');
  expect(lines).toContain('4. Subscribers: Otto (changed)');
  expect(lines.some((line) => line.startsWith('Created #tides'))).toBe(true);
  const {subscriptions} = await server.as(meg).get('/users/me/subscriptions', {include_subscribers: 'true'});
  const tides = subscriptions.find(({name}: {name: string}) => name === 'tides');
  expect(tides).toMatchObject({invite_only: true, history_public_to_subscribers: false});
  expect(tides.subscribers.toSorted()).toEqual([meg.id, otto.id].toSorted());
});

test('plain: a form says why it was not saved, and keeps what was typed', async () => {
  const {server, otto, talk} = await plainFixture();
  server.people.channel('secret', [otto], {invite_only: 1});
  const lines = await talk(['channel.new', '1 secret', 'save', '99', 'hello', 'discard', 'save', 'back', 'quit']);
  expect(lines).toContain("Not saved: Channel 'secret' already exists.");
  expect(lines).toContain('No entry has this number.');
  expect(lines).toContain('Type a number first, or “save” or “back”.');
  expect(lines).toContain('Not saved: Name is missing');
});

test('plain: a disabled field, choice or action says why', async () => {
  const {talk} = await plainFixture();
  const refused = ['channel.new', '3 web', 'back', 'back'];
  const lines = await talk([...refused, 'open #general', 'channel.edit', '1 lobby', 'quit', 'quit']);
  expect(lines).toContain('1. Web-public: Web-public channels are turned off in this organization.');
  const reason = 'Only administrators of #general may change its settings.';
  expect(lines).toContain(reason);
  expect(lines).toContain(`19. Archive the channel… (${reason})`);
});

test('plain: “-” removes a value, and a password is not printed', async () => {
  const {talk} = await plainFixture();
  const password = ['settings.open', 'password', '1', '1 geheim', 'discard', 'back', 'back'];
  const lines = await talk(['channel.new', '1 tides', '1 -', 'back', ...password, 'quit']);
  const names = lines.filter((line) => line.startsWith('1. Name: '));
  expect(names).toEqual(['1. Name: none', '1. Name: tides (changed)', '1. Name: none']);
  const passwords = lines.filter((line) => line.startsWith('1. Current password: '));
  const [none, hidden] = ['1. Current password: none', '1. Current password: (hidden) (changed)'];
  expect(passwords).toEqual([none, hidden, none]);
});

test('plain: settings and alert words are lists with values; a key and a number acts on a row', async () => {
  const {server, meg, talk} = await plainFixture();
  const lines = await talk([
    'settings.open',
    'read receipts',
    '1',
    'back',
    'alertwords.open',
    '1',
    '1 tide, moon',
    'save',
    'Delete 2',
    'back',
    'quit',
  ]);
  expect(lines).toContain('1. Send read receipts: on');
  expect(lines).toContain('Others see that you have read a message. Default: on.');
  expect(lines.some((line) => line.startsWith('Send read receipts: off'))).toBe(true);
  expect(lines).toContain('For a row: Delete removes. Type the key and a number: “Delete 1”.');
  expect((await server.as(meg).get('/users/me/alert_words')).alert_words).toEqual(['tide']);
  const {user_settings: settings} = await server.as(meg).post('/register', {fetch_event_types: ['user_settings']});
  expect(settings.send_read_receipts).toBe(false);
});
