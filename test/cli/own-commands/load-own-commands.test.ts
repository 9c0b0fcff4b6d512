import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {keyContextNames} from '#commands/command.ts';
import {keysForCommand} from '#commands/keymap.ts';
import {pathsOf} from '#config/paths.ts';
import {overlayText} from '#test/support/overlay-text.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {commandsFixture, homeWith, load, shellCommand} from './own-commands-fixture.ts';

/** Only root can make files of another user. */
const isRoot = process.getuid?.() === 0;
const example = shellCommand('true');
const own = async (home: string) => {
  const {commands, problems} = await load(home);
  return {ids: [...commands.keys()].filter((id) => id.startsWith('own.')), problems};
};

test('commands.toml: without the file there are the built-in commands only', async () => {
  expect(await own(scratchDirectory())).toEqual({ids: [], problems: []});
});

test('commands.toml: a mistake is named with its line and costs only its command', async () => {
  const home = homeWith({
    'commands.toml': `[[command]]
name = "Good"
run = ["true"]
seconds = 600
[[command]]
name = "Unknown"
run = ["true"]
shell = true

[[command]]
name = "Types"
run = 7
seconds = "long"

[[command]]
name = "No program"

[[command]]
run = ["true"]

[[command]]
name = "As in a shell"
run = "curl http://example.com"

[[command]]
name = "good!"
run = ["false"]

[[command]]
name = "…"
run = ["true"]

[[command]]
name = "Slow"
run = ["true"]
seconds = 601

[[command]]
name = "Nowhere"
run = ["true"]
needs = "nothing"
output = "composer"
`,
  });
  const {ids, problems} = await own(home);
  expect(ids).toEqual(['own.good']);
  const file = '~/.config/parley/commands.toml';
  expect(problems).toEqual([
    `${file}, line 8, column 1: a command has no “shell”. It may have: name, run, key, needs, input, output, seconds.`,
    `${file}, line 12, column 1: “run” must be a text in quotes or a list of such texts, none of them empty.`,
    `${file}, line 13, column 1: “seconds” must be a whole number above 0.`,
    `${file}, line 15, column 1: the command has no “run”: a list with the program and its arguments.`,
    `${file}, line 18, column 1: the command has no “name”.`,
    `${file}, line 23, column 1: “run” is a list, because no shell reads it: ["program", "argument"].`,
    `${file}, line 26, column 1: another command has the id “own.good”.`,
    `${file}, line 30, column 1: the “name” has no letter and no digit.`,
    `${file}, line 36, column 1: “seconds” is at most 600.`,
    `${file}, line 42, column 1: output into the composer needs a message or a conversation.`,
  ]);
});

const unsafe: (readonly [string, (file: string) => void, string])[] = [
  ['is writable for the group', (file) => chmodSync(file, 0o660), 'others may change the file. Make it private'],
  ['is writable for all', (file) => chmodSync(file, 0o602), 'others may change the file. Make it private'],
  ['is in a folder that all may write', (file) => chmodSync(join(file, '..'), 0o777), 'others may change /'],
  [
    'is a link to nothing',
    (file) => {
      renameSync(file, `${file}-elsewhere`);
      symlinkSync('/nowhere', file);
    },
    'it is a link to a file that does not exist.',
  ],
];
const foreign: typeof unsafe = [
  ['belongs to another user', (file) => chownSync(file, 1234, 1234), 'another user owns the file.'],
  [
    'is a link to a file of another user',
    (file) => {
      const other = join(scratchDirectory(), 'commands.toml');
      renameSync(file, other);
      chownSync(other, 1234, 1234);
      symlinkSync(other, file);
    },
    'another user owns the file.',
  ],
  [
    'is a link into a folder that all may write',
    (file) => {
      const folder = scratchDirectory();
      chmodSync(folder, 0o777);
      renameSync(file, join(folder, 'commands.toml'));
      symlinkSync(join(folder, 'commands.toml'), file);
    },
    'others may change /',
  ],
];

test.each([...unsafe, ...(isRoot ? foreign : [])])(
  'commands.toml: no command of it is available when the file %s',
  async (_name, spoil, reason) => {
    const home = homeWith({'commands.toml': example});
    spoil(join(pathsOf({}, home).config, 'commands.toml'));
    const {ids, problems} = await own(home);
    expect(ids).toEqual([]);
    expect(problems).toEqual([expect.stringContaining(reason)]);
    expect(problems[0]).toMatch(/^The commands of ~\/\.config\/parley\/commands\.toml are not available: /);
  },
);

test('commands.toml: a file that others may read, and a link to a file of the user, are used', async () => {
  const home = homeWith({'commands.toml': example});
  const file = join(pathsOf({}, home).config, 'commands.toml');
  chmodSync(file, 0o644);
  renameSync(file, join(home, 'dotfile.toml'));
  symlinkSync(join(home, 'dotfile.toml'), file);
  expect(await own(home)).toEqual({ids: ['own.it'], problems: []});
});

