import type {App} from '#app/core/app.ts';
import type {Command} from '#commands/command.ts';
import {lineToText} from '#content/styled-text/ansi.ts';
import {conversationNarrow} from '#state/model/narrow.ts';
import {viewBanner} from '#ui/banner/banner-lines.ts';
import {type View, viewKey} from '#ui/core/frame.ts';
import {type PickerRow, readsOf} from '#ui/core/overlay.ts';
import {triageItemUnderCursor} from '#ui/inbox/inbox-preview.ts';
import type {TriageItem} from '#ui/inbox/triage-row.ts';
import {inboxContents} from '#ui/inbox/triage-rows.ts';
import {mainList} from '#ui/list-table.ts';
import type {ListRow} from '#ui/lists/list-source.ts';
import {visibleRowsOf} from '#ui/lists/visible-rows.ts';
import {cardTitle} from '#ui/overlays/card-content.ts';
import {emptyPickerText, openedPicker, pickerRows} from '#ui/overlays/picker-rows.ts';
import {savedViewTitle} from '#ui/search/sidebar-views.ts';
import {countedNoun} from '#wording/counted-noun.ts';
import {
  emptyInboxTexts,
  inboxItems,
  inboxItemText,
  listRowText,
  messageReader,
  pickerRowText,
  plainTitle,
  rowKeysText,
  toastText,
} from './message-reader.ts';
import {plainFormLines} from './plain-form.ts';

/** The entries that typed numbers refer to; with `none`, numbers refer to the printed messages. */
type NumberedList =
  | {readonly kind: 'items'; readonly items: readonly TriageItem[]}
  | {readonly kind: 'rows'; readonly rows: readonly ListRow[]}
  | {readonly kind: 'commands'; readonly commands: readonly Command[]}
  | {readonly kind: 'none'};

const maxListed = 40;

/** With more rows, their help is left out. */
const maxExplained = 3;

/** Prints what the app shows: numbered lists, conversations message by message, menus, and changes. */
export class ViewPrinter {
  numberedList: NumberedList = {kind: 'none'};
  reader: ReturnType<typeof messageReader> | undefined;
  readonly #app: App;
  readonly #print: (text: string) => void;
  #toast: number | undefined;
  #isOnline: boolean;

  constructor(app: App, print: (text: string) => void) {
    this.#app = app;
    this.#print = print;
    this.#isOnline = app.state.connection.phase === 'online';
    app.onEnd(app.session.pinMessages(() => this.reader?.numberedIds() ?? []));
  }

  /** Returns the state of the view before a command, to print what the command changed. */
  viewSnapshot() {
    const {screen, frame} = this.#app;
    const isInbox = screen.view.kind === 'inbox' || screen.view.kind === 'triage';
    return {
      viewKey: viewKey(screen.view),
      /** The conversation under the cursor of the inbox. */
      row: isInbox ? (triageItemUnderCursor(frame)?.key ?? '') : undefined,
    };
  }

