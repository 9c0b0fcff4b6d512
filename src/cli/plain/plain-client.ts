import {openComposer} from '#app/compose/open-composer.ts';
import type {App} from '#app/core/app.ts';
import {mainList} from '#app/lists/focused-list.ts';
import {setListCursor} from '#app/lists/move-in-list.ts';
import {openRow} from '#app/lists/open-row.ts';
import {openNarrow} from '#app/navigation/navigation.ts';
import {acceptPickerRow, changePickerField, openedPicker} from '#app/overlays/picker.ts';
import {emptyLine, insert} from '#app/text/text-field.ts';
import {focusedTextInput} from '#app/text-input.ts';
import {selectRow} from '#app/timeline/selection.ts';
import {parseStartDestination} from '#cli/screen/start-destination.ts';
import type {KeyRouter} from '#commands/key-router.ts';
import {conversationOfNarrow} from '#state/model/narrow.ts';
import {keyOf} from '#terminal/input/key.ts';
import {commandIdForKeys, commandIdForWord, findCommands, plainHelpLines} from './plain-commands.ts';
import {ViewPrinter} from './view-printer.ts';
import {type LineDialog, writeAndSend} from './write-and-send.ts';

/** The app, line by line: commands by name, menus by number, and whatever changes is said. */
export class PlainClient {
  readonly #app: App;
  readonly #router: KeyRouter;
  readonly #talk: LineDialog;
  readonly #telling: ViewPrinter;
  #isBusy = false;
  #isLeft = false;
  /** Something was printed in answer to the last line. */
  #hasSpoken = false;

  constructor(app: App, router: KeyRouter, talk: LineDialog) {
    this.#app = app;
    this.#router = router;
    const print = (text: string) => {
      this.#hasSpoken = true;
      talk.print(text);
    };
    this.#talk = {...talk, print};
    this.#telling = new ViewPrinter(app, print);
    app.onEnd(app.frames.subscribe(() => this.#overhear()));
  }

  /** Until somebody leaves, or the lines end. */
  async run(isTriage: boolean): Promise<void> {
    await this.#busy(async () => {
      await (isTriage ? this.#telling.printItem() : this.#telling.view());
      const {numberedList: listed} = this.#telling;
      const saysHelp = !isTriage && listed.kind === 'items' && listed.items.length > 0;
      if (!saysHelp) this.#talk.print('“help” says what can be done.');
    });
    while (!this.#isLeft) {
      const line = await this.#talk.ask('> ');
      if (line === undefined) return;
      await this.#busy(() => this.#take(line.trim()));
    }
  }

  leave(): void {
    this.#isLeft = true;
  }

  async #take(line: string): Promise<void> {
    if (line === '') return;
    if (this.#app.screen.overlays.length > 0) return this.#answer(line);
    if (/^\d{1,4}$/.test(line)) return this.#pick(Number(line));
    const [name = '', ...rest] = line.split(' ');
    const text = rest.join(' ').trim();
    switch (name.toLowerCase()) {
      case 'quit':
      case 'q':
      case 'exit':
        this.leave();
        return;
      case 'help':
      case '?':
        for (const each of plainHelpLines()) this.#talk.print(each);
        return;
      case 'inbox':
        return this.#inbox('1');
      case 'muted':
        return this.#inbox('6');
      case 'again':
        return this.#telling.view();
      case 'more':
        return this.#readOn('more');
      case 'older':
        return this.#readOn('older');
      case 'open':
        return /^\d+$/.test(text) ? this.#pick(Number(text)) : this.#go(text);
      case 'search':
        return this.#go(`search:"${text.replaceAll('"', ' ')}"`);
      case 'write':
        return this.#write(text);
      default:
        return this.#named(name, text, line);
    }
  }

  /** All of it, or what is muted: by the keys that split it. */
  async #inbox(split: '1' | '6'): Promise<void> {
    const {overlays, view} = this.#app.screen;
    if (overlays.length === 0 && view.kind !== 'inbox') this.#router.run(this.#app, 'view.inbox');
    this.#router.run(this.#app, 'split', {kind: 'key', key: keyOf(split)});
    await this.#telling.view();
  }

