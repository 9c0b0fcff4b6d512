import type {App} from '#app/core/app.ts';
import type {KeyEvent} from '#terminal/input/events.ts';
import type {Context} from './context-names.ts';
import type {Keymap} from './keymap.ts';

/** One thing that can be done. Palette, key help, hints and README's table are views of these records. */
export interface Command {
  /** `noun.verb`, as in `keys.toml`. */
  readonly id: string;
  /** What it does, as one reads it in a list. */
  readonly title: string;
  readonly contexts: readonly Context[];
  /** A word for the hint line, where it belongs there. */
  readonly hint?: string;
  /** Not offered by the palette: a movement, an editing key. */
  readonly isKeyOnly?: true;
  /** A sentence; undefined when it can be done now. */
  readonly disabledReason?: (app: App) => string | undefined;
  /** `press` is the key that asked for it; undefined from the palette. */
  readonly run: (app: App, press: KeyEvent | undefined, desk: CommandDesk) => void;
}

/** What commands about commands need: the palette, the key help. */
export interface CommandDesk {
  readonly keymap: Keymap;
  readonly commands: ReadonlyMap<string, Command>;
  run(app: App, id: string, press?: KeyEvent): void;
}
