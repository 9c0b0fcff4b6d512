import type {App} from '#app/core/app.ts';
import {openLegend} from '#app/help/help-texts.ts';
import {type KeyHelp, type KeyHelpEntry, openKeyHelp, openManual} from '#app/help/key-help.ts';
import {toggleTour} from '#app/tour/tour.ts';
import type {KeyEvent} from '#terminal/input/input-events.ts';
import {parseKeyName} from '#terminal/input/key.ts';
import {type Command, type CommandRunner, command, type KeyContext, keyContextNames} from './command.ts';
import {activeContexts, continuations, keyContexts, keyTable} from './keymap.ts';

/** Opens the key help, with words to find. */
export function showKeys(app: App, runner: CommandRunner, words = ''): void {
  const active = activeContexts(app.screen);
  const [innermost = 'global'] = active;
  openKeyHelp(app, {
    title: `Keys · ${keyContexts[innermost].title}`,
    entries: keyEntries(app, runner, active),
    run: (opened, {id, keys}) => runner.run(opened, id, lastKeyPress(keys[0])),
    lookUp: (keys) => keyMeanings(runner, active, keys),
    words,
  });
}

/**
 * Returns all commands: those with keys of the active contexts first, from the inside out, then all others with the reason, last
 * those without a key. The manual stands at the top, so that it is found from the key help.
 */
function keyEntries(
  app: App,
  {keymap, commands}: CommandRunner,
  active: readonly KeyContext[],
): readonly KeyHelpEntry[] {
  const entries = keyTable(keymap, commands, activeFirst(active)).map(
    ({context, id, keys, title}): KeyHelpEntry => ({
      id,
      title,
      aliases: commands.get(id)?.aliases,
      keys,
      section: keyContexts[context].title,
      disabled: problemHere(app, commands.get(id), active, context),
    }),
  );
  const keyed = new Set(entries.map(({id}) => id));
  const others = [...commands.values()]
    .filter(({id}) => !keyed.has(id))
    .map((command): KeyHelpEntry => {
      const {id, title, aliases, contexts} = command;
      const disabled = problemHere(app, command, active, contexts[0] ?? 'global');
      return {id, title, aliases, keys: [], section: 'Without a key', disabled};
    });
  const manual = {id: manualCommandId, title: 'Manual', section: 'Help'};
  const keys = entries.find(({id}) => id === manualCommandId)?.keys ?? [];
  return [{...manual, keys}, ...entries.filter(({id}) => id !== manualCommandId), ...others];
}

/** Returns why the command cannot run from here. As in the palette, commands of views run from anywhere. */
function problemHere(
  app: App,
  command: Command | undefined,
  active: readonly KeyContext[],
  context: KeyContext,
): string | undefined {
  const isOpen = command?.isKeyOnly !== true && (context === 'nav' || context === 'global');
  return isOpen || active.includes(context) ? command?.disabledReason?.(app) : keyContexts[context].reason;
}

function activeFirst(active: readonly KeyContext[]): readonly KeyContext[] {
  return [...active, ...keyContextNames.filter((context) => !active.includes(context))];
}

/** Returns the event of the last key of a sequence: some commands depend on which of their keys was pressed. */
function lastKeyPress(sequence: string | undefined): KeyEvent | undefined {
  const key = parseKeyName(sequence?.split(' ').at(-1) ?? '');
  return key === undefined ? undefined : {kind: 'key', key};
}

/** Returns what the pressed keys do in each context, and whether more keys can follow. */
function keyMeanings(
  {keymap, commands}: CommandRunner,
  active: readonly KeyContext[],
  keys: readonly string[],
): ReturnType<KeyHelp['lookUp']> {
  const contexts = activeFirst(active);
  const meanings = contexts.flatMap((context) => {
    const id = keymap[context].get(keys.join(' '));
    return id === undefined ? [] : [{section: keyContexts[context].title, title: commands.get(id)?.title ?? id}];
  });
  return {meanings, isPrefix: continuations(keymap, contexts, keys).length > 0};
}

const manualCommandId = 'help.manual';

const keyHelpCommand = (id: string, context: KeyContext): Command => ({
  id,
  title: 'Keyboard shortcuts',
  contexts: [context],
  hint: 'keys',
  run: (app, _press, runner) => showKeys(app, runner),
});

export const helpCommands: readonly Command[] = [
  {
    ...keyHelpCommand('help.overlay', 'nav'),
    aliases: ['help', 'keys', 'shortcuts', 'key bindings', 'cheat sheet'],
    hints: {NAV: 2},
    worksBeforeFirstPaint: true,
  },
  {...keyHelpCommand('help.keys', 'global'), hints: {WRITE: 1}, isKeyOnly: true},
  command(manualCommandId, 'Manual', openManual, {
    aliases: ['documentation', 'docs', 'guide', 'handbook'],
    hint: 'manual',
    worksBeforeFirstPaint: true,
  }),
  command('help.legend', 'Legend of marks and colours', openLegend, {
    aliases: ['symbols', 'signs', 'icons', 'glyphs', 'colors'],
  }),
  command('tour.toggle', 'Tour: the first keys, step by step', toggleTour, {
    aliases: ['tutorial', 'introduction', 'take the tour', 'learn'],
    contexts: ['global'],
  }),
];
