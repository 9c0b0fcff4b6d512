import type {Screen} from '#test/support/terminal/screen.ts';
import type {Size, Terminal} from '#test/support/terminal/terminal.ts';

/** Where a program finds its server and keeps its files. */
export interface ProgramEnvironment {
  /** A directory of its own: what is left there by a run is the disk cache of the next. */
  readonly home: string;
  readonly site: string;
  readonly email: string;
  readonly apiKey: string;
}

/** Something to press again and again. */
export interface MeasuredAction {
  readonly name: string;
  /** How often at most; actions that use something up cannot be repeated at will. */
  readonly rounds?: number;
  /** Goes to where it can be done. */
  enter(terminal: Terminal): Promise<void>;
  keys(round: number): readonly string[];
  /**
   * A part of the screen that shows something else as soon as the keys have been answered, and that nothing else changes.
   * Empty: nothing to be seen yet.
   */
  watched(terminal: Terminal): string;
  leave(terminal: Terminal): Promise<void>;
}

/** What is measured, and how to recognise it. */
export interface MeasuredProgram {
  readonly name: string;
  /** Where one begins, or at a topic of the channel. */
  open(size: Size, place: ProgramEnvironment, topic?: string): Terminal;
  /** Something of its own is on the screen. */
  isPainted(screen: Screen): boolean;
  /** It shows what one came for, and takes keys. */
  isUsable(screen: Screen): boolean;
  /** The long topic is open: brings all of its messages into memory. */
  load(terminal: Terminal): Promise<void>;
  readonly actions: readonly MeasuredAction[];
  /** Leaves as a person would, so that what it keeps for the next start is kept. */
  quit(terminal: Terminal): Promise<void>;
}

export const sizes: readonly Size[] = [
  {cols: 80, rows: 24},
  {cols: 120, rows: 40},
  {cols: 200, rows: 50},
];
