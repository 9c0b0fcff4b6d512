import type {App} from '#app/core/app.ts';
import {focusedTextInput} from '#app/text-input.ts';
import {afterInputIdle} from '#terminal/input/after-input-idle.ts';
import type {Key} from '#terminal/input/key.ts';
import type {Command} from './command.ts';
import {inputMode} from './key-contexts.ts';

/** Who has not pressed a key for so long is not in the middle of typing something. */
const pauseMs = 500;

const tooEarly = 'Keys pressed too early were ignored';
const typedOn = 'what you typed next was ignored';

/**
 * Keys that were typed for something that did not come about: for a picture that was not there yet, or a text that could not
 * be begun. Nobody meant their letters as commands, so they do nothing, until whoever types pauses or presses a key that is
 * no part of a text.
 */
export class TypeaheadGuard {
  #cancel: (() => void) | undefined;
  /** The warning that does not say yet that something was typed in vain. */
  #warned: number | undefined;

  /** Whether the key is one of them. */
  ignores(app: App, key: Key): boolean {
    if (this.#cancel === undefined) return false;
    if (!isOfText(key)) {
      this.end();
      return false;
    }
    this.#begin(app);
    const {toast} = app.screen;
    if (toast !== undefined && toast.id === this.#warned) app.toast(`${toast.text} · ${typedOn}`, 'warning');
    this.#warned = undefined;
    return true;
  }

  end(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  /** A key that was pressed before there was anything to see. False when what it does needs nothing to be seen. */
  refusesEarlyKey(app: App, command: Command | undefined): boolean {
    if (inputMode(app.screen) !== 'NAV') return false;
    if (command?.worksBeforeFirstPaint === true || command?.contexts.includes('global') === true)
      return false;
    app.toast(tooEarly, 'warning');
    this.#begin(app);
    return true;
  }

  /** It was asked for; `warned` is what was said before. */
  startAfterRefusal(app: App, {opensTextField}: Command, warned: number | undefined): void {
    const {toast} = app.screen;
    const isRefused = toast !== undefined && toast.tone !== 'plain' && toast.id !== warned;
    if (!isRefused || opensTextField !== true || focusedTextInput(app) !== undefined) return;
    this.#warned = toast.id;
    this.#begin(app);
  }

  #begin(app: App): void {
    this.#cancel?.();
    this.#cancel = afterInputIdle(app.clock, pauseMs, () => this.end());
  }
}

/** What typing a text consists of. A line feed is the Enter that was typed before the terminal was ours. */
function isOfText({name, text, ctrl, alt}: Key): boolean {
  if (alt === true) return false;
  if (ctrl === true) return name === 'j';
  return text !== undefined || name === 'Enter' || name === 'Tab' || name === 'Backspace';
}
