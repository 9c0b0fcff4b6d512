import {widgetIn} from '#app/message-actions/vote-picker.ts';
import {textColumns} from '#content/styled-text/text-width.ts';
import {memoByObject, sameFields} from '#std/memo.ts';
import {shownChannelTab} from '#ui/channel-browser/channel-browser.ts';
import {type AppReader, readerOf} from '#ui/core/app-reader.ts';
import {type Frame, type KeyGuide, type KeyHint, paneFrame} from '#ui/core/frame.ts';
import type {ScreenState} from '#ui/core/screen-state.ts';
import type {InboxCursorContext} from '#ui/inbox/inbox-state.ts';
import {inboxCursorContext} from '#ui/inbox/inbox-summary.ts';
import {focusedList} from '#ui/list-table.ts';
import {cursorRow} from '#ui/lists/visible-rows.ts';
import {emptyTimelineKind, selectedMessage, selectedOutboxEntry} from '#ui/message-pane/selected-message.ts';
import {type Command, type HintRank, type KeyContext, keyContextNames} from './command.ts';
import {
  activeContexts,
  commandOfKeys,
  continuations,
  innermostContext,
  inputMode,
  isTyping,
  type Keymap,
  keysForCommand,
  withOuter,
} from './keymap.ts';

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
  if (list?.id === 'browser') return shownChannelTab(frame);
  if (list === undefined)
    return selectedOutboxEntry({frame}) === undefined ? (emptyTimelineKind(frame) ?? widgetKind(frame)) : 'unsent';
  if (list.id !== 'inbox') return list.id;
  const context = inboxCursorContext(frame);
  return screen.view.kind === 'triage' ? (triageContexts[context] ?? context) : context;
}

/** Returns the kind of the selected message, if Enter does more than reply to it. */
function widgetKind(frame: Frame): string {
  const message = selectedMessage({frame});
  return (message === undefined ? undefined : widgetIn(message)?.kind) ?? '';
}

/** Whether the row under the cursor of the focused list is muted. */
function isRowMuted(frame: Frame): boolean {
  const list = focusedList(frame.screen);
  const row = list === undefined ? undefined : cursorRow(frame, list);
  return row !== undefined && 'isMuted' in row && row.isMuted === true;
}

/**
 * Returns hints that are computed from the command records and the keymap, so that they are right for custom keys too. A hint
 * is shown only while its key runs its command, and the command can run.
 */
