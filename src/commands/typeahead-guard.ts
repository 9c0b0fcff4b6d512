import {afterInputIdle} from '#terminal/input/after-input-idle.ts';
import type {Key} from '#terminal/input/key.ts';
import type {App} from '#ui/core/app.ts';
import {focusedTextInput} from '#ui/text-input.ts';
import type {Command, CommandRunner} from './command.ts';
import {inputMode} from './key-contexts.ts';

/** The pause after which the user is no longer in the middle of typing a text. */
const typingPauseMs = 500;

const earlyKeysText = 'Keys pressed too early were ignored';
const ignoredTextSuffix = 'what you typed next was ignored';

/**
 * Ignores letters that were not meant as commands: keys typed before the first frame was painted, and text typed for a field
 * that could not open. It stops when the user pauses or presses a key that cannot be part of a text.
 */
export class TypeaheadGuard {
  #cancel: (() => void) | undefined;
  /** The id of the refusal toast, until it is extended to say that typed text was ignored. */
  #refusalToast: number | undefined;

  /** Returns whether the key is to be ignored. */
  ignores(app: App, key: Key): boolean {
    if (this.#cancel === undefined) return false;
    if (!isTextKey(key)) {
      this.end();
      return false;
    }
    this.#start(app);
    const {toast} = app.screen;
    if (toast !== undefined && toast.id === this.#refusalToast)
      app.toast(`${toast.text} · ${ignoredTextSuffix}`, 'warning');
    this.#refusalToast = undefined;
    return true;
  }

  end(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  /** Refuses a key that was pressed before the first paint. Returns false when its command does not depend on the screen. */
  refusesEarlyKey(app: App, command: Command | undefined): boolean {
    if (inputMode(app.screen) !== 'NAV') return false;
    if (command?.worksBeforeFirstPaint === true || command?.contexts.includes('global') === true) return false;
    app.toast(earlyKeysText, 'warning');
    this.#start(app);
    return true;
  }

  /** Starts ignoring text if the command was to open a text field and has shown a warning instead of it. */
  startAfterRefusal(app: App, {opensTextField}: Command, previousToast: number | undefined): void {
    const {toast} = app.screen;
    const isRefused = toast !== undefined && toast.tone !== 'plain' && toast.id !== previousToast;
    if (!isRefused || opensTextField !== true || focusedTextInput(app) !== undefined) return;
    this.#refusalToast = toast.id;
    this.#start(app);
  }

  /** Starts ignoring text after a key that opens a text field in another context and has no meaning here. */
  startAfterUnbound(app: App, keys: readonly string[], {keymap, commands}: CommandRunner): void {
    const {toast} = app.screen;
    const sequence = keys.join(' ');
    const ids = Object.values(keymap).flatMap((bound) => bound.get(sequence) ?? []);
    if (toast === undefined || !ids.some((id) => commands.get(id)?.opensTextField === true)) return;
    this.#refusalToast = toast.id;
    this.#start(app);
  }

  #start(app: App): void {
    this.#cancel?.();
    this.#cancel = afterInputIdle(app.clock, typingPauseMs, () => this.end());
  }
}

/** Ctrl-J is the line feed of an Enter typed before the terminal was in raw mode; the others clear a prefilled field. */
const textControls: ReadonlySet<string> = new Set(['j', 'u', 'w']);

/** Whether the key can be part of typing a text. */
function isTextKey({name, text, ctrl, alt}: Key): boolean {
  if (alt === true) return false;
  if (ctrl === true) return textControls.has(name);
  return text !== undefined || name === 'Enter' || name === 'Tab' || name === 'Backspace';
}
