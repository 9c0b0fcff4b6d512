import {parseStartDestination} from '#cli/screen/start-destination.ts';
import type {Command, KeyContext} from '#commands/command.ts';
import type {KeyRouter} from '#commands/key-router.ts';
import {activeContexts, type Keymap, resolveKeys} from '#commands/keymap.ts';
import {conversationOfNarrow} from '#state/model/narrow.ts';
import {findNamed} from '#std/name-match.ts';
import {keyOf, parseKeyName} from '#terminal/input/key.ts';
import {openComposer} from '#ui/composer/open-composer.ts';
import type {App} from '#ui/core/app.ts';
import type {FormState} from '#ui/core/form.ts';
import {openedForm} from '#ui/forms/form-view.ts';
import {mainList} from '#ui/lists/list-source.ts';
import {openRow, setListCursor} from '#ui/lists/move-in-list.ts';
import {selectRow} from '#ui/message-pane/selection.ts';
import {openNarrow} from '#ui/navigation/navigation.ts';
import {acceptPickerRow, changePickerField, openedPicker} from '#ui/overlays/picker.ts';
import {emptyLine, insert} from '#ui/text/text-field.ts';
import {focusedTextInput} from '#ui/text-input.ts';
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

  constructor(app: App, router: KeyRouter, dialog: LineDialog) {
    this.#app = app;
    this.#router = router;
    const print = (text: string) => {
      this.#hasPrinted = true;
      dialog.print(text);
    };
    this.#dialog = {...dialog, print};
    this.#printer = new ViewPrinter(app, print);
    app.onEnd(app.frames.subscribe(() => this.#printBackgroundChanges()));
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
    switch (name.toLowerCase()) {
      case 'quit':
      case 'q':
      case 'exit':
        this.leave();
        return;
      case 'help':
      case '?':
        for (const each of plainHelpLines()) this.#dialog.print(each);
        return;
      case 'inbox':
        return this.#inbox('1');
      case 'muted':
        return this.#inbox('6');
      case 'again':
        return this.#printer.view();
      case 'more':
        return this.#printPage('more');
      case 'older':
        return this.#printPage('older');
      case 'open':
        return /^\d+$/.test(text) ? this.#pick(Number(text)) : this.#openDestination(text);
      case 'search':
        return this.#openDestination(`search:"${text.replaceAll('"', ' ')}"`);
      case 'write':
        return this.#write(text);
      default:
        return this.#runNamed(name, text, line);
    }
  }

  /** Opens the inbox with all unread conversations, or with the muted ones, by the keys of the screen for it. */
  async #inbox(split: '1' | '6'): Promise<void> {
    const {overlays, view} = this.#app.screen;
    if (overlays.length === 0 && view.kind !== 'inbox') this.#router.run(this.#app, 'view.inbox');
    this.#router.run(this.#app, 'split', {kind: 'key', key: keyOf(split)});
    await this.#printer.view();
  }

  async #runNamed(name: string, text: string, line: string): Promise<void> {
    const id =
      commandIdForKeys(this.#app, this.#router.keymap, line) ?? commandIdForWord(this.#app, name.toLowerCase());
    if (id !== undefined) return this.#run(id, text);
    const matches = findCommands(this.#router.commands, line);
    const [only] = matches;
    if (only === undefined) this.#dialog.print(`There is no command “${line}”. Type “help” for a list.`);
    else if (only.id === line) await this.#run(only.id, '');
    else {
      this.#printer.numberedList = {kind: 'commands', commands: matches};
      this.#dialog.print('Which one? Type its number:');
      this.#printer.printNumbered(matches.map(({title}) => title));
    }
  }

  /** Runs a command. Text after its name goes into the composer, or filters the menu that opens. */
  async #run(id: string, text: string): Promise<void> {
    const command = this.#router.commands.get(id);
    const reason = command && screenOnlyReason(command);
    if (reason !== undefined) {
      this.#dialog.print(reason);
      return;
    }
    const isUnread = mainList(this.#app.screen.view) !== undefined && this.#printer.reader === undefined;
    if (isUnread && id === 'unread.next.topic') return this.#printer.printItem();
    if (isUnread && command?.isAboutRow === true) {
      this.#dialog.print('Choose a conversation by its number first.');
      return;
    }
    await this.#change(() => {
      this.#router.run(this.#app, id);
      if (text === '' || openedPicker(this.#app) === undefined) return;
      changePickerField(this.#app, (field) => insert(field, text));
      acceptPickerRow(this.#app, 'enter');
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
    const form = isCloseWord(line) ? undefined : openedForm(this.#app);
    if (form !== undefined) return this.#answerForm(form, line);
    const open = openedPicker(this.#app);
    if (open === undefined || isCloseWord(line)) {
      return this.#change(() => this.#app.closeOverlay());
    }
    const [, keyName = '', nth] = /^(\S+) (\d+)$/.exec(line) ?? [];
    const key = parseKeyName(keyName);
    if (key !== undefined && nth !== undefined && /^(?:Delete$|Ctrl-|Alt-)/.test(keyName)) {
      const row = this.#printer.pickerChoices()[Number(nth) - 1];
      if (row === undefined) this.#printUnknownNumber();
      else await this.#change(() => void open.picker.onKey?.(this.#app, key, row));
    } else if (/^\d+$/.test(line)) {
      const row = this.#printer.pickerChoices()[Number(line) - 1];
      if (row === undefined) this.#printUnknownNumber();
      else if (row.disabled !== undefined) this.#dialog.print(row.disabled);
      else await this.#change(() => open.picker.accept(this.#app, row, 'enter'));
    } else if (open.picker.isMenu === true) this.#dialog.print('Type a number, or “back”.');
    else {
      changePickerField(this.#app, () => insert(emptyLine, line));
      this.#printer.printOverlay();
    }
  }

  /** Handles a line while a form is open: a number with a value changes a field. */
  async #answerForm(form: FormState, line: string): Promise<void> {
    const before = this.#printer.viewSnapshot();
    const text = await answerForm(this.#app, form, line);
    if (text === undefined) await this.#printer.printChanges(before);
    else this.#dialog.print(text);
  }

  async #pick(number: number): Promise<void> {
    const {numberedList} = this.#printer;
    const at = number - 1;
    const [item, row, command, message] = [
      numberedList.kind === 'items' ? numberedList.items[at] : undefined,
      numberedList.kind === 'rows' ? numberedList.rows[at] : undefined,
      numberedList.kind === 'commands' ? numberedList.commands[at] : undefined,
      numberedList.kind === 'none' ? this.#printer.reader?.messageAt(number) : undefined,
    ];
    const id = mainList(this.#app.screen.view);
    if (item !== undefined) {
      setListCursor(this.#app, 'inbox', item.key);
      await this.#printer.printItem();
    } else if (row !== undefined && id !== undefined) {
      await this.#change(() => openRow(this.#app, id, row));
    } else if (command !== undefined) await this.#run(command.id, '');
    else if (message !== undefined) {
      selectRow(this.#app, message.id);
      this.#dialog.print(`Selected message ${number}.`);
    } else this.#printUnknownNumber();
  }

  #printUnknownNumber(): void {
    this.#dialog.print('No entry has this number.');
  }

  async #openDestination(text: string): Promise<void> {
    const destination = parseStartDestination(this.#app.state, text);
    if ('problem' in destination) this.#dialog.print(destination.problem);
    else {
      const {narrow, query} = destination;
      await this.#change(() => openNarrow(this.#app, narrow, query === undefined ? {} : {query}));
    }
  }

  /** Opens the composer: `write #channel>topic` or `write @name`. */
  async #write(text: string): Promise<void> {
    const destination = parseStartDestination(this.#app.state, text);
    const target = 'problem' in destination ? undefined : conversationOfNarrow(destination.narrow);
    if (target !== undefined) await this.#change(() => openComposer(this.#app, {target}));
    else
      this.#dialog.print(
        'problem' in destination ? destination.problem : 'Name the recipient: #channel>topic or @name.',
      );
  }

  async #printPage(direction: 'more' | 'older'): Promise<void> {
    if (this.#printer.reader === undefined) this.#dialog.print('Open a conversation first.');
    else await this.#printer.reader[direction]();
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

/** The command ids by key context; the innermost active context wins, `global` is the fallback. */
type IdsByContext = Readonly<Partial<Record<KeyContext, string>>>;

/** The common commands, each by one word. All others can be run by their id or title. */
const plainCommands: readonly (readonly [name: string, ids: IdsByContext, help: string])[] = [
  ['next', {inbox: 'unread.next.topic', global: 'unread.next.smart'}, 'skip it (stays unread) and go to the next'],
  ['previous', {inbox: 'move.up', global: 'unread.prev.smart'}, 'go to the previous one'],
  ['done', {global: 'conv.done'}, 'mark it read and go to the next'],
  ['whole', {inbox: 'triage.done.group'}, 'mark its whole channel or group read'],
  ['undo', {global: 'undo'}, 'undo the last action'],
  ['redo', {global: 'redo'}, 'redo what was undone'],
  ['review', {global: 'triage.review'}, 'open the undo history'],
  [
    'reply',
    {inbox: 'triage.reply', global: 'reply'},
    'reply with “reply TEXT”, or without text to write several lines',
  ],
  ['later', {inbox: 'triage.snooze'}, 'snooze it'],
  ['mute', {global: 'topic.mute'}, 'mute the topic'],
  ['follow', {global: 'topic.follow'}, 'follow the topic'],
  ['thumb', {inbox: 'triage.thumb', global: 'react.thumb'}, 'add a thumbs-up reaction'],
  ['react', {inbox: 'triage.react', global: 'react.picker'}, 'add another reaction'],
  ['star', {inbox: 'triage.star', global: 'msg.star'}, 'star the message'],
  ['links', {inbox: 'triage.links', global: 'links.open'}, 'list the links in the messages'],
  ['recent', {global: 'view.recent'}, 'list recent conversations'],
  ['catchup', {global: 'view.catchup'}, 'list what mattered in the last week'],
  ['dms', {global: 'view.directs'}, 'list direct messages'],
  ['mentions', {global: 'view.mentions'}, 'list messages that mention you'],
  ['starred', {global: 'view.starred'}, 'list starred messages'],
  ['drafts', {global: 'view.drafts'}, 'list your drafts'],
  ['channels', {global: 'view.channels'}, 'list all channels'],
  ['people', {global: 'view.people'}, 'list people'],
  ['back', {global: 'history.back'}, 'go back to the previous view'],
  ['unread', {global: 'mark.unread'}, 'mark it unread again'],
];

/** Returns the command that a word means in the active context. */
function commandIdForWord(app: App, name: string): string | undefined {
  const [, ids] = plainCommands.find(([word]) => word === name) ?? [];
  if (ids === undefined) return undefined;
  const context = activeContexts(app.screen).find((each) => ids[each] !== undefined);
  return ids[context ?? 'global'];
}

/** Returns the command of a key, or of several keys with spaces between, as on the screen: `e`, `g r`. */
function commandIdForKeys({screen}: App, keymap: Keymap, line: string): string | undefined {
  if (!/^\S(?: \S)*$/u.test(line)) return undefined;
  const result = resolveKeys(keymap, activeContexts(screen), line.split(' '));
  return result.kind === 'command' ? result.id : undefined;
}

/** The commands that only the full screen has, with what to do here instead. */
export const screenCommands: readonly (readonly [ids: readonly string[], sentence: string])[] = [
  [
    ['pane.sidebar', 'pane.users', 'filter.sidebar', 'filter.users', 'filter.cycle', 'triage.fold'],
    'Only the full screen has panes. Type “channels” or “people” for the lists.',
  ],
  [['view.bare', 'mouse.toggle'], 'Only for the full screen: here is nothing but text.'],
  [['app.suspend'], 'Press Ctrl-Z to suspend Parley here.'],
  [['tour.toggle'], 'The tour is about the keys of the full screen. Type “help” for the commands.'],
];

/** The answer to commands that change the text of an open composer. */
const composerSentence =
  'Only while writing on the full screen. Here, write Markdown; “parley upload” sends files, “parley schedule” sends later.';

/** Returns why a command runs only on the full screen; undefined when it runs here. */
export function screenOnlyReason({id, contexts}: Command): string | undefined {
  if (contexts.every((context) => context === 'composer')) return composerSentence;
  return screenCommands.find(([ids]) => ids.includes(id))?.[1];
}

const maxMatches = 9;

/** Returns the command whose id it is, or else those whose names match it, the best first. */
export function findCommands(commands: ReadonlyMap<string, Command>, written: string): readonly Command[] {
  const exact = commands.get(written);
  if (exact !== undefined) return [exact];
  const offered = [...commands.values()].filter(({isKeyOnly}) => isKeyOnly !== true);
  return findNamed(offered, written)
    .slice(0, maxMatches)
    .map(({item}) => item);
}

const builtinCommands: readonly (readonly [name: string, help: string])[] = [
  ['inbox, muted', 'list unread conversations, or the muted ones'],
  ['NUMBER', 'open the entry with this number'],
  ['open WHERE', 'open #channel, #channel>topic, @name or a link'],
  ['write WHERE', 'write a message to #channel>topic or @name'],
  ['search WORDS', 'search messages'],
  ['more, older', 'print the next or the previous messages'],
  ['again', 'print the current view again'],
  ['quit, q', 'quit Parley'],
];

function plainHelpLines(): readonly string[] {
  return [
    ...plainCommands.map(([name, , help]) => `${name}: ${help}`),
    ...builtinCommands.map(([name, help]) => `${name}: ${help}`),
    'The keys of the full screen work too, one command per line: e, n, z, +, g r.',
    'Any other text searches all commands.',
  ];
}
