import {isEmptyComposer} from '#app/composer/check-message.ts';
import {composeProblem} from '#app/composer/open-composer.ts';
import {sendComposedMessage} from '#app/composer/send-message.ts';
import type {App} from '#app/core/app.ts';
import {openConversation, openNarrow, visitedConversations} from '#app/navigation/navigation.ts';
import {
  type CommandEntry,
  type LineCommand,
  markAsPeek,
  openCommandLine,
  openPalette,
  type PaletteSources,
  recentCommands,
} from '#app/palette/palette.ts';
import {knownConversation} from '#state/selectors/lists/conversation-rows.ts';
import {parseDestination} from '#state/selectors/search/parse-destination.ts';
import {type AppReader, readerOf} from '#ui/core/app-reader.ts';
import type {Frame} from '#ui/core/frame.ts';
import type {OverlayState} from '#ui/core/overlay.ts';
import {cardTitle} from '#ui/overlays/card-content.ts';
import {openedPicker} from '#ui/overlays/picker-rows.ts';
import {type Command, type CommandRunner, command, type KeyContext, keyContextNames} from './command.ts';
import {showKeys} from './help.ts';
import {activeContexts, isTyping, type Keymap, keyContexts, keysForCommand} from './keymap.ts';

/** Opens the palette and closes all other overlays. When the palette is open already, it is closed. */
function showPalette(app: App, runner: CommandRunner, text = ''): void {
  const isOpen = openedPicker(app)?.picker.id === 'palette';
  while (app.screen.overlays.length > 0) app.closeOverlay();
  if (!isOpen) openPalette(app, paletteSources(app, runner), text);
}

function paletteSources(app: App, runner: CommandRunner): PaletteSources {
  return {
    commands: currentEntries(app, runner),
    accounts: app.accounts.list().map(({name, detail}, index) => ({id: String(index), title: name, detail})),
    runCommand: (opened, id) => runner.run(opened, id),
    switchAccount: (opened, id) => opened.accounts.show(Number(id)),
  };
}

/** Returns the entries as they were when the palette opened; once more when the account becomes known. */
function currentEntries(app: App, runner: CommandRunner): PaletteSources['commands'] {
  const {screen} = app;
  let userId = app.state.self.userId;
  let entries = commandEntries(app, runner, app);
  return (account) => {
    if (account.self.userId !== userId) {
      userId = account.self.userId;
      entries = commandEntries(app, runner, readerOf({...app.frame, account, screen}));
    }
    return entries;
  };
}

/**
 * Returns all commands: enabled ones first, then by recent use, then by the nearest context. Views can be opened from
 * anywhere, even from the composer. Of commands with the same title only the first is listed.
 */
function commandEntries(app: App, {commands, keymap}: CommandRunner, reader: AppReader): readonly CommandEntry[] {
  const here = activeContexts(reader.screen);
  const active: readonly KeyContext[] = [...new Set([...here, 'nav', 'global'] as const)];
  const recent = recentCommands(app);
  const ranked = [...commands.values()].map((command) => {
    const {id, title, aliases, contexts} = command;
    // A key of another place would do something else here: in the composer it would be typed.
    const key = keysForCommand(keymap, id, here).find((one) => boundCommand(keymap, here, one) === id);
    const [anyKey] = [...keysForCommand(keymap, id, active), ...keysForCommand(keymap, id)];
    const distances = contexts.map((context) => active.indexOf(context)).filter((index) => index >= 0);
    const isRecent = recent.includes(id);
    return {
      entry: {
        id,
        title,
        aliases,
        detail: key,
        isRecent,
        disabled: paletteProblem(reader, command, active, key ?? anyKey),
      },
      recency: isRecent ? recent.indexOf(id) : recent.length,
      distance: Math.min(active.length, ...distances),
    };
  });
  const isDisabled = ({entry}: (typeof ranked)[number]) => Number(entry.disabled !== undefined);
  const entries = ranked
    .sort((a, b) => isDisabled(a) - isDisabled(b) || a.recency - b.recency || a.distance - b.distance)
    .map(({entry}) => entry);
  return entries.filter(({title}, index) => entries.findIndex((one) => one.title === title) === index);
}

/** Returns the command that a key runs in these contexts, of which the first wins. */
function boundCommand(keymap: Keymap, contexts: readonly KeyContext[], key: string): string | undefined {
  return contexts.map((context) => keymap[context].get(key)).find((id) => id !== undefined);
}

/** Returns why a command cannot run from the palette now; undefined when it can. */
function paletteProblem(
  app: AppReader,
  {contexts, isKeyOnly, disabledReason}: Omit<Command, 'isKeyOnly'> & {readonly isKeyOnly?: true | undefined},
  active: readonly KeyContext[],
  key?: string,
): string | undefined {
  const [context = 'global'] = contexts;
  if (!contexts.some((one) => active.includes(one))) return keyContexts[context].reason;
  if (isKeyOnly === true) return key === undefined ? 'Has no key yet: bind one in keys.toml' : `Press ${key} instead`;
  return disabledReason?.(app);
}

