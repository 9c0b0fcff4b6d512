import type {App} from '#app/core/app.ts';
import {pressInForm} from '#app/forms/edit-form.ts';
import {pressInCard} from '#app/overlays/cards.ts';
import {pressMenuKey} from '#app/overlays/picker.ts';
import {otherSelectionProblem, runOnSelection} from '#app/targets/selection.ts';
import {editFocusedField, focusedTextInput, pasteIntoFocusedInput, typeIntoFocusedInput} from '#app/text-input.ts';
import {afterInputIdle} from '#terminal/input/after-input-idle.ts';
import type {InputEvent, KeyEvent} from '#terminal/input/input-events.ts';
import {type Key, keyName} from '#terminal/input/key.ts';
import {commandKey} from '#terminal/input/layout-map.ts';
import {chosenRow, openedPicker, pickerRows} from '#ui/overlays/picker-rows.ts';
import type {Command, CommandRunner} from './command.ts';
import {
  activeContexts,
  inputMode,
  isTyped,
  isTyping,
  type Keymap,
  resolveKeys,
  startsWriting,
  writingCommand,
} from './keymap.ts';
import {MouseHandler, scrollByWheel} from './mouse-handler.ts';

/** The delay after an incomplete key sequence before the possible next keys are shown. */
const prefixHintDelayMs = 300;

/** Handles all input: keys, pastes and mouse events, one by one and in order. */
export class KeyRouter implements CommandRunner {
  readonly keymap: Keymap;
  readonly commands: ReadonlyMap<string, Command>;
  readonly #mouse = new MouseHandler();
  readonly #typeahead = new TypeaheadGuard();
  #cancelPrefixHint: (() => void) | undefined;

  constructor(keymap: Keymap, commands: ReadonlyMap<string, Command>) {
    this.keymap = keymap;
    this.commands = commands;
  }

  /**
   * Handles the events of one read and paints once; each event sees the effects of the events before it. `isSeen` is false
   * when the user sent them before the first frame was painted. An event may show another account, which gets the next ones.
   */
  handleEvents(app: App, events: readonly InputEvent[], isSeen = true): void {
    let current = app;
    for (const event of events) {
      this.#handleEvent(current, event, isSeen);
      current.frames.noteInput();
      current = current.accounts.afterInput?.(current) ?? current;
    }
    current.frames.paintNow();
  }

