import type {Frame} from '#app/core/frame.ts';
import type {KeyGuide, KeyHint} from '#app/core/key-guide.ts';
import type {ScreenState} from '#app/core/screen-state.ts';
import {inboxCursorContext} from '#app/inbox/cursor-context.ts';
import type {InboxCursorContext} from '#app/inbox/inbox-state.ts';
import {shownChannelTab} from '#app/lists/channel-browser.ts';
import {focusedList} from '#app/lists/focused-list.ts';
import {cursorRow} from '#app/lists/visible-rows.ts';
import {widgetIn} from '#app/message-actions/vote-picker.ts';
import {emptyTimelineKind} from '#app/timeline/empty-timeline-kind.ts';
import {selectedMessage, selectedOutboxEntry} from '#app/timeline/selection.ts';
import type {Command} from './command.ts';
import type {KeyContext} from './context-names.ts';
import {type HintRank, isAdditional} from './hint-contexts.ts';
import {activeContexts, inputMode} from './key-contexts.ts';
import {continuations, type Keymap, keysForCommand} from './keymap.ts';

/** The hint contexts of triage, which shows one conversation at a time and has nothing to select. */
const triageContexts: Readonly<Partial<Record<InboxCursorContext, string>>> = {
  topic: 'one',
  direct: 'one-direct',
};

/** Returns the part of a key context that has its own hints; empty for the whole context. */
function contextPart(frame: Frame): string {
  const {screen} = frame;
  if (screen.overlays.at(-1)?.kind === 'card') return 'card';
  if (screen.view.kind === 'drafts' && screen.focus === 'main') return screen.view.tab;
  const list = focusedList(screen);
  if (list === 'browser') return shownChannelTab(frame);
  if (list === undefined)
    return selectedOutboxEntry({frame}) === undefined ? (emptyTimelineKind(frame) ?? widgetKind(frame)) : 'unsent';
  if (list !== 'inbox') return list;
  const context = inboxCursorContext(frame);
  return screen.view.kind === 'triage' ? (triageContexts[context] ?? context) : context;
}

/** Returns the kind of the selected message, if Enter does more than reply to it. */
function widgetKind(frame: Frame): string {
  const message = selectedMessage({frame});
  return (message === undefined ? undefined : widgetIn(message)?.kind) ?? '';
}

type RowKind = 'plain' | 'muted' | 'none';

/** Returns the kind of the row under the cursor, if a list has the focus. The inbox has hint contexts for having no rows. */
function rowKind(frame: Frame): RowKind {
  const list = focusedList(frame.screen);
  const row = list === undefined ? undefined : cursorRow(frame, list);
  if (list !== undefined && list !== 'inbox' && row === undefined) return 'none';
  return row !== undefined && 'isMuted' in row && row.isMuted === true ? 'muted' : 'plain';
}

const inboxContexts: readonly KeyContext[] = ['inbox', 'list', 'nav', 'global'];

/** Returns hints that are computed from the command records and the keymap, so that they are right for custom keys too. */
export function makeKeyGuide(keymap: Keymap, commands: ReadonlyMap<string, Command>): KeyGuide {
  const hintsAt = (context: string, contexts: readonly KeyContext[], row: RowKind, isReadOnly: boolean) =>
    rankedHints(commands, context)
      .filter(({command}) => !(isReadOnly && command.isChange === true))
      .filter(({command}) => !(row === 'none' && command.isAboutRow === true))
      .flatMap((hint) => keyHint(hint, keysForCommand(keymap, hint.command.id, contexts), row === 'muted'));
  const hintsFor = memoized((part: string, contexts: readonly KeyContext[], row: RowKind, isReadOnly: boolean) => {
    const [innermost = 'global'] = contexts;
    return hintsAt(`${innermost} ${part}`, contexts, row, isReadOnly);
  });
  const modeHintsFor = memoized((mode: string, contexts: readonly KeyContext[]) =>
    hintsAt(mode, contexts, 'plain', false),
  );
  return {
    mode: inputMode,
    hints: (frame) => hintsFor(contextPart(frame), activeContexts(frame.screen), rowKind(frame), frame.info.isReadOnly),
    inboxHints: (context) => hintsFor(context, inboxContexts, 'plain', false),
    moreHints: (screen) => modeHintsFor(inputMode(screen), activeContexts(screen)),
    keyOf: (id) => {
      const keys = keysForCommand(keymap, id);
      const command = commands.get(id);
      return keys.find((key) => key === command?.hintKey) ?? keys[0] ?? `“${command?.title ?? id}”`;
    },
    continuations: (screen) => nextKeys(keymap, commands, screen),
  };
}

interface RankedHint {
  readonly command: Command;
  readonly rank: number;
  readonly label: string | undefined;
  readonly key: string | undefined;
}

/** Returns the hints of a hint context, lowest rank first. A part without its own hints has those of its key context. */
function rankedHints(commands: ReadonlyMap<string, Command>, hintContext: string): readonly RankedHint[] {
  const all = [...commands.values()];
  const own = all.flatMap((command) => rankedHint(command, hintRank(command, hintContext)));
  const [keyContext = ''] = hintContext.split(' ');
  const general = all.flatMap((command) =>
    hintRank(command, hintContext) === false ? [] : rankedHint(command, hintRank(command, keyContext)),
  );
  const hints = isAdditional(hintContext) ? [...own, ...general] : own.length > 0 ? own : general;
  return hints.sort((a, b) => a.rank - b.rank);
}

function hintRank({hints = {}}: Command, hintContext: string): HintRank | undefined {
  return Object.entries(hints).find(([context]) => context === hintContext)?.[1];
}

function rankedHint(command: Command, hint: HintRank | undefined): readonly RankedHint[] {
  if (hint === undefined || hint === false) return [];
  const [rank, label, key = command.hintKey] = typeof hint === 'number' ? [hint] : hint;
  return [{command, rank, label, key}];
}

/** Returns the hint of a command; none when it has no key in these contexts or no label. */
function keyHint(
  {command, label: rankedLabel, key: preferred}: RankedHint,
  keys: readonly string[],
  isMuted: boolean,
): readonly KeyHint[] {
  const key = keys.find((one) => one === preferred) ?? keys[0];
  const label = rankedLabel ?? (isMuted ? command.mutedHint : undefined) ?? command.hint;
  return key === undefined || label === undefined ? [] : [{key: shortKey(key), label}];
}

function nextKeys(keymap: Keymap, commands: ReadonlyMap<string, Command>, screen: ScreenState): readonly KeyHint[] {
  return continuations(keymap, activeContexts(screen), screen.prefix).flatMap(({key, id}) => {
    const command = commands.get(id);
    return command === undefined ? [] : [{key, label: shortTitle(command)}];
  });
}

/** Returns the title up to its first `;`, `:` or `,`: explanations follow there. */
function shortTitle({title}: Command): string {
  const [short = title] = title.split(/[;:,] /);
  return short;
}

/** Shortens `Ctrl-J` to `^J`. */
function shortKey(key: string): string {
  return key
    .split(' ')
    .map((one) => one.replace(/^Ctrl-(?=.$)/, '^'))
    .join(' ');
}

function memoized<A extends readonly unknown[], T>(compute: (...args: A) => T): (...args: A) => T {
  const results = new Map<string, T>();
  return (...args) => {
    const key = args.join(' ');
    const known = results.get(key);
    if (known !== undefined) return known;
    const result = compute(...args);
    results.set(key, result);
    return result;
  };
}
