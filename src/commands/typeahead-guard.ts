import type {App} from '#app/core/app.ts';
import {textPlace} from '#app/text-input.ts';
import {afterReads} from '#terminal/input/after-input-idle.ts';
import type {Key} from '#terminal/input/key.ts';
import type {Command} from './command.ts';
import {modeOf} from './key-contexts.ts';

/** Who has not pressed a key for so long is not in the middle of typing something. */
const pauseMs = 500;

const tooEarly = 'Keys pressed too early were ignored';
const typedOn = 'what you typed next was ignored';

/**
 * Keys that were typed for something that did not come about: for a picture that was not there yet, or a text that could not
 * be begun. Nobody meant their letters as commands, so they do nothing, until whoever types pauses or presses a key that is
 * no part of a text.
 */
export class StrayKeys {
  #cancel: (() => void) | undefined;
  /** The warning that does not say yet that something was typed in vain. */
  #warned: number | undefined;

  /** Whether the key is one of them. */
  has(app: App, key: Key): boolean {
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
  refuses(app: App, command: Command | undefined): boolean {
    if (modeOf(app.screen) !== 'NAV') return false;
    if (command?.worksBeforeFirstPaint === true || command?.contexts.includes('global') === true)
      return false;
    app.toast(tooEarly, 'warning');
    this.#begin(app);
    return true;
  }

  /** It was asked for; `warned` is what was said before. */
  asked(app: App, {opensTextField}: Command, warned: number | undefined): void {
    const {toast} = app.screen;
    const isRefused = toast !== undefined && toast.tone !== 'plain' && toast.id !== warned;
    if (!isRefused || opensTextField !== true || textPlace(app) !== undefined) return;
    this.#warned = toast.id;
    this.#begin(app);
  }

  #begin(app: App): void {
    this.#cancel?.();
    this.#cancel = afterReads(app.clock, pauseMs, () => this.end());
  }
}

/** What typing a text consists of. A line feed is the Enter that was typed before the terminal was ours. */
function isOfText({name, text, ctrl, alt}: Key): boolean {
  if (alt === true) return false;
  if (ctrl === true) return name === 'j';
  return text !== undefined || name === 'Enter' || name === 'Tab' || name === 'Backspace';
}
