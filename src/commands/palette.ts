import type {App} from '#app/core/app.ts';
import {openConversation} from '#app/navigation/navigation.ts';
import {visitedConversations} from '#app/navigation/visited-conversations.ts';
import {openedPicker} from '#app/overlays/picker.ts';
import {recentCommands} from '#app/palette/command-uses.ts';
import {type CommandEntry, openPalette, type PaletteSources} from '#app/palette/palette.ts';
import {knownConversation} from '#state/selectors/lists/known-conversations.ts';
import type {Command, CommandRunner} from './command.ts';
import type {KeyContext} from './context-names.ts';
import {activeContexts} from './key-contexts.ts';
import {contextReasons} from './key-table.ts';
import {keysForCommand} from './keymap.ts';

/** Over whatever is open: who goes elsewhere is done with it. The same key again closes it. */
function showPalette(app: App, desk: CommandRunner, text = ''): void {
  const isOpen = openedPicker(app)?.picker.id === 'palette';
  while (app.screen.overlays.length > 0) app.closeOverlay();
  if (!isOpen) openPalette(app, sourcesFor(app, desk), text);
}

function sourcesFor(app: App, desk: CommandRunner): PaletteSources {
  return {
    commands: commandEntries(app, desk),
    accounts: app.accounts.list().map(({name, detail}, at) => ({id: String(at), title: name, detail})),
    runCommand: (opened, id) => desk.run(opened, id),
    switchAccount: (opened, id) => opened.accounts.show(Number(id)),
  };
}

/**
 * All commands: those that can be done now first, then what was used lately, then the nearest. Views can be opened from
 * anywhere, the composer too. Of commands with the same title the first one stands for all.
 */
function commandEntries(app: App, {commands, keymap}: CommandRunner): readonly CommandEntry[] {
  const here: readonly KeyContext[] = [...new Set([...activeContexts(app.screen), 'nav', 'global'] as const)];
  const recent = recentCommands(app);
  const ranked = [...commands.values()].map((command) => {
    const {id, title, aliases, contexts} = command;
    const [key] = [...keysForCommand(keymap, id, here), ...keysForCommand(keymap, id)];
    const places = contexts.map((context) => here.indexOf(context)).filter((at) => at >= 0);
    return {
      entry: {id, title, aliases, detail: key, disabled: reasonAgainst(app, command, here, key)},
      recency: recent.includes(id) ? recent.indexOf(id) : recent.length,
      nearness: Math.min(here.length, ...places),
    };
  });
  const disabledLast = ({entry}: (typeof ranked)[number]) => Number(entry.disabled !== undefined);
  const entries = ranked
    .sort((a, b) => disabledLast(a) - disabledLast(b) || a.recency - b.recency || a.nearness - b.nearness)
    .map(({entry}) => entry);
  return entries.filter(({title}, at) => entries.findIndex((one) => one.title === title) === at);
}

/** Why a command cannot be run from the palette now; undefined when it can. */
function reasonAgainst(
  app: App,
  {contexts, isKeyOnly, disabledReason}: Command,
  here: readonly KeyContext[],
  key: string | undefined,
): string | undefined {
  const [context = 'global'] = contexts;
  if (!contexts.some((one) => here.includes(one))) return contextReasons[context];
  if (isKeyOnly === true)
    return key === undefined ? 'Has no key yet: bind one in keys.toml' : `Press ${key} instead`;
  return disabledReason?.(app);
}

const paletteCommand = (id: string, title: string, context: KeyContext, text = ''): Command => ({
  id,
  title,
  contexts: [context],
  isKeyOnly: true,
  run: (app, _press, desk) => showPalette(app, desk, text),
});

export const paletteCommands: readonly Command[] = [
  {
    ...paletteCommand('go.anything', 'Go to conversation, channel, person or command', 'global'),
    aliases: ['jump', 'switch', 'find'],
  },
  {
    ...paletteCommand('go.anything.k', 'Go to conversation, channel, person or command', 'nav'),
    worksBeforeFirstPaint: true,
  },
  {
    ...paletteCommand('palette.open', 'Command palette', 'nav', '>'),
    aliases: ['palette', 'commands', 'run command'],
    hint: 'commands',
    hints: {NAV: 1},
    worksBeforeFirstPaint: true,
  },
  {
    id: 'help.texts',
    title: 'Help topics',
    aliases: ['help', 'manual', 'guide', 'how to'],
    contexts: ['global'],
    run: (app, _press, desk) => showPalette(app, desk, '?'),
  },
  {
    id: 'go.recent',
    title: 'Go to recent conversation by number',
    contexts: ['global'],
    isKeyOnly: true,
    run: (app, press) => {
      const key = visitedConversations(app.screen)[Number(press?.key.name ?? 1) - 1];
      const conversation = key === undefined ? undefined : knownConversation(app.state, key);
      if (conversation === undefined) app.toast('No recent conversation with that number');
      else openConversation(app, conversation);
    },
  },
];
