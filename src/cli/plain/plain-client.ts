import {openComposer} from '#app/composer/open-composer.ts';
import type {App} from '#app/core/app.ts';
import {setListCursor} from '#app/lists/move-in-list.ts';
import {selectRow} from '#app/message-pane/selection.ts';
import {openNarrow} from '#app/navigation/navigation.ts';
import {openRow} from '#app/navigation/open-row.ts';
import {acceptPickerRow, changePickerField} from '#app/overlays/picker.ts';
import {focusedTextInput} from '#app/text-input.ts';
import {parseStartDestination} from '#cli/screen/start-destination.ts';
import type {KeyRouter} from '#commands/key-router.ts';
import {conversationOfNarrow} from '#state/model/narrow.ts';
import {ownValue} from '#std/own-value.ts';
import {keyOf, parseKeyName} from '#terminal/input/key.ts';
import type {FormState} from '#ui/core/form.ts';
import {openedForm} from '#ui/forms/form-view.ts';
import {inboxList} from '#ui/inbox/inbox-list.ts';
import {mainList} from '#ui/list-table.ts';
import {openedPicker} from '#ui/overlays/picker-rows.ts';
import {emptyLine, insert} from '#ui/text/text-field.ts';
import {commandIdForKeys, commandIdForWord, findCommands, plainHelpLines, screenOnlyReason} from './plain-commands.ts';
import {answerForm, type LineDialog, writeAndSend} from './plain-form.ts';
import {ViewPrinter} from './view-printer.ts';

/** Runs the app line by line: commands by name, menus by number, and changes are printed. */
export class PlainClient {
  readonly #app: App;
  readonly #router: KeyRouter;
  readonly #dialog: LineDialog;
  readonly #printer: ViewPrinter;
  #isBusy = false;
  #hasQuit = false;
  /** Whether something was printed in response to the last line. */
  #hasPrinted = false;

  constructor(app: App, router: KeyRouter, {print, ask}: LineDialog) {
    this.#app = app;
    this.#router = router;
    const noted = (text: string) => {
      this.#hasPrinted = true;
      print(text);
    };
    this.#dialog = {print: noted, ask};
    this.#printer = new ViewPrinter(app, noted);
    app.afterPaint(() => this.#printBackgroundChanges());
  }

  /** Reads and runs lines until the user quits or the input ends. */
  async run(isTriage: boolean): Promise<void> {
    await this.#whileBusy(async () => {
      await (isTriage ? this.#printer.printItem() : this.#printer.view());
      const {numberedList} = this.#printer;
      const mentionsHelp = !isTriage && numberedList.kind === 'items' && numberedList.items.length > 0;
      if (!mentionsHelp) this.#dialog.print('Type “help” for a list of commands.');
    });
    while (!this.#hasQuit) {
      const line = await this.#dialog.ask('> ');
      if (line === undefined) return;
      await this.#whileBusy(() => this.#runLine(line.trim()));
    }
  }

  leave(): void {
    this.#hasQuit = true;
  }