const paletteCommand = (id: string, title: string, context: KeyContext, text = ''): Command => ({
  id,
  title,
  contexts: [context],
  isKeyOnly: true,
  run: (app, _press, runner) => showPalette(app, runner, text),
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
  command('help.texts', 'Help topics', (app, _press, runner) => showPalette(app, runner, '?'), {
    aliases: ['help', 'manual', 'guide', 'how to'],
    contexts: ['global'],
  }),
  {
    id: 'go.recent',
    title: 'Go to recent conversation by number',
    contexts: ['global'],
    isKeyOnly: true,
    run: (app, press) => {
      const key = visitedConversations(app)[Number(press?.key.name ?? 1) - 1];
      const conversation = key === undefined ? undefined : knownConversation(app.state, key);
      if (conversation === undefined) app.toast('No recent conversation with that number');
      else openConversation(app, conversation);
    },
  },
];

/** Sends the text of the open composer, or saves the edit. Returns false when there is nothing to send. */
function write(app: App): boolean {
  const {composer} = app.screen;
  const hasText = composer.isOpen && (!isEmptyComposer(composer) || composer.editing !== undefined);
  const problem = hasText ? composeProblem(app) : 'Nothing to send or save';
  if (problem !== undefined) app.toast(problem, 'warning');
  else sendComposedMessage(app);
  return problem === undefined;
}

/** Returns why the words name no conversation. `#channel > topic` may have spaces around `>`. */
function destinationOf({account}: Pick<Frame, 'account'>, words: string) {
  return parseDestination(account, words.replace(/\s*>\s*/, '>'));
}

function openNamed(app: App, words: string): void {
  const found = destinationOf(app.frame, words);
  if (found.kind === 'conversation') openConversation(app, found.conversation);
  else if (found.kind === 'narrow') openNarrow(app, found.narrow);
}

function lineCommands(runner: CommandRunner): readonly LineCommand[] {
  return [
    {names: ['q', 'q!', 'qa', 'qa!', 'quit'], title: 'Quit; drafts are kept', run: ({device}) => device.quit()},
    {names: ['w'], title: 'Send the message, or save the edit', run: (app) => void write(app)},
    {
      names: ['wq', 'x'],
      title: 'Send or save, then quit',
      run: (app) => {
        if (!app.screen.composer.isOpen || write(app)) app.device.quit();
      },
    },
    {
      names: ['e', 'edit'],
      title: 'Open a conversation',
      argument: '#channel > topic, or @person',
      problem: (frame, words) => {
        const found = destinationOf(frame, words);
        return found.kind === 'problem' ? found.problem : undefined;
      },
      run: openNamed,
    },
    {
      names: ['help', 'h'],
      title: 'Find a key or a command',
      argument: 'words',
      run: (app, words) => showKeys(app, runner, words),
    },
  ];
}

export const commandLineCommands: readonly Command[] = [
  command(
    'command.line',
    'Command line: :q, :w, :e, :help',
    (app, _press, runner) => openCommandLine(app, lineCommands(runner)),
    {
      aliases: ['ex commands', 'vim command line', 'colon'],
      contexts: ['nav', 'normal'],
      hint: 'command line',
      hints: {NAV: 0},
    },
  ),
];

/** A command as another program sees it. */
export interface CommandDescription {
  readonly id: string;
  readonly title: string;
  readonly keys: readonly string[];
  /** Why it cannot run now. */
  readonly disabled?: string;
}

/** What happened when another program ran a command. */
export type RunOutcome =
  | {readonly outcome: 'refused'; readonly reason: string}
  | {
      readonly outcome: 'ran' | 'warned';
      /** The toast that the command showed. */
      readonly message?: string;
      /** The title of the overlay that the command opened: it waits for a key of the user. */
      readonly asks?: string;
    };

/** While the user types, keys must not lose the text field that they are meant for. */
const typingMs = 3000;

export function describeCommands(app: App, {commands, keymap}: CommandRunner): readonly CommandDescription[] {
  const bindings = keyContextNames.flatMap((context) => [...keymap[context]]);
  const byCommand = Map.groupBy(bindings, ([, id]) => id);
  return [...commands.values()].map((command) => {
    const {id, title} = command;
    const disabled = problemOf(app, command);
    const keys = [...new Set(byCommand.get(id)?.map(([key]) => key))];
    return {id, title, keys, ...(disabled !== undefined && {disabled})};
  });
}

/** Runs a command as the palette does, for another program. Returns undefined when there is no such command. */
export function runById(app: App, runner: CommandRunner, id: string): RunOutcome | undefined {
  const command = runner.commands.get(id);
  if (command === undefined) return undefined;
  if (isTyping(app) && app.clock.monotonic() - app.frames.keyAt < typingMs) {
    return {outcome: 'refused', reason: 'Somebody is typing in Parley: try again in a few seconds'};
  }
  const problem = problemOf(app, command);
  if (problem !== undefined) return {outcome: 'refused', reason: problem};
  while (app.screen.overlays.length > 0) app.closeOverlay();
  const {toast: before, view, hasWindowFocus} = app.screen;
  runner.run(app, id);
  app.frames.noteInput();
  app.accounts.afterInput?.(app);
  // No key says that somebody looks at the messages now, so they stay unread.
  if (app.screen.view !== view && hasWindowFocus === undefined) markAsPeek(app);
  const {toast, overlays} = app.screen;
  const top = overlays.at(-1);
  const shown = toast === undefined || toast.id === before?.id ? undefined : toast;
  return {
    outcome: shown === undefined || shown.tone === 'plain' ? 'ran' : 'warned',
    ...(shown !== undefined && {message: shown.text}),
    ...(top !== undefined && {asks: overlayTitle(app, top)}),
  };
}

/** Returns why the palette would refuse the command once the overlays are closed. Programs may run what is useful as a key only. */
function problemOf(app: App, command: Command): string | undefined {
  const contexts = activeContexts({...app.screen, overlays: []});
  return paletteProblem(app, {...command, isKeyOnly: undefined}, [...new Set([...contexts, 'nav', 'global'] as const)]);
}

export function overlayTitle({frame}: Pick<App, 'frame'>, overlay: OverlayState): string {
  if (overlay.kind === 'form') return overlay.form.title;
  if (overlay.kind === 'card') return cardTitle(frame, overlay.card);
  return overlay.picker.titleFor?.(overlay.field.text) ?? overlay.picker.title;
}
