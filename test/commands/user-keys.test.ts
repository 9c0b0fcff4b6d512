import {expect, test} from 'vitest';
import {type TourPlace, tourSteps} from '#app/tour/tour.ts';
import {type KeyContext, keyContextNames} from '#commands/command.ts';
import {commandTable} from '#commands/command-table.ts';
import {makeKeyGuide} from '#commands/key-guide.ts';
import {defaultKeymap, keyTable, resolveKeys} from '#commands/keymap.ts';
import {keyConflicts, parseUserKeys, presetBindings, presetNames} from '#commands/user-keys.ts';
import {keyName, parseKeyName} from '#terminal/input/key.ts';
import {egFrame} from '#test/support/frame-fixture.ts';

const ids = new Set([
  ...commandTable.keys(),
  ...keyContextNames.flatMap((context) => [...defaultKeymap[context].values()]),
]);
const parse = (text: string) => parseUserKeys(text, 'keys.toml', ids);

test('keys.toml: an empty file gives the default keys', () => {
  expect(parse('')).toEqual({keymap: defaultKeymap, problems: []});
});

test('keys.toml: a key is bound in its context, and unbound with a dash', () => {
  const {keymap, problems} = parse('nav."g x" = "view.recent"\n[msgs]\n"m" = "-"\nCtrl-T = "view.inbox"\n');
  expect(problems).toEqual([]);
  expect(resolveKeys(keymap, ['msgs', 'nav'], ['g', 'x'])).toMatchObject({id: 'view.recent'});
  expect(resolveKeys(keymap, ['msgs', 'nav'], ['Ctrl-T'])).toMatchObject({id: 'view.inbox'});
  expect(keymap.msgs.has('m')).toBe(false);
});

test('keys.toml: the earlier ids of renamed commands are understood', () => {
  const {keymap, problems} = parse('inbox.F7 = "triage.later"\nmsgs.F8 = "msg.image"\ninbox.F9 = "triage.done"');
  expect(problems).toEqual([]);
  expect([keymap.inbox.get('F7'), keymap.msgs.get('F8')]).toEqual(['triage.snooze', 'msg.attachment']);
  expect(keymap.inbox.get('F9')).toBe('conv.done');
});

test('keys.toml: keys can be spelled in several ways', () => {
  const {keymap, problems} = parse('[composer]\n"C-t" = "-"\n"ctrl+alt+p" = "view.inbox"\n"<f9>" = "view.recent"\n');
  expect(problems).toEqual([]);
  expect(keymap.composer.has('Ctrl-T')).toBe(false);
  expect(keymap.composer.get('Ctrl-Alt-P')).toBe('view.inbox');
  expect(keymap.composer.get('F9')).toBe('view.recent');
});

test.each([
  ['nav.F7 = "no.such"', 'keys.toml: nav “F7”: there is no command “no.such”.'],
  ['nav.F7 = 3', 'keys.toml: nav “F7”: there is no command “3”.'],
  ['nav."Hyper-Q" = "view.inbox"', 'keys.toml: nav “Hyper-Q” is not a key.'],
  ['moon.a = "view.inbox"', `keys.toml: no context “moon”. Contexts: ${keyContextNames.join(', ')}.`],
  ['preset = "irssi"', 'keys.toml: no preset “irssi”. Presets: parley, zulip, vim+, emacs, weechat, slack, gmail.'],
  ['typing = 1', 'keys.toml: “typing” must be true or false.'],
  ['nav = [', 'keys.toml, line 1: not valid TOML. The default keys are used.'],
])('keys.toml: %s is reported and changes nothing', (text, problem) => {
  expect(parse(text)).toEqual({keymap: defaultKeymap, problems: [problem]});
});

test('key conflicts: the report names both keys and their sources', () => {
  expect(parse('msgs.j = "view.inbox"').problems).toEqual([
    'msgs “j” (view.inbox, keys.toml) hides nav “j” (move.down, default keys).',
  ]);
  expect(parse('nav."Ctrl-X" = "view.inbox"\nnav."Ctrl-X y" = "view.recent"').problems).toEqual([
    'nav “Ctrl-X” (view.inbox, keys.toml) acts before nav “Ctrl-X y” (view.recent, keys.toml) can be completed.',
  ]);
  expect(parse('[nav]\n"F8" = "view.inbox"\n"<f8>" = "view.recent"').problems).toEqual([
    'keys.toml: nav “F8” is bound twice, to “view.inbox” and to “view.recent”.',
  ]);
});

