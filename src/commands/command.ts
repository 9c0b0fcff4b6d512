import type {App} from '#app/core/app.ts';
import type {OutboxEntry} from '#state/model/outbox.ts';
import type {KeyEvent} from '#terminal/input/input-events.ts';
import type {AppReader} from '#ui/core/app-reader.ts';
import type {Keymap} from './keymap.ts';

/** The groups of the message menu, from the top. */
export const messageMenuGroups = ['reply', 'react', 'open', 'about', 'change'] as const;

/** The position of a command in the message menu. */
export interface MessageMenuSlot {
  readonly group: (typeof messageMenuGroups)[number];
  /** The order within the group, lowest first. */
  readonly position: number;
  /** The menu omits the command while it is disabled, instead of showing the reason. */
  readonly isHiddenWhenDisabled?: true;
}

/** A command of the program. The palette, the key help, the hint line and the table in README are made from these records. */
export interface Command {
  /** `noun.verb`, as in `keys.toml`. */
  readonly id: string;
  /** The name of the command in lists. */
  readonly title: string;
  /** Other words that users search for: the palette and the key help find the command by them too. */
  readonly aliases?: readonly string[];
  readonly contexts: readonly KeyContext[];
  /** One or two words for the hint line. */
  readonly hint?: string;
  /** The hint while the row under the cursor is muted. */
  readonly mutedHint?: string;
  /** The hint in the composer while its normal mode comes first. */
  readonly insertHint?: string;
  /** The contexts in which the hint line shows the command, and its rank there. */
  readonly hints?: HintRanks;
  readonly messageMenu?: MessageMenuSlot;
  /** The command is useful as a key only, like a movement: the palette shows its key and does not run it. */
  readonly isKeyOnly?: true;
  /** The command opens a text field: keys after it are meant as text, even when the field could not open. */
  readonly opensTextField?: true;
  /** The command refers to nothing on the screen and marks nothing read, so it runs before the first paint. */
  readonly worksBeforeFirstPaint?: true;
  /** The command applies to the row under the cursor. */
  readonly isAboutRow?: true;
  /** The command acts on the selected rows: on those of all organizations, or only if all are of the organization with the cursor. */
  readonly actsOnSelection?: 'all' | 'one organization';
  /** The command sends or changes something: a read-only session does not hint it. */
  readonly isChange?: true;
  /** Whether the command would change anything now, where that is not certain: hints leave it out otherwise. */
  readonly hasEffect?: (app: AppReader) => boolean;
  /** Returns why the command cannot run now, for the user; undefined when it can. */
  readonly disabledReason?: (app: AppReader) => string | undefined;
  /** Replaces `run` when the selected message is not sent yet. */
  readonly runOnUnsent?: (app: App, entry: OutboxEntry) => void;
  /** Runs the command. `press` is the key that was pressed; undefined when it is run from the palette. */
  readonly run: (app: App, press: KeyEvent | undefined, runner: CommandRunner) => void;
}

/** Returns the record of a command. Without `contexts`, it works wherever keys are commands. */
export function command(id: string, title: string, run: Command['run'], more: Partial<Command> = {}): Command {
  return {id, title, contexts: ['nav'], ...more, run};
}

/** The keymap and the commands, for commands that list or run others: the palette, the key help, the message menu. */
export interface CommandRunner {
  readonly keymap: Keymap;
  readonly commands: ReadonlyMap<string, Command>;
  run(app: App, id: string, press?: KeyEvent): void;
}

/**
 * The contexts in which keys are bound. Several are active at once, and the innermost wins. By default no context binds a key
 * of a context around it to another command, except `n` in the channel browser, where nothing is unread.
 */
export const keyContextNames = [
  'global',
  'nav',
  'msgs',
  'list',
  'inbox',
  'drafts',
  'browser',
  'banner',
  'composer',
  'normal',
  'menu',
  'form',
] as const;
export type KeyContext = (typeof keyContextNames)[number];

export function byContext<T>(makeValue: (context: KeyContext) => T): Readonly<Record<KeyContext, T>> {
  const entries = keyContextNames.map((context) => [context, makeValue(context)]);
  return Object.fromEntries(entries) as Readonly<Record<KeyContext, T>>;
}

/**
 * A situation for which the hint line has hints: a key context; a part of one with other useful commands (`inbox direct`); or
 * an input mode, whose hints are at the end of every hint line.
 */
type HintContext =
  | KeyContext
  | 'NAV'
  | 'WRITE'
  | 'inbox direct'
  | 'inbox one'
  | 'inbox one-direct'
  | 'inbox group'
  | 'inbox done'
  | 'inbox nothing'
  | 'inbox people'
  | ConversationList
  | EmptyMessages
  | 'msgs unsent'
  | AdditionalHints
  | 'drafts reminders'
  | 'browser archived'
  | 'menu card';

type ConversationList = 'inbox channels' | 'inbox topics' | 'inbox recent' | 'inbox catchUp' | 'inbox directs';

type EmptyMessages = 'msgs unwritten' | 'msgs search' | 'msgs wider' | 'msgs channel' | 'msgs empty' | 'msgs unloaded';

/** Parts of a context whose hints come in addition to those of the whole context. */
type AdditionalHints = 'msgs poll' | 'msgs todo';

/**
 * The rank of a command among the hints of a context, lowest first, optionally with another label or key than usual. `false`
 * hides the command in a part of a context whose other parts show it.
 */
export type HintRank = number | readonly [rank: number, label: string, key?: string] | false;

export type HintRanks = Readonly<Partial<Record<HintContext, HintRank>>>;

/** Returns the same rank for every conversation list except the inbox. */
export function inConversationLists(rank: number): HintRanks {
  return {
    'inbox channels': rank,
    'inbox topics': rank,
    'inbox recent': rank,
    'inbox catchUp': rank,
    'inbox directs': rank,
  };
}

/** Returns the same rank for every message view without messages. */
export function inEmptyMessages(rank: number): HintRanks {
  return {
    'msgs unwritten': rank,
    'msgs search': rank,
    'msgs wider': rank,
    'msgs channel': rank,
    'msgs empty': rank,
    'msgs unloaded': rank,
  };
}