  async #runLine(line: string): Promise<void> {
    if (line === '') return;
    if (this.#app.screen.overlays.length > 0) return this.#answer(line);
    if (/^\d{1,4}$/.test(line)) return this.#pick(Number(line));
    const [name = '', ...rest] = line.split(' ');
    const text = rest.join(' ').trim();
    const word = ownValue(this.#words, name.toLowerCase());
    await (word === undefined ? this.#runNamed(name, text, line) : word(text));
  }

  /** The words that are no commands of the screen, with the text after them. */
  readonly #words: Readonly<Record<string, (text: string) => Promise<void> | void>> = {
    quit: () => this.leave(),
    q: () => this.leave(),
    exit: () => this.leave(),
    help: () => this.#printHelp(),
    '?': () => this.#printHelp(),
    inbox: () => this.#openInbox('1'),
    muted: () => this.#openInbox('6'),
    again: () => this.#printer.view(),
    more: () => this.#printPage('more'),
    older: () => this.#printPage('older'),
    spoilers: (text) => this.#printSpoilers(Number(text)),
    open: (text) => (/^\d+$/.test(text) ? this.#pick(Number(text)) : this.#openDestination(text)),
    search: (text) => this.#openDestination(`search:"${text.replaceAll('"', ' ')}"`),
    write: (text) => this.#write(text),
  };

  #printHelp(): void {
    for (const each of plainHelpLines()) this.#dialog.print(each);
  }

  /** Opens the inbox with all unread conversations, or with the muted ones, by the keys of the screen for it. */
  async #openInbox(split: '1' | '6'): Promise<void> {
    const app = this.#app;
    if (app.screen.view.kind !== 'inbox') this.#router.run(app, 'view.inbox');
    this.#router.run(app, 'split', {kind: 'key', key: keyOf(split)});
    await this.#printer.view();
  }

  async #runNamed(name: string, text: string, line: string): Promise<void> {
    const {keymap, commands} = this.#router;
    const id = commandIdForKeys(this.#app, keymap, line) ?? commandIdForWord(this.#app, name.toLowerCase());
    if (id !== undefined) return this.#runCommand(id, text);
    const matches = findCommands(commands, line);
    const [only] = matches;
    if (only === undefined) this.#dialog.print(`There is no command “${line}”. Type “help” for a list.`);
    else if (only.id === line) await this.#runCommand(only.id, '');
    else {
      this.#printer.numberedList = {kind: 'commands', commands: matches};
      this.#dialog.print('Which one? Type its number:');
      this.#printer.printNumbered(matches.map(({title}) => title));
    }
  }

