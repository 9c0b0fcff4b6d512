import type {App} from '#app/core/app.ts';
import {textPlace} from '#app/typing.ts';
import {afterReads} from '#terminal/input/after-reads.ts';
import type {Key} from '#terminal/input/key.ts';
import type {Command} from './command.ts';
import {modeOf} from './contexts.ts';

/** Who has not pressed a key for so long is not in the middle of typing something. */
const pauseMs = 500;

const tooEarly = 'Nothing was here yet: keys not used';
const typedOn = 'what was typed next was not used';

/** What can be done where nothing is to be seen yet: it is about no row and no message, and marks nothing read. */
export const needsNoPicture: ReadonlySet<string> = new Set([
  ...['move.down', 'move.up', 'move.first', 'move.last', 'page.down', 'page.up', 'page.half.down'],
  ...['page.half.up', 'scroll.line.down', 'scroll.line.up', 'focus.next', 'focus.prev', 'focus.left', 'back'],
  ...['view.inbox', 'view.triage', 'view.recent', 'view.directs', 'view.channels', 'view.people'],
  ...['view.drafts', 'view.outbox', 'view.scheduled', 'view.reminders', 'pane.sidebar', 'pane.users'],
  ...['help.overlay', 'palette.open', 'go.anything.k', 'search.open', 'filter.sidebar', 'filter.users'],
  ...['settings.open', 'account.pick', 'banner.accept', 'connection.retry'],
]);

/** Whoever asks for one of these goes on with a text for it. */
export const takesText: ReadonlySet<string> = new Set([
  ...['reply', 'reply.dm', 'reply.mention', 'quote', 'forward', 'msg.edit', 'msg.move', 'react.picker'],
  ...['triage.reply', 'triage.reply.dm', 'triage.react', 'compose.topic', 'compose.dm'],
  ...['draft.edit', 'channel.new', 'status.set'],
]);

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
    if (command !== undefined && (needsNoPicture.has(command.id) || command.contexts.includes('global')))
      return false;
    app.toast(tooEarly, 'warning');
    this.#begin(app);
    return true;
  }

  /** It was asked for; `warned` is what was said before. */
  asked(app: App, id: string, warned: number | undefined): void {
    const {toast} = app.screen;
    const isRefused = toast !== undefined && toast.tone !== 'plain' && toast.id !== warned;
    if (!isRefused || !takesText.has(id) || textPlace(app) !== undefined) return;
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
