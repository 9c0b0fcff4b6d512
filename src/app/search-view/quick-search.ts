import type {App} from '#app/core/app.ts';
import {refreshPicker} from '#app/overlays/picker.ts';
import type {FetchState} from '#state/fetches/fetch-state.ts';
import type {FetchRequest} from '#state/fetches/kept-queries.ts';
import {newestMessages} from '#state/fetches/queries.ts';
import {conversationOf} from '#state/messages/loaded-messages.ts';
import type {Conversation} from '#state/model/conversation.ts';
import type {Message} from '#state/model/message.ts';
import type {Narrow} from '#state/model/narrow.ts';
import {conversationRowTitle, userName} from '#state/selectors/names/names.ts';
import {parseSearch} from '#state/selectors/search/parse-search.ts';
import {composed} from '#std/composed-text.ts';
import {type Frame, fetched} from '#ui/core/frame.ts';
import type {Picker, PickerRow} from '#ui/core/overlay.ts';
import {excerpt, messageContext} from '#ui/format/message-context.ts';

/** The server is asked only after no key was pressed for this long. */
const quietMs = 150;

const maxFound = 8;

/** A single letter would match everything. */
const minCharacters = 2;

interface FoundMessage {
  readonly id: number;
  readonly conversation: Conversation;
}

/** A row that may be a found message. */
export interface FoundRow extends PickerRow {
  readonly message?: FoundMessage;
}

/** A search for messages: the request, and the saved messages that are shown until it has a result. */
export interface MessageSearch {
  readonly request: FetchRequest<readonly Message[]>;
  readonly saved: readonly Message[];
}

/** Returns the found messages as rows, under a title that tells where they come from. */
export function foundRows(frame: Frame, search: MessageSearch | undefined): readonly FoundRow[] {
  if (search === undefined) return [];
  const state = fetched(frame, search.request);
  const messages = state.data ?? search.saved;
  const title: PickerRow = {key: 'found', label: foundTitle(frame, state, messages.length > 0), isTitle: true};
  return [title, ...messages.map((message) => foundRow(frame, message))];
}

/** Finds messages while the search is being typed: saved messages first, then the server's results. */
export class QuickSearch {
  readonly #pickerId: string;
  readonly #rowsWith: (search: MessageSearch | undefined) => Picker['rows'];
  #cancel = () => {};
  #query = '';
  #search: MessageSearch | undefined;

  /** `rowsWith` returns the picker's rows with the messages of a search. */
  constructor(pickerId: string, rowsWith: (search: MessageSearch | undefined) => Picker['rows']) {
    this.#pickerId = pickerId;
    this.#rowsWith = rowsWith;
  }

  ask(app: App, text: string): void {
    const query = text.trim();
    if (query === this.#query) return;
    this.#cancel();
    this.#query = query;
    if (query.length < minCharacters) this.#show(app, undefined);
    else this.#cancel = app.clock.after(quietMs, () => this.#show(app, searchFor(app, query)));
  }

  stop(app: App): void {
    this.#cancel();
    this.#query = '';
    this.#show(app, undefined);
  }

  #show(app: App, search: MessageSearch | undefined): void {
    if (search === undefined && this.#search === undefined) return;
    this.#search = search;
    refreshPicker(app, this.#pickerId, {rows: this.#rowsWith(search), reads: search && [search.request]});
  }
}

/** Returns the search for a text; undefined where the text is not understood. */
function searchFor(app: App, query: string): MessageSearch | undefined {
  const {narrow, problems} = parseSearch(app.state, query, 'partial', app.clock.now());
  if (narrow.length === 0 || problems.length > 0) return undefined;
  return {request: newestMessages({narrow, maxCount: maxFound}), saved: savedMessages(app, narrow)};
}

function foundTitle({account}: Frame, {data, isFetching, error}: FetchState, hasFound: boolean): string {
  if (error === undefined && data === undefined && isFetching) return 'Messages · searching…';
  const found = !hasFound ? 'No messages' : data === undefined ? 'Saved messages' : 'Messages';
  return error === undefined || account.connection.phase !== 'online' ? found : `${found} · ${error}`;
}

function foundRow({account}: Frame, message: Message): FoundRow {
  const conversation = conversationOf(message);
  return {
    key: `message ${message.id}`,
    label: composed`${userName(account, message.senderId, message.senderName)}: ${excerpt(message.content, messageContext(account), message.facts)}`,
    right: conversationRowTitle(account, conversation),
    rightRole: 'dim',
    message: {id: message.id, conversation},
  };
}

/** Searches the saved messages. Only plain words can be searched without the server. */
function savedMessages(app: App, narrow: Narrow): readonly Message[] {
  const [term, more] = narrow;
  if (more !== undefined || term?.operator !== 'search' || term.negated === true) return [];
  return app.session.context.store.messages.search(String(term.operand), maxFound);
}