  /** Runs a command. Text after its name goes into the composer, or filters the menu that opens. */
  async #runCommand(id: string, text: string): Promise<void> {
    const app = this.#app;
    const command = this.#router.commands.get(id);
    const reason = command && screenOnlyReason(command);
    if (reason !== undefined) return this.#dialog.print(reason);
    const isUnread = mainList(app.screen.view) !== undefined && this.#printer.reader === undefined;
    if (isUnread && id === 'unread.next.topic') return this.#printer.printItem();
    if (isUnread && command?.isAboutRow === true) {
      return this.#dialog.print('Choose a conversation by its number first.');
    }
    await this.#change(() => {
      this.#router.run(app, id);
      if (text === '' || openedPicker(app) === undefined) return;
      changePickerField(app, (field) => insert(field, text));
      acceptPickerRow(app, 'enter');
    }, text);
    if (!this.#hasPrinted) this.#dialog.print('Nothing changed.');
  }

  /** Runs an action, lets the user write if it opens the composer, and prints what changed. */
  async #change(action: () => void, text = ''): Promise<void> {
    const before = this.#printer.viewSnapshot();
    action();
    if (focusedTextInput(this.#app) === 'composer') await writeAndSend(this.#app, text, this.#dialog);
    await this.#printer.printChanges(before);
  }

  /** Handles a line while a menu is open: a number picks a row, a key with a number is for that row, text filters, `back` closes it. */
  async #answer(line: string): Promise<void> {
    const app = this.#app;
    const form = isCloseWord(line) ? undefined : openedForm(app);
    if (form !== undefined) return this.#answerInForm(form, line);
    const open = openedPicker(app);
    if (open === undefined || isCloseWord(line)) return this.#change(() => app.closeOverlay());
    const {picker} = open;
    const [, keyName = '', nth] = /^(?:((?:Delete|Ctrl-\S*|Alt-\S*)) )?(\d+)$/.exec(line) ?? [];
    const key = parseKeyName(keyName);
    if (nth !== undefined && (keyName === '' || key !== undefined)) {
      const row = this.#printer.pickerChoices()[Number(nth) - 1];
      if (row === undefined) this.#printUnknownNumber();
      else if (key !== undefined) await this.#change(() => void picker.onKey?.(app, key, row));
      else if (row.disabled !== undefined) this.#dialog.print(row.disabled);
      else await this.#change(() => picker.accept(app, row, 'enter'));
    } else if (picker.isMenu === true) this.#dialog.print('Type a number, or “back”.');
    else {
      changePickerField(app, () => insert(emptyLine, line));
      this.#printer.printOverlay();
    }
  }

  /** Handles a line while a form is open: a number with a value changes a field. */
  async #answerInForm(form: FormState, line: string): Promise<void> {
    const before = this.#printer.viewSnapshot();
    const text = await answerForm(this.#app, form, line);
    if (text === undefined) await this.#printer.printChanges(before);
    else this.#dialog.print(text);
  }

  /** Opens the entry of the last list with this number, or selects the message with it. */
  async #pick(number: number): Promise<void> {
    const app = this.#app;
    const {numberedList: list, reader} = this.#printer;
    const at = number - 1;
    const item = list.kind === 'items' ? list.items[at] : undefined;
    const row = list.kind === 'rows' ? list.rows[at] : undefined;
    const command = list.kind === 'commands' ? list.commands[at] : undefined;
    const message = list.kind === 'none' ? reader?.messageAt(number) : undefined;
    const source = mainList(app.screen.view);
    if (item !== undefined) {
      setListCursor(app, inboxList, item.key);
      await this.#printer.printItem();
    } else if (row !== undefined && source !== undefined) await this.#change(() => openRow(app, source, row));
    else if (command !== undefined) await this.#runCommand(command.id, '');
    else if (message !== undefined) {
      selectRow(app, message.id);
      this.#dialog.print(`Selected message ${number}.`);
    } else this.#printUnknownNumber();
  }

  #printUnknownNumber(): void {
    this.#dialog.print('No entry has this number.');
  }

  async #openDestination(text: string): Promise<void> {
    const destination = parseStartDestination(this.#app.state, text);
    if ('problem' in destination) return this.#dialog.print(destination.problem);
    const {narrow, query} = destination;
    await this.#change(() => openNarrow(this.#app, narrow, query === undefined ? {} : {query}));
  }

  /** Opens the composer: `write #channel>topic` or `write @name`. */
  async #write(text: string): Promise<void> {
    const destination = parseStartDestination(this.#app.state, text);
    if ('problem' in destination) return this.#dialog.print(destination.problem);
    const target = conversationOfNarrow(destination.narrow);
    if (target !== undefined) await this.#change(() => openComposer(this.#app, {target}));
    else this.#dialog.print('Name the recipient: #channel>topic or @name.');
  }

  async #printPage(direction: 'more' | 'older'): Promise<void> {
    const {reader} = this.#printer;
    if (reader === undefined) this.#dialog.print('Open a conversation first.');
    else await reader[direction]();
  }

  #printSpoilers(number: number): void {
    const isPrinted = this.#printer.reader?.printWithSpoilers(number) === true;
    if (!isPrinted) this.#dialog.print('Name a message by its number: spoilers 3.');
  }

  async #whileBusy(task: () => Promise<void>): Promise<void> {
    this.#isBusy = true;
    this.#hasPrinted = false;
    try {
      await task();
    } finally {
      this.#isBusy = false;
      // Counts the printed lines as a painted frame, which commands refer to, and prints what arrived meanwhile.
      this.#app.frames.paintNow();
      this.#printBackgroundChanges();
    }
  }

  /** Prints what happened without a command: connection changes, notices and new messages. */
  #printBackgroundChanges(): void {
    if (this.#isBusy || this.#hasQuit) return;
    this.#printer.printConnection();
    this.#printer.printToast();
    this.#printer.reader?.printNewMessages();
  }
}

function isCloseWord(line: string): boolean {
  return ['back', 'quit', 'q', 'exit'].includes(line.toLowerCase());
}
