import type {App} from '#app/core/app.ts';
import type {OutboxEntry} from '#state/model/outbox.ts';
import type {KeyEvent} from '#terminal/input/input-events.ts';
import type {KeyContext} from './context-names.ts';
import type {HintRanks} from './hint-places.ts';
import type {Keymap} from './keymap.ts';

/** The parts of the menu of a message, from the top. */
export const messageMenuGroups = ['reply', 'react', 'open', 'about', 'change'] as const;

/** Where a command stands in the menu of a message. */
export interface MessageMenuPlace {
  readonly group: (typeof messageMenuGroups)[number];
  /** Within the group, the lowest first. */
  readonly position: number;
  /** The menu leaves it out when it cannot be done, in place of a reason. */
  readonly isHiddenWhenDisabled?: true;
}

/** One thing that can be done. Palette, key help, hints and README's table are views of these records. */
export interface Command {
  /** `noun.verb`, as in `keys.toml`. */
  readonly id: string;
  /** What it does, as one reads it in a list. */
  readonly title: string;
  /** Other words that people look for it by: the palette and the key help find it by these too. */
  readonly aliases?: readonly string[];
  readonly contexts: readonly KeyContext[];
  /** A word or two for the hint line. */
  readonly hint?: string;
  /** The hint where the row with the cursor is muted. */
  readonly mutedHint?: string;
  /** Which of several keys the hint names; the first one unless told. */
  readonly hintKey?: string;
  /** Where the hint line names it. */
  readonly hints?: HintRanks;
  readonly messageMenu?: MessageMenuPlace;
  /** It makes sense as a key only: a movement, an editing key. The palette names the key and does not run it. */
  readonly isKeyOnly?: true;
  /** It opens a field to type into: what is typed after it is text, also when the field could not open. */
  readonly opensTextField?: true;
  /** It needs nothing on the screen: it is about no row and no message, and marks nothing read. */
  readonly worksBeforeFirstPaint?: true;
  /** It is about the row with the cursor. */
  readonly isAboutRow?: true;
  /** A sentence; undefined when it can be done now. */
  readonly disabledReason?: (app: App) => string | undefined;
  /** What it does instead when the selected message is not sent yet. */
  readonly runOnUnsent?: (app: App, entry: OutboxEntry) => void;
  /** `press` is the key that asked for it; undefined from the palette. */
  readonly run: (app: App, press: KeyEvent | undefined, desk: CommandRunner) => void;
}

/** What commands about commands need: the palette, the key help. */
export interface CommandRunner {
  readonly keymap: Keymap;
  readonly commands: ReadonlyMap<string, Command>;
  run(app: App, id: string, press?: KeyEvent): void;
}
