import type {Screen} from '#test/support/terminal/screen.ts';
import type {Size, Terminal} from '#test/support/terminal/terminal.ts';

/** The server and the folder of a measured program. */
export interface ProgramEnvironment {
  /** The program's own folder: the data that a run leaves there is the cache of the next. */
  readonly home: string;
  readonly site: string;
  readonly email: string;
  readonly apiKey: string;
}

/** An action that is measured repeatedly. */
export interface MeasuredAction {
  readonly name: string;
  /** The maximum number of repetitions, for actions that use something up. */
  readonly rounds?: number;
  /** Opens the view in which the action is possible. */
  enter(terminal: Terminal): Promise<void>;
  keys(round: number): readonly string[];
  /**
   * Returns a part of the screen that changes as soon as the keys took effect, and for no other reason. Empty
   * while there is nothing to see.
   */
  watched(terminal: Terminal): string;
  leave(terminal: Terminal): Promise<void>;
}

/** The program under measurement, and how its screen is recognised. */
export interface MeasuredProgram {
  readonly name: string;
  /** Starts at the default view, or at a topic of the channel. */
  open(size: Size, place: ProgramEnvironment, topic?: string): Terminal;
  /** Returns whether the program has drawn anything. */
  isPainted(screen: Screen): boolean;
  /** Returns whether the program shows its content and accepts keys. */
  isUsable(screen: Screen): boolean;
  /** Opens the long topic and loads all its messages. */
  load(terminal: Terminal): Promise<void>;
  readonly actions: readonly MeasuredAction[];
  /** Quits as a user would, so that data for the next start is saved. */
  quit(terminal: Terminal): Promise<void>;
}

export const sizes: readonly Size[] = [
  {cols: 80, rows: 24},
  {cols: 120, rows: 40},
  {cols: 200, rows: 50},
];
