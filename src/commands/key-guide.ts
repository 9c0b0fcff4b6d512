import type {Frame} from '#app/core/frame.ts';
import type {KeyGuide, KeyHint} from '#app/core/key-guide.ts';
import type {ScreenState} from '#app/core/screen-state.ts';
import {inboxCursorContext} from '#app/inbox/cursor-context.ts';
import type {InboxCursorContext} from '#app/inbox/inbox-state.ts';
import {focusedList} from '#app/lists/focused-list.ts';
import {cursorRow} from '#app/lists/visible-rows.ts';
import {emptyTimelineKind} from '#app/timeline/empty-timeline-kind.ts';
import type {Command} from './command.ts';
import type {KeyContext} from './context-names.ts';
import type {HintRank} from './hint-places.ts';
import {activeContexts, inputMode} from './key-contexts.ts';
import {continuations, type Keymap, keysForCommand} from './keymap.ts';

/** One at a time there is nothing to select. */
const aloneAt: Readonly<Partial<Record<InboxCursorContext, string>>> = {topic: 'one', direct: 'one-direct'};

/** What tells two places of one context apart. */
function placeOf(frame: Frame): string {
  const {screen} = frame;
  if (screen.overlays.at(-1)?.kind === 'card') return 'card';
  if (screen.view.kind === 'drafts' && screen.focus === 'main') return screen.view.tab;
  const list = focusedList(screen);
  if (list === undefined) return emptyTimelineKind(frame) ?? '';
  if (list !== 'inbox') return list;
  const spot = inboxCursorContext(frame);
  return screen.view.kind === 'triage' ? (aloneAt[spot] ?? spot) : spot;
}

type RowKind = 'usual' | 'muted';

/** Of the row with the cursor, in a list. */
function rowKind(frame: Frame): RowKind {
  const list = focusedList(frame.screen);
  const row = list === undefined ? undefined : cursorRow(frame, list);
  return row !== undefined && 'isMuted' in row && row.isMuted === true ? 'muted' : 'usual';
}

const inboxContexts: readonly KeyContext[] = ['inbox', 'list', 'nav', 'global'];

/** Hints, and what follows a prefix, from the records and the keymap alone: they say what the keys do, whoever changed them. */
export function makeKeyGuide(keymap: Keymap, commands: ReadonlyMap<string, Command>): KeyGuide {
  const hintsAt = (place: string, contexts: readonly KeyContext[], isMuted = false) =>
    ranked(commands, place).flatMap((hint) =>
      keyHint(hint, keysForCommand(keymap, hint.command.id, contexts), isMuted),
    );
  const hintsFor = remembered((place: string, contexts: readonly KeyContext[], row: RowKind) => {
    const [inner = 'global'] = contexts;
    return hintsAt(`${inner} ${place}`, contexts, row === 'muted');
  });
  const waysFor = remembered(hintsAt);
  return {
    mode: inputMode,
    hints: (frame) => hintsFor(placeOf(frame), activeContexts(frame.screen), rowKind(frame)),
    inboxHints: (spot) => hintsFor(spot, inboxContexts, 'usual'),
    moreHints: (screen) => waysFor(inputMode(screen), activeContexts(screen)),
    continuations: (screen) => nextKeys(keymap, commands, screen),
  };
}

interface RankedHint {
  readonly command: Command;
  readonly rank: number;
  readonly label: string | undefined;
  readonly key: string | undefined;
}

/** Returns the hints of a place, the lowest rank first. A place without any has those of its context. */
function ranked(commands: ReadonlyMap<string, Command>, place: string): readonly RankedHint[] {
  const all = [...commands.values()];
  const own = all.flatMap((command) => rankedHint(command, hintRank(command, place)));
  const [context = ''] = place.split(' ');
  const found =
    own.length > 0
      ? own
      : all.flatMap((command) =>
          hintRank(command, place) === false ? [] : rankedHint(command, hintRank(command, context)),
        );
  return found.sort((a, b) => a.rank - b.rank);
}

function hintRank({hints = {}}: Command, place: string): HintRank | undefined {
  return Object.entries(hints).find(([at]) => at === place)?.[1];
}

function rankedHint(command: Command, hint: HintRank | undefined): readonly RankedHint[] {
  if (hint === undefined || hint === false) return [];
  const [rank, label, key = command.hintKey] = typeof hint === 'number' ? [hint] : hint;
  return [{command, rank, label, key}];
}

/** A command without a key here, or without a word for it, has no hint. */
function keyHint(
  {command, label, key: best}: RankedHint,
  keys: readonly string[],
  isMuted: boolean,
): readonly KeyHint[] {
  const key = keys.find((one) => one === best) ?? keys[0];
  const said = label ?? (isMuted ? command.mutedHint : undefined) ?? command.hint;
  return key === undefined || said === undefined ? [] : [{key: shortKey(key), label: said}];
}

function nextKeys(
  keymap: Keymap,
  commands: ReadonlyMap<string, Command>,
  screen: ScreenState,
): readonly KeyHint[] {
  return continuations(keymap, activeContexts(screen), screen.prefix).flatMap(({key, id}) => {
    const command = commands.get(id);
    return command === undefined ? [] : [{key, label: shortTitle(command)}];
  });
}

/** Without what is said for those who read it at leisure. */
function shortTitle({title}: Command): string {
  const [short = title] = title.split(/[;:,] /);
  return short;
}

/** `Ctrl-J` is `^J` where room is short. */
function shortKey(key: string): string {
  return key
    .split(' ')
    .map((one) => one.replace(/^Ctrl-(?=.$)/, '^'))
    .join(' ');
}

function remembered<A extends readonly unknown[], T>(make: (...asked: A) => T): (...asked: A) => T {
  const known = new Map<string, T>();
  return (...asked) => {
    const key = asked.join(' ');
    const before = known.get(key);
    if (before !== undefined) return before;
    const made = make(...asked);
    known.set(key, made);
    return made;
  };
}