export function makeKeyGuide(keymap: Keymap, commands: ReadonlyMap<string, Command>): KeyGuide {
  const ranked = memoized((hintContext: string) => rankedHints(commands, hintContext));
  const keysOf = memoized((id: string, contexts: readonly KeyContext[]) => keysForCommand(keymap, id, contexts));
  const keyIn = memoized((context: KeyContext, isText: boolean, id: string, preferred?: string) => {
    const contexts = withOuter[context];
    const keys = keysOf(id, contexts);
    const first = keys.filter((key) => key === preferred);
    return [...first, ...keys].find((key) => commandOfKeys(keymap, contexts, isText, key) === id);
  });
  const takesText = memoByObject((frame: Frame) => isTyping(readerOf(frame)));
  const workingKey = (app: AppReader, command: Command, preferred?: string): string | undefined => {
    if (app.screen.prefix.length > 0) return undefined;
    const key = keyIn(innermostContext(app.screen), takesText(app.frame), command.id, preferred);
    return key === undefined || !canRun(app, command) ? undefined : key;
  };
  const shortKeyOf = memoized(shortKey);
  const hasNormalMode = keymap.normal.size > 0;
  const known = new Map<string, readonly KeyHint[]>();
  const hintsAt = (frame: Frame, hintContext: string, columns = Number.POSITIVE_INFINITY): readonly KeyHint[] => {
    const app = readerOf(frame);
    const isMuted = isRowMuted(frame);
    const isNormal = inputMode(frame.screen) === 'NORMAL';
    const hints: KeyHint[] = [];
    let room = columns;
    for (const {command, label: rankedLabel, key: preferred} of ranked(hintContext)) {
      if (room < 0) break;
      const special = isMuted ? command.mutedHint : hasNormalMode && !isNormal ? command.insertHint : undefined;
      const label = rankedLabel ?? special ?? command.hint;
      const key = label === undefined ? undefined : workingKey(app, command, preferred);
      if (key === undefined || label === undefined) continue;
      const hint = {key: shortKeyOf(key), label};
      hints.push(hint);
      room -= textColumns(hint.key) + textColumns(label);
    }
    return sameHints(known, hintContext, hints);
  };
  return {
    mode: inputMode,
    hints: memoByObject((frame: Frame, columns?: number) =>
      hintsAt(frame, `${innermostContext(frame.screen)} ${contextPart(frame)}`, columns),
    ),
    inboxHints: (frame) => hintsAt(paneFrame(frame), `inbox ${inboxCursorContext(frame)}`),
    moreHints: memoByObject((frame: Frame) => hintsAt(frame, inputMode(frame.screen))),
    workingKey: (frame, ids) => {
      const app = readerOf(frame);
      const keys = ids.flatMap((id) => {
        const command = commands.get(id);
        return command === undefined ? [] : (workingKey(app, command) ?? []);
      });
      return keys[0];
    },
    keyOf: (id) => {
      const [key = `“${commands.get(id)?.title ?? id}”`] = keysOf(id, keyContextNames);
      return key;
    },
    continuations: (screen) => nextKeys(keymap, commands, screen),
  };
}

/** Whether the command can run now, and would change something. */
function canRun(app: AppReader, {isChange, isAboutRow, hasEffect, disabledReason}: Command): boolean {
  const list = focusedList(app.screen);
  if (isAboutRow === true && list !== undefined && list.id !== 'inbox' && cursorRow(app.frame, list) === undefined)
    return false;
  if (isChange === true && app.info.isReadOnly) return false;
  return disabledReason?.(app) === undefined && hasEffect?.(app) !== false;
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
  const isAdditional = hintContext === 'msgs poll' || hintContext === 'msgs todo';
  const hints = isAdditional ? [...own, ...general] : own.length > 0 ? own : general;
  return hints.sort((a, b) => a.rank - b.rank);
}

function hintRank({hints = {}}: Command, hintContext: string): HintRank | undefined {
  return Object.entries(hints).find(([context]) => context === hintContext)?.[1];
}

function rankedHint(command: Command, hint: HintRank | undefined): readonly RankedHint[] {
  if (hint === undefined || hint === false) return [];
  const [rank, label, key] = typeof hint === 'number' ? [hint] : hint;
  return [{command, rank, label, key}];
}

function nextKeys(keymap: Keymap, commands: ReadonlyMap<string, Command>, screen: ScreenState): readonly KeyHint[] {
  return continuations(keymap, activeContexts(screen), screen.prefix).flatMap(({key, id}) => {
    const command = commands.get(id);
    return command === undefined ? [] : [{key: shortKey(key), label: shortTitle(command)}];
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

/** Returns the last hints of this name if these are equal, so that a line with them is not painted again. */
function sameHints(
  known: Map<string, readonly KeyHint[]>,
  name: string,
  hints: readonly KeyHint[],
): readonly KeyHint[] {
  const last = known.get(name);
  if (last?.length === hints.length && last.every((hint, at) => sameFields(hint, hints[at] ?? hint))) return last;
  known.set(name, hints);
  return hints;
}

function memoized<A extends readonly unknown[], T>(compute: (...args: A) => T): (...args: A) => T {
  const results = new Map<string, T>();
  return (...args) => {
    const key = args.join(' ');
    if (!results.has(key)) results.set(key, compute(...args));
    return results.get(key) as T; // It has just been set.
  };
}
