import {expect, test} from 'vitest';
import {customEmoji} from '#app/organization/emoji-form.ts';
import {commandTable} from '#commands/command-table.ts';
import {png} from '#test/contract/contract-fixture.ts';
import {organizationFixture, type RoleName} from './organization-fixture.ts';

const files: Readonly<Record<string, Uint8Array>> = {
  '/pics/Tide Clock.png': new Uint8Array(png),
  '/pics/notes.txt': new TextEncoder().encode('no image'),
  '/pics/huge.png': new Uint8Array(5 * 1024 * 1024 + 1),
};

const device = {
  listFiles: (directory: string) =>
    directory === '/pics' ? [{name: 'Tide Clock.png', isDirectory: false}] : [{name: 'pics', isDirectory: true}],
  readFile: async (path: string) => {
    const bytes = files[path];
    if (bytes === undefined) throw new Error(`${path} does not exist.`);
    return {name: path.slice(path.lastIndexOf('/') + 1), bytes, size: bytes.length};
  },
};

const emojiFixture = (role: RoleName) => organizationFixture(role, {app: {device}});

test('emoji: a member adds one from a file and removes it; another client sees it', async () => {
  const {fixture, app, press, type, rows, until, closed, toast, overlay} = await emojiFixture('member');
  const queue = await fixture.server.as(fixture.otto).listen({event_types: ['realm_emoji']});
  customEmoji.open(app);
  press('Ctrl-A', 'Ctrl-O');
  type('/pics/tide');
  press('Enter');
  expect(overlay()).toMatch(/Image file +\/pics\/Tide Clock.png/);
  expect(overlay()).toContain('→ :tide_clock:');
  press('Ctrl-D');
  await closed();
  await until(({emoji}) => emoji.size === 1);
  await toast('Added the emoji :tide_clock:');
  expect(rows().at(-1)).toBe(' :tide_clock:  by Meg Member');
  expect(await queue.events()).toMatchObject([{type: 'realm_emoji'}]);
  press('Down', 'Delete', 'y');
  await until(({emoji}) => [...emoji.values()].every(({deactivated}) => deactivated));
  expect(rows().at(-1)).toBe(' No custom emoji');
});

test('emoji: the name is checked while typing, and a new one is removed by undo', async () => {
  const {fixture, app, press, fill, overlay, until, toast, closed} = await emojiFixture('member');
  await fixture.server.as(fixture.otto).upload('/realm/emoji/swell', 'w.png', png, 'image/png');
  await until(({emoji}) => emoji.size === 1);
  customEmoji.openNew(app);
  fill('Image file', '/pics/Tide Clock.png');
  for (const [name, problem] of [
    ['ümlaut', 'Only lowercase letters, digits, - and _'],
    ['tide_', 'The last character must be a letter or a digit'],
    ['x'.repeat(101), 'At most 100 characters'],
    ['swell', 'A custom emoji has this name'],
    ['octopus', 'Only administrators can replace a built-in emoji'],
  ] as const) {
    fill('Name', name);
    expect(overlay()).toContain(problem);
  }
  fill('Name', 'Tide Clock');
  press('Ctrl-D');
  await closed();
  await toast('Added the emoji :tide_clock:');
  await until(({emoji}) => emoji.size === 2);
  press('z');
  await until(({emoji}) => [...emoji.values()].some(({name, deactivated}) => name === 'tide_clock' && deactivated));
});

test.each([
  ['/pics/none.png', '/pics/none.png does not exist.'],
  ['/pics/huge.png', 'huge.png is larger than this server’s limit of 5 MiB.'],
  ['/pics/notes.txt', 'Invalid image format'],
])('emoji: the file %s is refused at its field: %s', async (path, problem) => {
  const {app, press, fill, says, overlay} = await emojiFixture('member');
  customEmoji.openNew(app);
  fill('Image file', path);
  fill('Name', 'tide');
  press('Ctrl-D');
  await says('Not saved');
  expect(overlay()).toContain(problem);
  expect(overlay()).toMatch(/▌\* Image file/);
});

test('emoji: a name that only the server knows is refused at its field', async () => {
  const {fixture, app, press, fill, says, unseen} = await emojiFixture('member');
  unseen(`INSERT INTO realm_emoji (name, author_id, file) VALUES ('tide', ${fixture.otto.id}, 'x.png')`);
  customEmoji.openNew(app);
  fill('Image file', '/pics/Tide Clock.png');
  fill('Name', 'tide');
  press('Ctrl-D');
  expect(await says('Not saved')).toMatch(/▌\* Name .*\n.*\n.*A custom emoji with this name already exists\./);
});

test('emoji: others’ emoji are removed by administrators only; guests add none', async () => {
  const member = await emojiFixture('member');
  const upload = ({fixture}: typeof member) =>
    fixture.server.as(fixture.otto).upload('/realm/emoji/swell', 'w.png', png, 'image/png');
  await upload(member);
  await member.until(({emoji}) => emoji.size === 1);
  customEmoji.open(member.app);
  member.press('Down', 'Delete');
  expect(member.app.screen.toast?.text).toBe('Only administrators and who added it can remove an emoji');
  const administrator = await emojiFixture('administrator');
  await upload(administrator);
  await administrator.until(({emoji}) => emoji.size === 1);
  customEmoji.open(administrator.app);
  administrator.press('Down', 'Delete', 'y');
  await administrator.until(({emoji}) => [...emoji.values()].every(({deactivated}) => deactivated));
  const guest = await emojiFixture('guest');
  const reason = 'You do not have permission to add custom emoji';
  expect(commandTable.get('emoji.new')?.disabledReason?.(guest.app)).toBe(reason);
});
