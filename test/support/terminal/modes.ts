import type {Terminal as Emulator} from '@xterm/headless';
import type {KeyboardState} from './keys.ts';
import type {TerminalProfile} from './terminal-profile.ts';

type Params = readonly (number | readonly number[])[];

const alternateScreen = [47, 1047, 1049] as const;
const shownAtStart = [7, 25] as const;

const names = new Map([
  [1, 'application cursor keys'],
  [7, 'no wrapping'],
  [25, 'hidden cursor'],
  [47, 'alternate screen'],
  [1000, 'mouse clicks'],
  [1002, 'mouse drags'],
  [1003, 'mouse moves'],
  [1004, 'focus reports'],
  [1006, 'mouse in SGR form'],
  [1007, 'alternate scroll'],
  [1047, 'alternate screen'],
  [1049, 'alternate screen'],
  [2004, 'bracketed paste'],
  [2026, 'an unfinished frame'],
  [2031, 'colour scheme reports'],
]);

/** Tracks all modes that a program set in its terminal. The emulator knows some of them; programs must restore all. */
export class Modes {
  readonly #persona: TerminalProfile;
  readonly #on = new Set<number>(shownAtStart);
  /** Each screen has its own stack of keyboard flags. */
  #keyboards: {readonly main: number[]; readonly alternate: number[]} = {main: [], alternate: []};
  #modifyOtherKeys = 0;
  #cursorShape = 0;
  #titles = 0;

  constructor(emulator: Emulator, persona: TerminalProfile) {
    this.#persona = persona;
    const {parser} = emulator;
    parser.registerCsiHandler({prefix: '?', final: 'h'}, (params) => this.#switch(params, true));
    parser.registerCsiHandler({prefix: '?', final: 'l'}, (params) => this.#switch(params, false));
    parser.registerCsiHandler({intermediates: '!', final: 'p'}, () => this.#reset());
    parser.registerEscHandler({final: 'c'}, () => this.#reset());
    parser.registerCsiHandler({prefix: '>', final: 'u'}, (params) => this.#push(numericParam(params, 0) ?? 0));
    parser.registerCsiHandler({prefix: '<', final: 'u'}, (params) => this.#pop(numericParam(params, 0) || 1));
    parser.registerCsiHandler({prefix: '=', final: 'u'}, (params) => this.#set(params));
    parser.registerCsiHandler({prefix: '>', final: 'm'}, (params) => this.#modify(params));
    parser.registerCsiHandler({intermediates: ' ', final: 'q'}, (params) => {
      this.#cursorShape = numericParam(params, 0) ?? 0;
      return false;
    });
    parser.registerCsiHandler({final: 't'}, (params) => {
      const what = numericParam(params, 0);
      if (what === 22) this.#titles++;
      if (what === 23) this.#titles = Math.max(0, this.#titles - 1);
      return false;
    });
  }

  /** Returns whether a private mode such as 2004 is on. */
  has(mode: number): boolean {
    return this.#on.has(mode);
  }

  get altScreen(): boolean {
    return alternateScreen.some((mode) => this.#on.has(mode));
  }

  get bracketedPaste(): boolean {
    return this.has(2004);
  }

  get focusReports(): boolean {
    return this.has(1004);
  }

  get mouse(): 'off' | 'clicks' | 'drags' | 'moves' {
    if (this.has(1003)) return 'moves';
    if (this.has(1002)) return 'drags';
    return this.has(1000) ? 'clicks' : 'off';
  }

  get cursorVisible(): boolean {
    return this.has(25);
  }

  /** The cursor style as in `ESC[6 q`; 0 is the terminal's default. */
  get cursorShape(): number {
    return this.#cursorShape;
  }

  /** Whether a frame has started and is not complete. */
  get isMidFrame(): boolean {
    return this.#persona.isSynchronized && this.has(2026);
  }

  /** The number of keyboard flags that were pushed and not popped on the current screen. */
  get kittyDepth(): number {
    return this.#keyboard.length;
  }

  get keyboard(): KeyboardState {
    return {
      kittyFlags: this.#keyboard.at(-1) ?? 0,
      modifyOtherKeys: this.#modifyOtherKeys,
      applicationCursor: this.has(1),
    };
  }

  /** Returns the modes that differ from the start, in words. */
  leftBehind(): string[] {
    const left = new Set<string>();
    for (const mode of this.#on) {
      if (!isShownAtStart(mode)) left.add(names.get(mode) ?? `mode ${mode}`);
    }
    for (const mode of shownAtStart) if (!this.#on.has(mode)) left.add(names.get(mode) ?? `mode ${mode}`);
    const {main, alternate} = this.#keyboards;
    if (main.length > 0 || alternate.length > 0) left.add('kitty keyboard');
    if (this.#modifyOtherKeys !== 0) left.add('modified keys');
    if (this.#cursorShape !== 0) left.add('cursor shape');
    if (this.#titles > 0) left.add('pushed title');
    return [...left];
  }

  get #keyboard(): number[] {
    return this.altScreen ? this.#keyboards.alternate : this.#keyboards.main;
  }

  #switch(params: Params, on: boolean): boolean {
    for (const mode of params.flat()) {
      if (on) this.#on.add(mode);
      else if (alternateScreen.some((same) => same === mode)) {
        for (const same of alternateScreen) this.#on.delete(same);
      } else this.#on.delete(mode);
    }
    return false;
  }

  #reset(): boolean {
    this.#on.clear();
    for (const mode of shownAtStart) this.#on.add(mode);
    this.#keyboards = {main: [], alternate: []};
    this.#modifyOtherKeys = 0;
    this.#cursorShape = 0;
    return false;
  }

  #push(flags: number): boolean {
    if (this.#persona.keyboard === 'kitty') this.#keyboard.push(flags);
    return true;
  }

  #pop(count: number): boolean {
    this.#keyboard.splice(Math.max(0, this.#keyboard.length - count));
    return true;
  }

  #set(params: Params): boolean {
    if (this.#persona.keyboard !== 'kitty') return true;
    const [flags, how] = [numericParam(params, 0) ?? 0, numericParam(params, 1) || 1];
    const before = this.#keyboard.pop() ?? 0;
    this.#keyboard.push(how === 1 ? flags : how === 2 ? before | flags : before & ~flags);
    return true;
  }

  #modify(params: Params): boolean {
    if (this.#persona.keyboard === 'xterm' && numericParam(params, 0) === 4) {
      this.#modifyOtherKeys = numericParam(params, 1) ?? 0;
    }
    return true;
  }
}

function isShownAtStart(mode: number): boolean {
  return shownAtStart.some((same) => same === mode);
}

/** Returns a parameter of a sequence; sub-parameters do not count. */
export function numericParam(params: Params, at: number): number | undefined {
  const value = params[at];
  return typeof value === 'number' ? value : undefined;
}