  async #named(name: string, text: string, line: string): Promise<void> {
    const id =
      commandIdForKeys(this.#app, this.#router.keymap, line) ??
      commandIdForWord(this.#app, name.toLowerCase());
    if (id !== undefined) return this.#run(id, text);
    const found = findCommands(this.#router.commands, line);
    const [only] = found;
    if (only === undefined) this.#talk.print(`There is no command “${line}”. “help” lists them.`);
    else if (only.id === line) await this.#run(only.id, '');
    else {
      this.#telling.numberedList = {kind: 'commands', commands: found};
      this.#talk.print('Which one? Answer with its number:');
      this.#telling.printNumbered(found.map(({title}) => title));
    }
  }

  /** Text behind the name is what one writes, or chooses by. */
  async #run(id: string, text: string): Promise<void> {
    const isUnread = mainList(this.#app.screen.view) !== undefined && this.#telling.reader === undefined;
    if (isUnread && id === 'unread.next.topic') return this.#telling.printItem();
    if (isUnread && this.#router.commands.get(id)?.isAboutRow === true) {
      this.#talk.print('Which one? Choose it by its number first.');
      return;
    }
    await this.#change(() => {
      this.#router.run(this.#app, id);
      if (text === '' || openedPicker(this.#app) === undefined) return;
      changePickerField(this.#app, (field) => insert(field, text));
      acceptPickerRow(this.#app, 'enter');
    }, text);
    if (!this.#hasSpoken) this.#talk.print('Nothing else is there.');
  }

  /** Does something, lets write if that is what it comes to, and says what is another then. */
  async #change(doIt: () => void, text = ''): Promise<void> {
    const before = this.#telling.viewSnapshot();
    doIt();
    if (focusedTextInput(this.#app) === 'composer') await writeAndSend(this.#app, text, this.#talk);
    await this.#telling.printChanges(before);
  }

  /** A menu is open: a number takes from it, text finds in it, `back` puts it away. */
  async #answer(line: string): Promise<void> {
    const open = openedPicker(this.#app);
    if (open === undefined || isWayOut(line)) {
      return this.#change(() => this.#app.closeOverlay());
    }
    if (/^\d+$/.test(line)) {
      const row = this.#telling.pickerChoices()[Number(line) - 1];
      if (row === undefined) this.#noNumber();
      else if (row.disabled !== undefined) this.#talk.print(row.disabled);
      else await this.#change(() => open.picker.accept(this.#app, row, 'enter'));
    } else if (open.picker.isMenu === true) this.#talk.print('Answer with a number, or “back”.');
    else {
      changePickerField(this.#app, () => insert(emptyLine, line));
      this.#telling.printOverlay();
    }
  }

  async #pick(number: number): Promise<void> {
    const {numberedList: listed} = this.#telling;
    const at = number - 1;
    const [item, row, command, message] = [
      listed.kind === 'items' ? listed.items[at] : undefined,
      listed.kind === 'rows' ? listed.rows[at] : undefined,
      listed.kind === 'commands' ? listed.commands[at] : undefined,
      listed.kind === 'none' ? this.#telling.reader?.messageAt(number) : undefined,
    ];
    const id = mainList(this.#app.screen.view);
    if (item !== undefined) {
      setListCursor(this.#app, 'inbox', item.key);
      await this.#telling.printItem();
    } else if (row !== undefined && id !== undefined) {
      await this.#change(() => openRow(this.#app, id, row));
    } else if (command !== undefined) await this.#run(command.id, '');
    else if (message !== undefined) {
      selectRow(this.#app, message.id);
      this.#talk.print(`Message ${number} is chosen.`);
    } else this.#noNumber();
  }

  #noNumber(): void {
    this.#talk.print('There is no such number here.');
  }

  async #go(text: string): Promise<void> {
    const found = parseStartDestination(this.#app.state, text);
    if ('problem' in found) this.#talk.print(found.problem);
    else {
      const {narrow, query} = found;
      await this.#change(() => openNarrow(this.#app, narrow, query === undefined ? {} : {query}));
    }
  }

  /** `write #channel>topic` or `write @name`. */
  async #write(where: string): Promise<void> {
    const found = parseStartDestination(this.#app.state, where);
    const target = 'problem' in found ? undefined : conversationOfNarrow(found.narrow);
    if (target !== undefined) await this.#change(() => openComposer(this.#app, {target}));
    else this.#talk.print('problem' in found ? found.problem : 'Say where to: #channel>topic or @name.');
  }

  async #readOn(what: 'more' | 'older'): Promise<void> {
    if (this.#telling.reader === undefined) this.#talk.print('Open a conversation first.');
    else await this.#telling.reader[what]();
  }

  async #busy(task: () => Promise<void>): Promise<void> {
    this.#isBusy = true;
    this.#hasSpoken = false;
    try {
      await task();
    } finally {
      this.#isBusy = false;
      // What was said is what was seen, and verbs go by it: what came meanwhile is said, too.
      this.#app.frames.paintNow();
      this.#overhear();
    }
  }

  /** What happens while nobody asked. */
  #overhear(): void {
    if (this.#isBusy || this.#isLeft) return;
    this.#telling.printConnection();
    this.#telling.printToast();
    this.#telling.reader?.printNewMessages();
  }
}

function isWayOut(line: string): boolean {
  return ['back', 'quit', 'q', 'exit'].includes(line.toLowerCase());
}
