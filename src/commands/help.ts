import type {App} from '#app/core/app.ts';
import {type KeyHelp, type KeyHelpEntry, openKeyHelp} from '#app/help/key-help.ts';
import type {KeyEvent} from '#terminal/input/input-events.ts';
import {parseKeyName} from '#terminal/input/key.ts';
import type {Command, CommandRunner} from './command.ts';
import {type KeyContext, keyContextNames} from './context-names.ts';
import {activeContexts} from './key-contexts.ts';
import {contextReasons, contextTitles, keyTable} from './key-table.ts';
import {continuations} from './keymap.ts';

function showKeys(app: App, desk: CommandRunner): void {
  const here = activeContexts(app.screen);
  const [innermost = 'global'] = here;
  openKeyHelp(app, {
    title: `Keys · ${contextTitles[innermost]}`,
    entries: keyEntries(app, desk, here),
    run: (opened, {id, keys}) => desk.run(opened, id, pressOf(keys[0])),
    lookUp: (keys) => meanings(desk, here, keys),
  });
}

/** Those of where one is, from the inside out, then all others. */
function keyEntries(
  app: App,
  {keymap, commands}: CommandRunner,
  here: readonly KeyContext[],
): readonly KeyHelpEntry[] {
  const elsewhere = keyContextNames.filter((context) => !here.includes(context));
  return keyTable(keymap, commands, [...here, ...elsewhere]).map(
    ({context, id, keys, title}): KeyHelpEntry => {
      const isHere = here.includes(context);
      return {
        id,
        title,
        aliases: commands.get(id)?.aliases,
        keys,
        section: contextTitles[context],
        disabled: isHere ? commands.get(id)?.disabledReason?.(app) : contextReasons[context],
      };
    },
  );
}

/** Some commands ask which of their keys it was. */
function pressOf(sequence: string | undefined): KeyEvent | undefined {
  const key = parseKeyName(sequence?.split(' ').at(-1) ?? '');
  return key === undefined ? undefined : {kind: 'key', key};
}

function meanings(
  {keymap, commands}: CommandRunner,
  here: readonly KeyContext[],
  keys: readonly string[],
): ReturnType<KeyHelp['lookUp']> {
  const all = [...here, ...keyContextNames.filter((context) => !here.includes(context))];
  const found = all.flatMap((context) => {
    const id = keymap[context].get(keys.join(' '));
    return id === undefined ? [] : [{section: contextTitles[context], title: commands.get(id)?.title ?? id}];
  });
  return {meanings: found, isPrefix: continuations(keymap, all, keys).length > 0};
}

const shown = (id: string, context: KeyContext): Command => ({
  id,
  title: 'Keyboard shortcuts',
  contexts: [context],
  hint: 'keys',
  run: (app, _press, desk) => showKeys(app, desk),
});

export const helpCommands: readonly Command[] = [
  {
    ...shown('help.overlay', 'nav'),
    aliases: ['help', 'keys', 'shortcuts', 'key bindings', 'cheat sheet'],
    hints: {NAV: 2},
    worksBeforeFirstPaint: true,
  },
  {...shown('help.keys', 'global'), hints: {WRITE: 1}, isKeyOnly: true},
];
