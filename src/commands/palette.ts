import type {App} from '#app/app.ts';
import {openConversation} from '#app/navigation.ts';
import {openedPicker} from '#app/overlays/picking.ts';
import {recentCommands} from '#app/palette/command-uses.ts';
import {type CommandEntry, openPalette, type PaletteSources} from '#app/palette/palette.ts';
import {visits} from '#app/palette/visits.ts';
import {knownConversation} from '#state/selectors/known-conversations.ts';
import type {Command, CommandDesk, Context} from './command.ts';
import {contextsOf} from './contexts.ts';
import {keysOf} from './keymap.ts';

/** Over whatever is open: who goes elsewhere is done with it. The same key again closes it. */
function showPalette(app: App, desk: CommandDesk, text = ''): void {
  const isOpen = openedPicker(app)?.picker.id === 'palette';
  while (app.screen.overlays.length > 0) app.closeOverlay();
  if (!isOpen) openPalette(app, sourcesFor(app, desk), text);
}

function sourcesFor(app: App, desk: CommandDesk): PaletteSources {
  return {
    commands: commandEntries(app, desk),
    accounts: app.accounts.list().map(({name, detail}, at) => ({id: String(at), title: name, detail})),
    runCommand: (opened, id) => desk.run(opened, id),
    switchAccount: (opened, id) => opened.accounts.show(Number(id)),
  };
}

/** What can be done from here: what was used lately, then the nearest. Views can be opened from anywhere, the composer too. */
function commandEntries(app: App, {commands, keymap}: CommandDesk): readonly CommandEntry[] {
  const here: readonly Context[] = [...new Set([...contextsOf(app.screen), 'nav', 'global'] as const)];
  const recent = recentCommands(app);
  const nearness = ({contexts}: Command) =>
    Math.min(...contexts.map((context) => here.indexOf(context)).filter((at) => at >= 0));
  const recency = ({id}: Command) => (recent.includes(id) ? recent.indexOf(id) : recent.length);
  return [...commands.values()]
    .filter(
      ({isKeyOnly, contexts}) => isKeyOnly !== true && contexts.some((context) => here.includes(context)),
    )
    .sort((a, b) => recency(a) - recency(b) || nearness(a) - nearness(b))
    .map(({id, title, aliases, disabledReason}) => {
      const [key] = [...keysOf(keymap, id, here), ...keysOf(keymap, id)];
      return {id, title, aliases, detail: key, disabled: disabledReason?.(app)};
    })
    .sort((a, b) => Number(a.disabled !== undefined) - Number(b.disabled !== undefined));
}

const opening = (id: string, title: string, context: Context, text = ''): Command => ({
  id,
  title,
  contexts: [context],
  isKeyOnly: true,
  run: (app, _press, desk) => showPalette(app, desk, text),
});

export const paletteCommands: readonly Command[] = [
  {
    ...opening('go.anything', 'Go to a conversation, a channel, a person, a command', 'global'),
    aliases: ['jump', 'switch', 'find'],
  },
  {...opening('go.anything.k', 'Go to anything', 'nav'), worksBeforeFirstPaint: true},
  {
    ...opening('palette.open', 'Commands by name', 'nav', '>'),
    aliases: ['palette', 'commands', 'run command'],
    hint: 'commands',
    hints: {NAV: 1},
    worksBeforeFirstPaint: true,
  },
  {
    id: 'help.texts',
    title: 'Help about reading, writing, search and more',
    aliases: ['help', 'manual', 'guide', 'how to'],
    contexts: ['global'],
    run: (app, _press, desk) => showPalette(app, desk, '?'),
  },
  {
    id: 'go.recent',
    title: 'One of the last conversations, by number',
    contexts: ['global'],
    isKeyOnly: true,
    run: (app, press) => {
      const key = visits(app.screen)[Number(press?.key.name ?? 1) - 1];
      const conversation = key === undefined ? undefined : knownConversation(app.state, key);
      if (conversation === undefined) app.toast('There are not so many conversations to go back to.');
      else openConversation(app, conversation);
    },
  },
];