test('commands.toml: free keys are bound, and keys that do something are named and not taken', async () => {
  const home = homeWith({
    'commands.toml': ['Alt-t', 's', 'g', 'r', 'g i x', 'Alt-u', 'Hyper-x', 'Alt-t']
      .map((key, at) => `[[command]]\nname = "N${at}"\nrun = ["true"]\nkey = "${key}"\n`)
      .join(''),
  });
  const {keymap, problems, commands} = await load(home);
  const bound = [...commands.keys()].filter((id) => id.startsWith('own.')).map((id) => keysForCommand(keymap, id));
  expect(bound).toEqual([['Alt-t'], [], [], [], [], ['Alt-u'], [], []]);
  const free = (key: string, title: string, name: string) =>
    expect.stringContaining(
      `“${key}” runs “${title}” already. “${name}” has no key: choose another, or free this one in keys.toml.`,
    );
  expect(problems).toEqual([
    free('s', 'Switch between topic and channel feed', 'N1'),
    expect.stringMatching(/“g \S+” runs “.*” already\. “N2” has no key/),
    free('r', 'Reply to message', 'N3'),
    expect.stringMatching(/“g i” runs “.*” already\. “N4” has no key/),
    expect.stringContaining('“Hyper-x” is not a key.'),
    free('Alt-t', 'N0', 'N7'),
  ]);
});

test('commands.toml: keys.toml frees keys for own commands, and binds keys to them', async () => {
  const home = homeWith({
    'commands.toml': shellCommand('true', 'key = "s"'),
    'keys.toml': '[nav]\n"s" = "-"\n[msgs]\n"Alt-q" = "own.it"\n',
  });
  const {keymap, problems} = await load(home);
  expect(problems).toEqual([]);
  expect(keysForCommand(keymap, 'own.it').toSorted()).toEqual(['Alt-q', 's']);
});

test('commands.toml: a key works in messages, or outside of text fields if the command needs no message', async () => {
  const [about, other] = [shellCommand('true', 'key = "Alt-t"'), 'needs = "nothing"\nkey = "Alt-n"'];
  const more = [other, 'needs = "conversation"\nkey = "Alt-e"'].map((text, at) =>
    shellCommand('true', text).replace('"It"', `"N${at}"`),
  );
  const {keymap, problems} = await load(homeWith({'commands.toml': [about, ...more].join('\n')}));
  expect(problems).toEqual([]);
  const contexts = ['Alt-t', 'Alt-n', 'Alt-e'].map((key) => keyContextNames.filter((name) => keymap[name].has(key)));
  expect(contexts).toEqual([['msgs'], ['nav'], ['nav']]);
});

test('own commands: the palette and the key help list them with their keys', async () => {
  const {press, app} = await commandsFixture(homeWith({'commands.toml': shellCommand('true', 'key = "Alt-t"')}));
  for (const keys of [[';'], ['?']]) {
    press(...keys);
    const top = app.screen.overlays.at(-1);
    const rows = top?.kind === 'picker' ? top.picker.rows(app.frame, keys[0] === ';' ? '>It' : 'It', 0) : [];
    const row = rows.find(({label}) => label === 'It');
    expect(row).toMatchObject({right: 'Alt-t'});
    expect(row?.disabled).toBeUndefined();
    press('Esc');
  }
});

test('own commands: the first run after the file changed asks, whatever the account, and the answer is kept', async () => {
  const home = homeWith({'commands.toml': shellCommand('echo ran >> log')});
  const log = () => (existsSync(join(home, 'log')) ? readFileSync(join(home, 'log'), 'utf8') : '');
  const first = await commandsFixture(home);
  first.run('own.it');
  expect(first.app.screen.overlays.at(-1)).toMatchObject({
    picker: {title: 'commands.toml has changed: allow it?'},
  });
  // What will run is in the question.
  expect(overlayText(first.app.frame).join('\n')).toContain('sh -c echo ran >> log');
  first.press('n');
  expect(log()).toBe('');
  first.run('own.it');
  first.yes();
  await expect.poll(log).toBe('ran\n');
  const allowed = join(pathsOf({}, home).state, 'commands-allowed');
  expect(statSync(allowed).mode & 0o777).toBe(0o600);
  const second = await commandsFixture(home);
  second.run('own.it');
  expect(second.app.screen.overlays).toEqual([]);
  await expect.poll(log).toBe('ran\nran\n');
  writeFileSync(join(pathsOf({}, home).config, 'commands.toml'), `${shellCommand('echo other >> log')}# changed\n`);
  const third = await commandsFixture(home);
  third.run('own.it');
  expect(third.app.screen.overlays).toHaveLength(1);
  expect(log()).toBe('ran\nran\n');
});

test('own commands: a consent that cannot be saved is said, counts once, and the program runs', async () => {
  const home = homeWith({'commands.toml': shellCommand('echo ran >> log')});
  const {state} = pathsOf({}, home);
  mkdirSync(join(state, '..'), {recursive: true});
  writeFileSync(state, 'a file where the folder belongs');
  const {app, run, yes, toast} = await commandsFixture(home);
  run('own.it');
  yes();
  expect(toast()).toContain('state/parley');
  await expect.poll(() => existsSync(join(home, 'log'))).toBe(true);
  run('own.it');
  expect(app.screen.overlays).toHaveLength(1);
});