test('key conflicts: rebinding a default key in the same context is no conflict', () => {
  expect(parse('nav.a = "view.inbox"').problems).toEqual([]);
});

test.each(presetNames)('key presets: %s binds existing commands and has no conflicts', (preset) => {
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
});

const placeContexts: Readonly<Record<TourPlace, readonly KeyContext[]>> = {
  inbox: ['inbox', 'list', 'nav', 'global'],
  conversation: ['msgs', 'nav', 'global'],
  composer: ['composer', 'global'],
  overlay: ['menu', 'global'],
  view: ['nav', 'global'],
};

test.each(presetNames)(
  'tour: each key that it names runs its command where the step is, with the keys of %s',
  (preset) => {
    const keymap = parse(`preset = "${preset}"`).keymap;
    const guide = makeKeyGuide(keymap, commandTable);
    for (const {place, text} of tourSteps) {
      const key = (id: string) => {
        const keys = guide.keyOf(id).split(' ');
        expect(resolveKeys(keymap, placeContexts[place], keys), `${id} in ${place}`).toMatchObject({id});
        return keys.join(' ');
      };
      expect(text(key, egFrame({}))).not.toBe('');
    }
  },
);

test('default keys: none hides another', () => {
  const bindings = keyContextNames.flatMap((context) =>
    [...defaultKeymap[context]].map(([sequence, id]) => ({context, sequence, id, source: 'here'})),
  );
  expect(keyConflicts(bindings).filter((problem) => !problem.includes('browser “n”'))).toEqual([]);
});

test('key table: has every key of the keymap once', () => {
  const rows = keyTable(defaultKeymap, commandTable);
  const keys = rows.flatMap(({context, keys: sequences}) => sequences.map((key) => `${context} ${key}`));
  expect(new Set(keys).size).toBe(keys.length);
  expect(keys).toHaveLength(keyContextNames.reduce((total, context) => total + defaultKeymap[context].size, 0));
  expect(rows.find(({id}) => id === 'view.inbox')).toMatchObject({context: 'nav', keys: ['I', 'g i']});
});

const places: readonly (readonly KeyContext[])[] = [
  ['msgs', 'nav', 'global'],
  ['inbox', 'list', 'nav', 'global'],
  ['drafts', 'list', 'nav', 'global'],
  ['browser', 'list', 'nav', 'global'],
  ['banner', 'nav', 'global'],
];

test('default keys: done, undo and redo have the same keys in lists, conversations, drafts and channels', () => {
  for (const contexts of places) {
    const ids = ['e', 'z', 'Z'].map((key) => resolveKeys(defaultKeymap, contexts, [key]));
    expect(ids, contexts[0]).toMatchObject([{id: 'conv.done'}, {id: 'undo'}, {id: 'redo'}]);
  }
});

test('default keys: a key that starts an edit means nothing else in any place', () => {
  const ids = places.map((contexts) => resolveKeys(defaultKeymap, contexts, ['E']));
  expect(ids).toMatchObject([
    {id: 'msg.edit'},
    {kind: 'none'},
    {id: 'draft.edit'},
    {id: 'channel.edit'},
    {kind: 'none'},
  ]);
});

test('key presets: zulip has the keys of earlier versions', () => {
  const {keymap, problems} = parse('preset = "zulip"');
  expect(problems).toEqual([]);
  const idOf = (contexts: readonly KeyContext[] = [], key = '') => {
    const found = resolveKeys(keymap, contexts, [key]);
    return found.kind === 'command' ? found.id : '';
  };
  const table = places.slice(0, 4).map((contexts) => ['e', 'E', 'z', 'Z'].map((key) => idOf(contexts, key)));
  expect(table).toEqual([
    ['msg.edit', 'conv.done', 'msg.zoom', 'undo'],
    ['conv.done', 'conv.done', 'undo', 'undo'],
    ['draft.edit', 'conv.done', 'undo', 'undo'],
    ['channel.edit', 'conv.done', '', 'undo'],
  ]);
  expect(idOf(places[0], 'Ctrl-R')).toBe('redo');
});