  async printChanges(before: ReturnType<ViewPrinter['viewSnapshot']>): Promise<void> {
    this.#app.frames.paintNow();
    const now = this.viewSnapshot();
    this.printToast();
    if (this.#app.screen.overlays.length > 0) await this.#printLoadedOverlay();
    else if (now.viewKey !== before.viewKey) await this.view();
    else if (now.row !== before.row) await this.printItem();
  }

  async view(): Promise<void> {
    const {frame} = this.#app;
    const {view} = frame.screen;
    if (view.kind === 'messages') return this.#printMessages(view);
    this.reader = undefined;
    const list = mainList(view);
    if (list?.id === 'inbox') return this.#printInbox();
    if (list === undefined) return;
    const rows = visibleRowsOf(frame, list).rows.filter(({kind}) => kind === 'item');
    this.numberedList = {kind: 'rows', rows};
    this.#print(`${savedViewTitle(frame, view)}, ${rows.length === 1 ? 'one entry' : `${rows.length} entries`}:`);
    this.printNumbered(rows.map((row) => listRowText(frame, list, row)));
  }

  /** Prints the conversation under the inbox cursor, and its unread messages. */
  async printItem(): Promise<void> {
    const items = inboxItems(this.#app.frame);
    this.numberedList = {kind: 'items', items};
    const item = triageItemUnderCursor(this.#app.frame);
    if (item === undefined) {
      this.reader = undefined;
      if (items.length === 0) this.#printEmptyInbox();
      else this.#print('That was the last one. Type “inbox” to list the rest.');
      return;
    }
    const at = items.findIndex(({key}) => key === item.key);
    this.#print(`${at + 1} of ${items.length}: ${inboxItemText(item)}`);
    this.reader = messageReader(this.#app, conversationNarrow(item.conversation), this.#print);
    await this.reader.printFirstPage();
  }

  async #printLoadedOverlay(): Promise<void> {
    const top = this.#app.screen.overlays.at(-1);
    if (top !== undefined) await this.#app.session.queries.settled(readsOf(top));
    this.printOverlay();
  }

  /** Prints the open menu. An information card is printed and closed. */
  printOverlay(): void {
    const top = this.#app.screen.overlays.at(-1);
    if (top === undefined) return;
    const {frame} = this.#app;
    if (top.kind === 'card') {
      const lines = top.card.lines(frame, frame.screen.size.columns - 4);
      this.#print([`${cardTitle(frame, top.card)}:`, ...lines.map((line) => lineToText(line).trimEnd())].join('\n'));
      this.#app.closeOverlay();
      return;
    }
    if (top.kind === 'form') {
      this.#print(plainFormLines(this.#app, top).join('\n'));
      return;
    }
    const {picker, field} = top;
    const rows = this.pickerChoices();
    this.#print(`${plainTitle(picker.titleFor?.(field.text) ?? picker.title)}:`);
    this.printNumbered(rows.map(pickerRowText));
    if (rows.length <= maxExplained) for (const {help} of rows) if (help !== undefined) this.#print(plainTitle(help));
    if (rows.length === 0) this.#print(emptyPickerText(frame, picker));
    // A menu without rows has no possible answer, so it is closed.
    if (rows.length === 0 && picker.isMenu === true) {
      this.#app.closeOverlay();
      return;
    }
    const alternative = picker.isMenu === true ? '' : ', part of the name,';
    this.#print(`Type a number${alternative} or “back”.`);
    const keys = rowKeysText(picker.hintForRow?.(frame, rows.at(-1)));
    if (keys !== undefined) this.#print(keys);
  }

  /** Returns the rows of the open menu that can be chosen. */
  pickerChoices(): readonly PickerRow[] {
    const open = openedPicker(this.#app);
    if (open === undefined) return [];
    return pickerRows(this.#app.frame, open).filter(({isTitle}) => isTitle !== true);
  }

  /** Prints the current toast, once. */
  printToast(): void {
    const {toast} = this.#app.screen;
    if (toast === undefined || toast.id === this.#toast) return;
    this.#toast = toast.id;
    const text = toastText(toast.message ?? toast, this.#app.frame);
    if (text !== undefined) this.#print(text);
  }

  /** Prints when the connection is lost or restored. */
  printConnection(): void {
    const isOnline = this.#app.state.connection.phase === 'online';
    if (isOnline === this.#isOnline) return;
    this.#isOnline = isOnline;
    this.#print(
      isOnline ? 'Back online.' : 'Offline: changes are saved on this machine and sent when the connection is back.',
    );
  }

  printNumbered(lines: readonly string[]): void {
    for (const [at, line] of lines.slice(0, maxListed).entries()) this.#print(`${at + 1}. ${line}`);
    if (lines.length > maxListed) this.#print(`(and ${lines.length - maxListed} more)`);
  }

  #printInbox(): void {
    const {frame} = this.#app;
    const items = inboxItems(frame);
    this.numberedList = {kind: 'items', items};
    if (items.length === 0) {
      this.#printEmptyInbox();
      return;
    }
    this.#print(`${countedNoun(items.length, 'unread conversation')}:`);
    this.printNumbered(items.map(inboxItemText));
    const {conversations: muted} = inboxContents(frame).totals.muted;
    if (muted > 0 && frame.screen.lists.inbox.split === 'all')
      this.#print(`(${muted} muted: type “muted” to list them)`);
    this.#print('Type a number to read one, “next” for the first, “help” for all commands.');
  }

  #printEmptyInbox(): void {
    for (const text of emptyInboxTexts(this.#app.frame)) this.#print(text);
  }

  async #printMessages(view: Extract<View, {kind: 'messages'}>): Promise<void> {
    this.numberedList = {kind: 'none'};
    this.#print(`${plainTitle(savedViewTitle(this.#app.frame, view))}:`);
    const banner = viewBanner(this.#app.frame);
    if (banner !== undefined) this.#print(`(${banner.text})`);
    this.reader = messageReader(this.#app, view.narrow, this.#print);
    await this.reader.printFirstPage();
  }
}
