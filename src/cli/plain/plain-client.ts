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
import {keyOf, parseKeyName} from '#terminal/input/key.ts';
import type {FormState} from '#ui/core/form.ts';
import {openedForm} from '#ui/forms/form-view.ts';
import {inboxList} from '#ui/inbox/triage-rows.ts';
import {mainList} from '#ui/list-table.ts';
import {openedPicker} from '#ui/overlays/picker-rows.ts';
import {emptyLine, insert} from '#ui/text/text-field.ts';
import {commandIdForKeys, commandIdForWord, findCommands, plainHelpLines, screenOnlyReason} from './plain-commands.ts';
import {answerForm, type LineDialog, writeAndSend} from './plain-form.ts';
import {ViewPrinter} from './view-printer.ts';

/** Runs the app line by line: commands by name, menus by number, and changes are printed. */
export function plainClient(app: App, router: KeyRouter, lines: LineDialog) {
  let isBusy = false;
  let hasQuit = false;
  /** Whether something was printed in response to the last line. */
  let hasPrinted = false;
  const print = (text: string) => {
    hasPrinted = true;
    lines.print(text);
  };

  const dialog: LineDialog = {...lines, print};
  const printer = new ViewPrinter(app, print);
  /** Reads and runs lines until the user quits or the input ends. */
  const run = async (isTriage: boolean) => {
    await whileBusy(async () => {
      await (isTriage ? printer.printItem() : printer.view());
      const {numberedList} = printer;
      const mentionsHelp = !isTriage && numberedList.kind === 'items' && numberedList.items.length > 0;
      if (!mentionsHelp) print('Type “help” for a list of commands.');
    });
    while (!hasQuit) {
      const line = await dialog.ask('> ');
      if (line === undefined) return;
      await whileBusy(() => runLine(line.trim()));
    }
  };

  const leave = () => {
    hasQuit = true;
  };

  const runLine = async (line: string) => {
    if (line === '') return;
    if (app.screen.overlays.length > 0) return answer(line);
    if (/^\d{1,4}$/.test(line)) return pick(Number(line));
    const [name = '', ...rest] = line.split(' ');
    const text = rest.join(' ').trim();
    switch (name.toLowerCase()) {
      case 'quit':
      case 'q':
      case 'exit':
        leave();
        return;
      case 'help':
      case '?':
        for (const each of plainHelpLines()) print(each);
        return;
      case 'inbox':
        return inbox('1');
      case 'muted':
        return inbox('6');
      case 'again':
        return printer.view();
      case 'more':
        return printPage('more');
      case 'older':
        return printPage('older');
      case 'open':
        return /^\d+$/.test(text) ? pick(Number(text)) : openDestination(text);
      case 'search':
        return openDestination(`search:"${text.replaceAll('"', ' ')}"`);
      case 'write':
        return write(text);
      default:
        return runNamed(name, text, line);
    }
  };

  /** Opens the inbox with all unread conversations, or with the muted ones, by the keys of the screen for it. */
  const inbox = async (split: '1' | '6') => {
    const {overlays, view} = app.screen;
    if (overlays.length === 0 && view.kind !== 'inbox') router.run(app, 'view.inbox');
    router.run(app, 'split', {kind: 'key', key: keyOf(split)});
    await printer.view();
  };

  const runNamed = async (name: string, text: string, line: string) => {
    const list = commandIdForKeys(app, router.keymap, line) ?? commandIdForWord(app, name.toLowerCase());
    if (list !== undefined) return runCommand(list, text);
    const matches = findCommands(router.commands, line);
    const [only] = matches;
    if (only === undefined) print(`There is no command “${line}”. Type “help” for a list.`);
    else if (only.id === line) await runCommand(only.id, '');
    else {
      printer.numberedList = {kind: 'commands', commands: matches};
      print('Which one? Type its number:');
      printer.printNumbered(matches.map(({title}) => title));
    }
  };

  /** Runs a command. Text after its name goes into the composer, or filters the menu that opens. */
  const runCommand = async (id: string, text: string) => {
    const command = router.commands.get(id);
    const reason = command && screenOnlyReason(command);
    if (reason !== undefined) {
      print(reason);
      return;
    }
    const isUnread = mainList(app.screen.view) !== undefined && printer.reader === undefined;
    if (isUnread && id === 'unread.next.topic') return printer.printItem();
    if (isUnread && command?.isAboutRow === true) {
      print('Choose a conversation by its number first.');
      return;
    }
    await change(() => {
      router.run(app, id);
      if (text === '' || openedPicker(app) === undefined) return;
      changePickerField(app, (field) => insert(field, text));
      acceptPickerRow(app, 'enter');
    }, text);
    if (!hasPrinted) print('Nothing changed.');
  };

  /** Runs an action, lets the user write if it opens the composer, and prints what changed. */
  const change = async (action: () => void, text = '') => {
    const before = printer.viewSnapshot();
    action();
    if (focusedTextInput(app) === 'composer') await writeAndSend(app, text, dialog);
    await printer.printChanges(before);
  };

  /** Handles a line while a menu is open: a number picks a row, a key with a number is for that row, text filters, `back` closes it. */
  const answer = async (line: string) => {
    const form = isCloseWord(line) ? undefined : openedForm(app);
    if (form !== undefined) return answerInForm(form, line);
    const open = openedPicker(app);
    if (open === undefined || isCloseWord(line)) {
      return change(() => app.closeOverlay());
    }
    const [, keyName = '', nth] = /^(\S+) (\d+)$/.exec(line) ?? [];
    const key = parseKeyName(keyName);
    if (key !== undefined && nth !== undefined && /^(?:Delete$|Ctrl-|Alt-)/.test(keyName)) {
      const row = printer.pickerChoices()[Number(nth) - 1];
      if (row === undefined) printUnknownNumber();
      else await change(() => void open.picker.onKey?.(app, key, row));
    } else if (/^\d+$/.test(line)) {
      const row = printer.pickerChoices()[Number(line) - 1];
      if (row === undefined) printUnknownNumber();
      else if (row.disabled !== undefined) print(row.disabled);
      else await change(() => open.picker.accept(app, row, 'enter'));
    } else if (open.picker.isMenu === true) print('Type a number, or “back”.');
    else {
      changePickerField(app, () => insert(emptyLine, line));
      printer.printOverlay();
    }
  };

  /** Handles a line while a form is open: a number with a value changes a field. */
  const answerInForm = async (form: FormState, line: string) => {
    const before = printer.viewSnapshot();
    const text = await answerForm(app, form, line);
    if (text === undefined) await printer.printChanges(before);
    else print(text);
  };

  const pick = async (number: number) => {
    const {numberedList} = printer;
    const at = number - 1;
    const [item, row, command, message] = [
      numberedList.kind === 'items' ? numberedList.items[at] : undefined,
      numberedList.kind === 'rows' ? numberedList.rows[at] : undefined,
      numberedList.kind === 'commands' ? numberedList.commands[at] : undefined,
      numberedList.kind === 'none' ? printer.reader?.messageAt(number) : undefined,
    ];
    const list = mainList(app.screen.view);
    if (item !== undefined) {
      setListCursor(app, inboxList, item.key);
      await printer.printItem();
    } else if (row !== undefined && list !== undefined) {
      await change(() => openRow(app, list, row));
    } else if (command !== undefined) await runCommand(command.id, '');
    else if (message !== undefined) {
      selectRow(app, message.id);
      print(`Selected message ${number}.`);
    } else printUnknownNumber();
  };

  const printUnknownNumber = () => {
    print('No entry has this number.');
  };

  const openDestination = async (text: string) => {
    const destination = parseStartDestination(app.state, text);
    if ('problem' in destination) print(destination.problem);
    else {
      const {narrow, query} = destination;
      await change(() => openNarrow(app, narrow, query === undefined ? {} : {query}));
    }
  };

  /** Opens the composer: `write #channel>topic` or `write @name`. */
  const write = async (text: string) => {
    const destination = parseStartDestination(app.state, text);
    const target = 'problem' in destination ? undefined : conversationOfNarrow(destination.narrow);
    if (target !== undefined) await change(() => openComposer(app, {target}));
    else print('problem' in destination ? destination.problem : 'Name the recipient: #channel>topic or @name.');
  };

  const printPage = async (direction: 'more' | 'older') => {
    if (printer.reader === undefined) print('Open a conversation first.');
    else await printer.reader[direction]();
  };

  const whileBusy = async (task: () => Promise<void>) => {
    isBusy = true;
    hasPrinted = false;
    try {
      await task();
    } finally {
      isBusy = false;
      // Counts the printed lines as a painted frame, which commands refer to, and prints what arrived meanwhile.
      app.frames.paintNow();
      printBackgroundChanges();
    }
  };

  /** Prints what happened without a command: connection changes, notices and new messages. */
  const printBackgroundChanges = () => {
    if (isBusy || hasQuit) return;
    printer.printConnection();
    printer.printToast();
    printer.reader?.printNewMessages();
  };
  app.afterPaint(printBackgroundChanges);
  return {run, leave};
}

function isCloseWord(line: string): boolean {
  return ['back', 'quit', 'q', 'exit'].includes(line.toLowerCase());
}
