import type {App} from '#app/core/app.ts';
import type {Frame} from '#app/core/frame.ts';
import type {PickerRow} from '#app/core/overlay.ts';
import {excerpt} from '#app/format/excerpt.ts';
import {messageContext} from '#app/format/message-context.ts';
import {refreshPicker} from '#app/overlays/picker.ts';
import {fetchPage, messagesRequest} from '#state/fetches/fetch-page.ts';
import {conversationOf} from '#state/messages/loaded-messages.ts';
import type {Conversation} from '#state/model/conversation.ts';
import type {Message} from '#state/model/message.ts';
import type {Narrow} from '#state/model/narrow.ts';
import {conversationRowTitle, userName} from '#state/selectors/names/names.ts';
import {parseSearch} from '#state/selectors/search/parse-search.ts';

/** Nobody is asked before the keys rest for so long. */
const quietMs = 150;
const mostFound = 8;
/** One letter finds everything. */
const fewestCharacters = 2;

export interface FoundMessage {
  readonly id: number;
  readonly conversation: Conversation;
}

const found = new WeakMap<PickerRow, FoundMessage>();

/** The message that a row stands for. */
export function foundMessage(row: PickerRow): FoundMessage | undefined {
  return found.get(row);
}

type Phase = 'idle' | 'asking' | 'done' | 'failed';

/** Messages for a search that is still being typed: those on this machine first, then what the server finds. */
export class QuickSearch {
  readonly #pickerId: string;
  #cancel = () => {};
  #asked = '';
  #phase: Phase = 'idle';
  #messages: readonly Message[] = [];
  #rows = new Map<number, PickerRow>();

  constructor(pickerId: string) {
    this.#pickerId = pickerId;
  }

  /** Below a line, with where they come from. */
  rows(frame: Frame): readonly PickerRow[] {
    if (this.#phase === 'idle') return [];
    const title: PickerRow = {key: 'found', label: this.#title(frame), isTitle: true};
    return [title, ...this.#messages.map((message) => this.#row(frame, message))];
  }

  ask(app: App, text: string): void {
    const asked = text.trim();
    if (asked === this.#asked) return;
    this.stop();
    this.#asked = asked;
    if (asked.length < fewestCharacters) return;
    this.#cancel = app.clock.after(quietMs, () => this.#look(app, asked));
  }

  stop(): void {
    this.#cancel();
    this.#cancel = () => {};
    this.#asked = '';
    this.#phase = 'idle';
    this.#messages = [];
  }

  #look(app: App, asked: string): void {
    const {narrow} = parseSearch(app.state, asked);
    if (narrow.length === 0) return;
    this.#show(app, 'asking', messagesHere(app, narrow));
    const controller = new AbortController();
    this.#cancel = () => controller.abort();
    const {context} = app.session;
    const ask = messagesRequest(context, {
      anchor: 'newest',
      num_before: mostFound,
      num_after: 0,
      narrow: [...narrow],
    });
    fetchPage(context, {send: ask}, controller.signal).then(
      (messages) => this.#answered(app, asked, 'done', messages.toReversed()),
      () => this.#answered(app, asked, 'failed', this.#messages),
    );
  }

  #answered(app: App, asked: string, phase: Phase, messages: readonly Message[]): void {
    if (asked === this.#asked) this.#show(app, phase, messages);
  }

  #show(app: App, phase: Phase, messages: readonly Message[]): void {
    this.#phase = phase;
    this.#messages = messages.slice(0, mostFound);
    this.#rows = new Map();
    refreshPicker(app, this.#pickerId);
  }

  #title({account}: Frame): string {
    if (this.#phase === 'asking') return 'Messages · asking the server…';
    if (this.#phase === 'done') return this.#messages.length === 0 ? 'No messages' : 'Messages';
    const isOnline = account.connection.phase === 'online';
    return isOnline ? 'Messages on this machine · the server did not answer' : 'Messages on this machine';
  }

  #row({account}: Frame, message: Message): PickerRow {
    const known = this.#rows.get(message.id);
    if (known !== undefined) return known;
    const conversation = conversationOf(message);
    const row: PickerRow = {
      key: `message ${message.id}`,
      label: `${userName(account, message.senderId, message.senderName)}: ${excerpt(message.content, messageContext(account))}`,
      right: conversationRowTitle(account, conversation),
      rightRole: 'dim',
    };
    found.set(row, {id: message.id, conversation});
    this.#rows.set(message.id, row);
    return row;
  }
}

/** Only plain words can be looked for without a server. */
function messagesHere(app: App, narrow: Narrow): readonly Message[] {
  const [term, more] = narrow;
  if (more !== undefined || term?.operator !== 'search' || term.negated === true) return [];
  return app.session.context.store.messages.search(String(term.operand), mostFound);
}
