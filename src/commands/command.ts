import type {OutboxEntry} from '#state/model/outbox.ts';
import type {KeyEvent} from '#terminal/input/input-events.ts';
import type {App, AppReader} from '#ui/core/app.ts';
import type {HintRanks, KeyContext} from './context-names.ts';
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
  /** The key that the hint shows, if not the first one. */
  readonly hintKey?: string;
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
