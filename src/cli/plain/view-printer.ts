import type {App} from '#app/core/app.ts';
import type {PickerRow} from '#app/core/overlay.ts';
import {type View, viewKey} from '#app/core/view.ts';
import {viewTitle} from '#app/format/view-title.ts';
import {triagedRow} from '#app/inbox/inbox-preview.ts';
import type {TriageItem} from '#app/inbox/triage-row.ts';
import {waiting} from '#app/inbox/triage-rows.ts';
import {mainList} from '#app/lists/focused-list.ts';
import type {ListRow} from '#app/lists/list-row.ts';
import {listingOf} from '#app/lists/visible-rows.ts';
import {openedPicker, pickerRows} from '#app/overlays/picker.ts';
import type {Command} from '#commands/command.ts';
import {plainLine} from '#content/styled-text/ansi.ts';
import {conversationNarrow} from '#state/model/narrow.ts';
import {MessageReading} from './message-reader.ts';
import {choiceText, endTexts, inboxItems, itemText, placeText, rowText, toastText} from './plain-text.ts';

/** What was on the screen, to tell what is another now. */
export interface Seen {
  readonly view: string;
  /** The conversation under the cursor of the inbox. */
  readonly row: string | undefined;
}

/** What numbers stand for now; for messages when it is none of these. */
export type Listed =
  | {readonly kind: 'items'; readonly items: readonly TriageItem[]}
  | {readonly kind: 'rows'; readonly rows: readonly ListRow[]}
  | {readonly kind: 'commands'; readonly commands: readonly Command[]}
  | {readonly kind: 'none'};

const mostListed = 40;

/** Says what the app shows: lists with numbers, conversations message by message, menus, and what changed. */
export class Telling {
  listed: Listed = {kind: 'none'};
  reading: MessageReading | undefined;
  readonly #app: App;
  readonly #print: (text: string) => void;
  #toast: number | undefined;
  #isOnline: boolean;

  constructor(app: App, print: (text: string) => void) {
    this.#app = app;
    this.#print = print;
    this.#isOnline = app.state.connection.phase === 'online';
  }

  seen(): Seen {
    const {screen, frame} = this.#app;
    const isInbox = screen.view.kind === 'inbox' || screen.view.kind === 'triage';
    return {view: viewKey(screen.view), row: isInbox ? (triagedRow(frame)?.key ?? '') : undefined};
  }

  async changes(before: Seen): Promise<void> {
    this.#app.frames.now();
    const now = this.seen();
    this.toast();
    if (this.#app.screen.overlays.length > 0) this.overlay();
    else if (now.view !== before.view) await this.view();
    else if (now.row !== before.row) await this.item();
  }

  async view(): Promise<void> {
    const {frame} = this.#app;
    const {view} = frame.screen;
    if (view.kind === 'messages') return this.#messages(view);
    this.reading = undefined;
    const id = mainList(view);
    if (id === 'inbox') return this.#inbox();
    if (id === undefined) return;
    const rows = listingOf(frame, id).rows.filter(({kind}) => kind === 'item');
    this.listed = {kind: 'rows', rows};
    this.#print(`${viewTitle(frame, view)}, ${rows.length === 1 ? 'one entry' : `${rows.length} entries`}:`);
    this.numbered(rows.map((row) => rowText(frame, id, row)));
  }

  /** The conversation that the cursor of the inbox is on, and what is unread in it. */
  async item(): Promise<void> {
    const items = inboxItems(this.#app.frame);
    this.listed = {kind: 'items', items};
    const item = triagedRow(this.#app.frame);
    if (item === undefined) {
      this.reading = undefined;
      if (items.length === 0) this.#end();
      else this.#print('That was the last one: “inbox” lists the rest.');
      return;
    }
    const at = items.findIndex(({key}) => key === item.key);
    this.#print(`${at + 1} of ${items.length}: ${itemText(item)}`);
    this.reading = new MessageReading(this.#app, conversationNarrow(item.conversation), this.#print);
    await this.reading.begin();
  }

  /** The menu that is open; a card is read out and put away. */
  overlay(): void {
    const top = this.#app.screen.overlays.at(-1);
    if (top === undefined) return;
    const {frame} = this.#app;
    if (top.kind === 'card') {
      const lines = top.card.lines(frame, frame.screen.size.columns - 4);
      this.#print([`${top.card.title}:`, ...lines.map((line) => plainLine(line).trimEnd())].join('\n'));
      this.#app.closeOverlay();
      return;
    }
    const {picker, field} = top;
    const rows = this.choices();
    this.#print(`${placeText(picker.titleFor?.(field.text) ?? picker.title)}:`);
    this.numbered(rows.map(choiceText));
    if (rows.length === 0) this.#print(picker.empty ?? 'No matches');
    // Where nothing can be answered, nothing is asked.
    if (rows.length === 0 && picker.isMenu === true) {
      this.#app.closeOverlay();
      return;
    }
    const others = picker.isMenu === true ? '' : ', write a part of the name,';
    this.#print(`Answer with a number${others} or “back”.`);
  }

  /** The rows of the menu that can be taken. */
  choices(): readonly PickerRow[] {
    const open = openedPicker(this.#app);
    if (open === undefined) return [];
    return pickerRows(this.#app.frame, open).filter(({isTitle}) => isTitle !== true);
  }

  /** Each once. */
  toast(): void {
    const {toast} = this.#app.screen;
    if (toast === undefined || toast.id === this.#toast) return;
    this.#toast = toast.id;
    const text = toastText(toast.text, this.#app.frame);
    if (text !== undefined) this.#print(text);
  }

  /** Whether what is done reaches anybody, whenever that changes. */
  connection(): void {
    const isOnline = this.#app.state.connection.phase === 'online';
    if (isOnline === this.#isOnline) return;
    this.#isOnline = isOnline;
    this.#print(
      isOnline
        ? 'Connected again.'
        : 'The server is out of reach: what you do is kept here, and sent when it is back.',
    );
  }

  numbered(lines: readonly string[]): void {
    for (const [at, line] of lines.slice(0, mostListed).entries()) this.#print(`${at + 1}. ${line}`);
    if (lines.length > mostListed) this.#print(`(and ${lines.length - mostListed} more)`);
  }

  #inbox(): void {
    const items = inboxItems(this.#app.frame);
    this.listed = {kind: 'items', items};
    if (items.length === 0) {
      this.#end();
      return;
    }
    const count = items.length === 1 ? 'One conversation is' : `${items.length} conversations are`;
    this.#print(`${count} unread:`);
    this.numbered(items.map(itemText));
    this.#sayMuted();
    this.#print('A number reads it; “next” reads the first; “help” says what else can be done.');
  }

  #end(): void {
    for (const text of endTexts(this.#app.frame)) this.#print(text);
  }

  #sayMuted(): void {
    const {frame} = this.#app;
    const {muted} = waiting(frame).counts;
    if (muted > 0 && frame.screen.lists.inbox.split === 'all')
      this.#print(`(${muted} muted: “muted” lists them)`);
  }

  async #messages(view: Extract<View, {kind: 'messages'}>): Promise<void> {
    this.listed = {kind: 'none'};
    this.#print(`${placeText(viewTitle(this.#app.frame, view))}:`);
    this.reading = new MessageReading(this.#app, view.narrow, this.#print);
    await this.reading.begin();
  }
}
