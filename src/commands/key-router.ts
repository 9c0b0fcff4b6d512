import type {App} from '#app/core/app.ts';
import {pressInCard} from '#app/overlays/cards.ts';
import {chosenRow, openedPicker, pickerRows, pressMenuKey} from '#app/overlays/picker.ts';
import {
  editFocusedField,
  focusedTextInput,
  pasteIntoFocusedInput,
  typeIntoFocusedInput,
} from '#app/text-input.ts';
import type {InputEvent, KeyEvent} from '#terminal/input/input-events.ts';
import {type Key, keyName} from '#terminal/input/key.ts';
import {commandKey} from '#terminal/input/layout-map.ts';
import type {Command, CommandRunner} from './command.ts';
import {activeContexts, inputMode} from './key-contexts.ts';
import {type Keymap, resolveKeys} from './keymap.ts';
import {MouseHandler, scrollByWheel} from './mouse-handler.ts';
import {TypeaheadGuard} from './typeahead-guard.ts';

/** The possible next keys are shown to whoever hesitates. */
const hesitationMs = 300;

/** The one listener: every key of the program comes through here, one by one and in order. */
export class KeyRouter implements CommandRunner {
  readonly keymap: Keymap;
  readonly commands: ReadonlyMap<string, Command>;
  readonly #pointer = new MouseHandler();
  readonly #strays = new TypeaheadGuard();
  #cancelHint: (() => void) | undefined;

  constructor(keymap: Keymap, commands: ReadonlyMap<string, Command>) {
    this.keymap = keymap;
    this.commands = commands;
  }

  /**
   * All that came in one read; each sees what the one before it did. Painted once. Without `isSeen`, there was nothing to see
   * yet when they were sent.
   */
  handleEvents(app: App, events: readonly InputEvent[], isSeen = true): void {
    for (const event of events) {
      this.#takeOne(app, event, isSeen);
      app.frames.noteInput();
    }
    app.frames.paintNow();
  }

  #takeOne(app: App, event: InputEvent, isSeen: boolean): void {
    switch (event.kind) {
      case 'key':
        app.session.noteActivity('key');
        this.#pointer.reset();
        clearStaleToast(app, () => this.#press(app, event, isSeen));
        return;
      case 'paste':
        app.session.noteActivity('key');
        this.#forget(app);
        pasteIntoFocusedInput(app, event.text);
        return;
      case 'focus':
        app.set({hasWindowFocus: event.gained});
        if (event.gained) app.session.noteActivity('focus');
        return;
      case 'mouse':
        app.session.noteActivity('key');
        if (event.action === 'press') {
          this.#forget(app);
          this.#strays.end();
        }
        clearStaleToast(app, () => this.#pointer.handleEvent(app, event, this));
        return;
      default:
    }
  }

  #press(app: App, press: KeyEvent, isSeen: boolean): void {
    const {key} = press;
    if (app.screen.panes.isBare) {
      app.set({panes: {...app.screen.panes, isBare: false}});
      if (app.screen.isMouseOn) app.device.setMouse(true);
      return;
    }
    if (press.isWheel === true) {
      scrollByWheel(app, key.name === 'Up' ? -1 : 1);
      return;
    }
    if (this.#strays.ignores(app, key)) return;
    if (app.screen.prefix.length === 0 && this.#isForOverlay(app, key)) return;
    const place = focusedTextInput(app);
    const writes = place !== undefined;
    if (press.isBurst === true && (place === 'picker' || place === 'filter')) {
      typeIntoFocusedInput(app, ' ');
      return;
    }
    const isText = key.text !== undefined && key.ctrl !== true && key.alt !== true;
    if (writes && isText && app.screen.prefix.length === 0) {
      typeIntoFocusedInput(app, key.text ?? '');
      return;
    }
    const pressed = writes && app.screen.prefix.length === 0 ? key : commandKey(key);
    this.#resolve(app, {...press, key: pressed}, isSeen);
  }

  /** Pickers and cards may have keys of their own; typing into a picker comes first. */
  #isForOverlay(app: App, key: Key): boolean {
    const top = app.screen.overlays.at(-1);
    if (top === undefined) return false;
    if (top.kind === 'card') {
      const pressed = commandKey(key);
      return top.card.onKey?.(app, pressed) === true || pressInCard(app, pressed);
    }
    const open = openedPicker(app);
    if (open === undefined) return false;
    const pressed = open.picker.isMenu === true ? commandKey(key) : key;
    const row = chosenRow(pickerRows(app.frame, open), open.cursor);
    return open.picker.onKey?.(app, pressed, row) === true || pressMenuKey(app, pressed);
  }

  #resolve(app: App, press: KeyEvent, isSeen: boolean): void {
    const keys = [...app.screen.prefix, keyName(press.key)];
    const resolved = resolveKeys(this.keymap, activeContexts(app.screen), keys);
    if (resolved.kind === 'prefix') {
      this.#wait(app, keys);
      return;
    }
    const wasWaiting = app.screen.prefix.length > 0;
    this.#forget(app);
    if (resolved.kind === 'command') {
      if (isSeen || !this.#strays.refusesEarlyKey(app, this.commands.get(resolved.id)))
        this.run(app, resolved.id, press);
    } else if (wasWaiting ? !leavesPrefix(press.key) : !editFocusedField(app, keyName(press.key))) {
      if (isSeen || !this.#strays.refusesEarlyKey(app, undefined)) this.#sayUnbound(app, keys);
    }
  }

  /** A command that cannot be done now says why. */
  run(app: App, id: string, press?: KeyEvent): void {
    const command = this.commands.get(id);
    if (command === undefined) {
      app.toast(`There is no command “${id}”.`, 'error');
      return;
    }
    const warned = app.screen.toast?.id;
    const reason = command.disabledReason?.(app);
    if (reason === undefined) command.run(app, press, this);
    else app.toast(reason, 'warning');
    this.#strays.startAfterRefusal(app, command, warned);
  }

  #wait(app: App, keys: readonly string[]): void {
    this.#cancelHint?.();
    app.set({prefix: keys});
    this.#cancelHint = app.clock.after(hesitationMs, () => app.set({isPrefixShown: true}));
  }

  #forget(app: App): void {
    this.#cancelHint?.();
    this.#cancelHint = undefined;
    if (app.screen.prefix.length > 0) app.set({prefix: [], isPrefixShown: false});
  }

  #sayUnbound(app: App, keys: readonly string[]): void {
    if (focusedTextInput(app) !== undefined) return;
    app.toast(`No key “${keys.join(' ')}” here — ? for keys`, 'warning');
  }
}

/**
 * What was said before this key is over when the key leads elsewhere: keys that it names would mean something else there.
 * Only what went wrong stays.
 */
function clearStaleToast(app: App, press: () => void): void {
  const {screen: before} = app;
  press();
  const {screen} = app;
  const {toast} = before;
  if (toast === undefined || toast.tone === 'error' || screen.toast !== toast) return;
  if (screen.view !== before.view || inputMode(screen) !== inputMode(before)) app.set({toast: undefined});
}

/** Whoever takes back the beginning of a sequence is not told that nothing follows it. */
function leavesPrefix(key: Key): boolean {
  return key.name === 'Esc' || (key.ctrl === true && key.name === 'c');
}
