import {expect, test} from 'vitest';
import {commandTable} from '#commands/command-table.ts';
import {keyContextNames} from '#commands/context-names.ts';
import {keyConflicts} from '#commands/key-conflicts.ts';
import {presetNames} from '#commands/key-presets.ts';
import {keyTable} from '#commands/key-table.ts';
import {defaultKeymap, resolveKeys} from '#commands/keymap.ts';
import {parseUserKeys, presetBindings} from '#commands/user-keys.ts';
import {keyName, parseKeyName} from '#terminal/input/key.ts';

const ids = new Set([
  ...commandTable.keys(),
  ...keyContextNames.flatMap((context) => [...defaultKeymap[context].values()]),
]);
const read = (text: string) => parseUserKeys(text, 'keys.toml', ids);

test('without anything in it the default keys are what they are', () => {
  expect(read('')).toEqual({keymap: defaultKeymap, problems: []});
});

test('a key is bound by its place, and unbound with a dash', () => {
  const {keymap, problems} = read('nav."g x" = "view.recent"\n[msgs]\n"m" = "-"\nCtrl-T = "view.inbox"\n');
  expect(problems).toEqual([]);
  expect(resolveKeys(keymap, ['msgs', 'nav'], ['g', 'x'])).toMatchObject({id: 'view.recent'});
  expect(resolveKeys(keymap, ['msgs', 'nav'], ['Ctrl-T'])).toMatchObject({id: 'view.inbox'});
  expect(keymap.msgs.has('m')).toBe(false);
});

test('keys may be spelled in many ways', () => {
  const {keymap, problems} = read(
    '[composer]\n"C-t" = "-"\n"ctrl+alt+p" = "view.inbox"\n"<f9>" = "view.recent"\n',
  );
  expect(problems).toEqual([]);
  expect(keymap.composer.has('Ctrl-T')).toBe(false);
  expect(keymap.composer.get('Ctrl-Alt-P')).toBe('view.inbox');
  expect(keymap.composer.get('F9')).toBe('view.recent');
});

test.each([
  ['nav.F7 = "no.such"', 'keys.toml: nav “F7”: there is no command “no.such”.'],
  ['nav.F7 = 3', 'keys.toml: nav “F7”: there is no command “3”.'],
  ['nav."Hyper-Q" = "view.inbox"', 'keys.toml: “Hyper-Q” in nav is no key.'],
  [
    'moon.a = "view.inbox"',
    `keys.toml: “moon” is no place for keys. There are ${keyContextNames.join(', ')}.`,
  ],
  ['preset = "emacs"', 'keys.toml: there is no preset “emacs”. There are zulip, vim+, weechat, gmail.'],
  ['nav = [', 'keys.toml, line 1: this is not TOML. The default keys are used.'],
])('%s costs a sentence and nothing else', (text, sentence) => {
  expect(read(text)).toEqual({keymap: defaultKeymap, problems: [sentence]});
});

test('keys in each other’s way are told with where both come from', () => {
  expect(read('msgs.j = "view.inbox"').problems).toEqual([
    'msgs “j” (view.inbox, keys.toml) hides nav “j” (move.down, default keys).',
  ]);
  expect(read('nav."Ctrl-X" = "view.inbox"\nnav."Ctrl-X y" = "view.recent"').problems).toEqual([
    'nav “Ctrl-X” (view.inbox, keys.toml) acts before nav “Ctrl-X y” (view.recent, keys.toml) can be completed.',
  ]);
  expect(read('[nav]\n"F8" = "view.inbox"\n"<f8>" = "view.recent"').problems).toEqual([
    'keys.toml: nav “F8” is bound twice, to “view.inbox” and to “view.recent”.',
  ]);
});

test('taking over a default key of the same place is what one asked for', () => {
  expect(read('nav.a = "view.inbox"').problems).toEqual([]);
});

test.each(presetNames)(
  'the preset %s names commands that are there, and no keys that hide others',
  (preset) => {
    const bindings = presetBindings(preset);
    for (const {sequence, id} of bindings) {
      expect(id === undefined || ids.has(id), `${sequence} is ${id}`).toBe(true);
      expect(
        sequence
          .split(' ')
          .map((key) => keyName(parseKeyName(key) ?? {name: ''}))
          .join(' '),
      ).toBe(sequence);
    }
    expect(keyConflicts(bindings)).toEqual([]);
  },
);

test('the default keys hide nothing from each other', () => {
  const own = keyContextNames.flatMap((context) =>
    [...defaultKeymap[context]].map(([sequence, id]) => ({context, sequence, id, source: 'here'})),
  );
  expect(keyConflicts(own).filter((told) => !told.includes('browser “n”'))).toEqual([]);
});

test('the table has every key of the map once, by place', () => {
  const rows = keyTable(defaultKeymap, commandTable);
  const keys = rows.flatMap(({context, keys: own}) => own.map((key) => `${context} ${key}`));
  expect(new Set(keys).size).toBe(keys.length);
  expect(keys).toHaveLength(
    keyContextNames.reduce((total, context) => total + defaultKeymap[context].size, 0),
  );
  expect(rows.find(({id}) => id === 'view.inbox')).toMatchObject({context: 'nav', keys: ['I', 'g i']});
});