  #handleEvent(app: App, event: InputEvent, isSeen: boolean): void {
    switch (event.kind) {
      case 'key':
        app.session.noteActivity('key');
        this.#mouse.reset();
        clearStaleToast(app, () => this.#press(app, event, isSeen));
        return;
      case 'paste':
        app.session.noteActivity('key');
        this.#clearPrefix(app);
        if (startsWriting(this.keymap, app.screen, {name: 'a', text: 'a'})) this.run(app, 'reply');
        pasteIntoFocusedInput(app, event.text, event.truncated);
        return;
      case 'focus':
        app.set({hasWindowFocus: event.gained});
        if (event.gained) app.session.noteActivity('focus');
        return;
      case 'mouse':
        app.session.noteActivity('key');
        if (event.action === 'press') {
          this.#clearPrefix(app);
          this.#typeahead.end();
        }
        clearStaleToast(app, () => this.#mouse.handleEvent(app, event, this));
        return;
      default:
    }
  }

  #press(app: App, press: KeyEvent, isSeen: boolean): void {
    const {key} = press;
    if (app.screen.panes.isBare) {
      app.setIn('panes', {isBare: false});
      if (app.screen.isMouseOn) app.device.setMouse(true);
      return;
    }
    if (press.isWheel === true) {
      scrollByWheel(app, key.name === 'Up' ? -1 : 1);
      return;
    }
    if (this.#typeahead.ignores(app, key)) return;
    if (app.screen.prefix.length === 0 && this.#handleInOverlay(app, key)) return;
    const textInput = focusedTextInput(app);
    if (press.isBurst === true && textInput !== undefined && textInput !== 'composer') {
      typeIntoFocusedInput(app, ' ');
      return;
    }
    if (isTyped(app, key)) {
      typeIntoFocusedInput(app, key.text ?? '');
      return;
    }
    if (startsWriting(this.keymap, app.screen, key)) {
      if (isSeen || !this.#typeahead.refusesEarlyKey(app, undefined)) this.run(app, writingCommand, press);
      return;
    }
    const pressed = isTyping(app) && app.screen.prefix.length === 0 ? key : commandKey(key);
    this.#resolve(app, {...press, key: pressed}, isSeen);
  }

  /** Passes the key to the top overlay. Returns whether the overlay has handled it. */
  #handleInOverlay(app: App, key: Key): boolean {
    const top = app.screen.overlays.at(-1);
    if (top === undefined) return false;
    if (top.kind === 'card') {
      const pressed = commandKey(key);
      return top.card.onKey?.(app, pressed) === true || pressInCard(app, pressed);
    }
    if (top.kind === 'form') return pressInForm(app, key);
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
      this.#showPrefixSoon(app, keys);
      return;
    }
    const hadPrefix = app.screen.prefix.length > 0;
    this.#clearPrefix(app);
    if (resolved.kind === 'command') {
      if (isSeen || !this.#typeahead.refusesEarlyKey(app, this.commands.get(resolved.id)))
        this.run(app, resolved.id, press);
    } else if (hadPrefix ? !cancelsPrefix(press.key) : !editFocusedField(app, keyName(press.key))) {
      if (isSeen || !this.#typeahead.refusesEarlyKey(app, undefined)) this.#toastUnbound(app, keys);
    }
  }

  /** Runs a command, or shows why it cannot run now. */
  run(app: App, id: string, press?: KeyEvent): void {
    const command = this.commands.get(id);
    if (command === undefined) {
      app.toast(`There is no command “${id}”.`, 'error');
      return;
    }
    const previousToast = app.screen.toast?.id;
    const run = (each: App) => {
      const reason = command.disabledReason?.(each);
      if (reason === undefined) command.run(each, press, this);
      else each.toast(reason, 'warning');
    };
    if (command.actsOnSelection === 'all') runOnSelection(app, run);
    else if (command.actsOnSelection === undefined || !app.warn(otherSelectionProblem(app))) run(app);
    this.#typeahead.startAfterRefusal(app, command, previousToast);
  }

  #showPrefixSoon(app: App, keys: readonly string[]): void {
    this.#cancelPrefixHint?.();
    app.set({prefix: keys});
    this.#cancelPrefixHint = app.clock.after(prefixHintDelayMs, () => app.set({isPrefixShown: true}));
  }

  #clearPrefix(app: App): void {
    this.#cancelPrefixHint?.();
    this.#cancelPrefixHint = undefined;
    if (app.screen.prefix.length > 0) app.set({prefix: [], isPrefixShown: false});
  }

  #toastUnbound(app: App, keys: readonly string[]): void {
    if (focusedTextInput(app) !== undefined) return;
    const help = app.info.keys?.workingKey(app.frame, ['help.overlay', 'help.keys']) ?? 'F1';
    app.toast(`No key “${keys.join(' ')}” here — ${help} for keys`, 'warning');
    this.#typeahead.startAfterUnbound(app, keys, this);
  }
}

/**
 * Handles a key or click and clears the toast that was shown before it if the view or mode changes: keys that the toast names
 * would do something else there. Errors stay.
 */
function clearStaleToast(app: App, handle: () => void): void {
  const {screen: before} = app;
  handle();
  const {screen} = app;
  const {toast} = before;
  if (toast === undefined || toast.tone === 'error' || screen.toast?.id !== toast.id) return;
  if (screen.view !== before.view || inputMode(screen) !== inputMode(before)) app.set({toast: undefined});
}

/** Whether the key cancels a sequence; then no toast says that the sequence is unbound. */
function cancelsPrefix(key: Key): boolean {
  return key.name === 'Esc' || (key.ctrl === true && key.name === 'c');
}

/** The pause after which the user is no longer in the middle of typing a text. */
const typingPauseMs = 500;

const earlyKeysText = 'Keys pressed too early were ignored';
const ignoredTextSuffix = 'what you typed next was ignored';

/**
 * Ignores letters that were not meant as commands: keys typed before the first frame was painted, and text typed for a field
 * that could not open. It stops when the user pauses or presses a key that cannot be part of a text.
 */
class TypeaheadGuard {
  #cancel: (() => void) | undefined;
  /** The id of the refusal toast, until it is extended to say that typed text was ignored. */
  #refusalToast: number | undefined;

  ignores(app: App, key: Key): boolean {
    if (this.#cancel === undefined) return false;
    if (!isTextKey(key)) {
      this.end();
      return false;
    }
    this.#start(app);
    const {toast} = app.screen;
    if (toast !== undefined && toast.id === this.#refusalToast)
      app.toast({text: toast.text, hint: ignoredTextSuffix}, 'warning');
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
