import type {App} from '#app/core/app.ts';
import {refreshPicker} from '#app/overlays/picker.ts';
import {fetchPage, messagesRequest} from '#state/fetches/fetch-page.ts';
import {conversationOf} from '#state/messages/loaded-messages.ts';
import type {Conversation} from '#state/model/conversation.ts';
import type {Message} from '#state/model/message.ts';
import type {Narrow} from '#state/model/narrow.ts';
import {conversationRowTitle, userName} from '#state/selectors/names/names.ts';
import {parseSearch} from '#state/selectors/search/parse-search.ts';
import type {Frame} from '#ui/core/frame.ts';
import type {Picker, PickerRow} from '#ui/core/overlay.ts';
import {excerpt, messageContext} from '#ui/format/message-context.ts';
import {failureMessage, isApiFailure} from '#wire/failure.ts';

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

/** The results of a search so far. */
export interface Findings {
  readonly phase: 'idle' | 'asking' | 'done' | 'failed';
  readonly messages: readonly Message[];
  /** Why the server has no results, when it answered. */
  readonly problem?: string | undefined;
}

export const noFindings: Findings = {phase: 'idle', messages: []};

/** Returns the found messages as rows, under a title that tells where they come from. */
export function foundRows(frame: Frame, findings: Findings): readonly FoundRow[] {
  if (findings.phase === 'idle') return [];
  const title: PickerRow = {key: 'found', label: foundTitle(frame, findings), isTitle: true};
  return [title, ...findings.messages.map((message) => foundRow(frame, message))];
}

/** Finds messages while the search is being typed: saved messages first, then the server's results. */
export class QuickSearch {
  readonly #pickerId: string;
  readonly #rowsWith: (findings: Findings) => Picker['rows'];
  #cancel = () => {};
  #query = '';
  #findings = noFindings;

  /** `rowsWith` returns the picker's rows for the given findings. */
  constructor(pickerId: string, rowsWith: (findings: Findings) => Picker['rows']) {
    this.#pickerId = pickerId;
    this.#rowsWith = rowsWith;
  }

  ask(app: App, text: string): void {
    const query = text.trim();
    if (query === this.#query) return;
    this.#cancel();
    this.#query = query;
    if (query.length < minCharacters) this.#show(app, noFindings);
    else this.#cancel = app.clock.after(quietMs, () => this.#search(app, query));
  }

  stop(app: App): void {
    this.#cancel();
    this.#cancel = () => {};
    this.#query = '';
    this.#show(app, noFindings);
  }

  #search(app: App, query: string): void {
    const {narrow, problems} = parseSearch(app.state, query, 'partial', app.clock.now());
    if (narrow.length === 0 || problems.length > 0) {
      this.#show(app, noFindings);
      return;
    }
    this.#show(app, {phase: 'asking', messages: savedMessages(app, narrow)});
    const controller = new AbortController();
    this.#cancel = () => controller.abort();
    const {context} = app.session;
    const ask = messagesRequest(context, {
      anchor: 'newest',
      num_before: maxFound,
      num_after: 0,
      narrow: [...narrow],
    });
    fetchPage(context, {send: ask}, controller.signal).then(
      (messages) => this.#onResult(app, query, {phase: 'done', messages: messages.toReversed()}),
      (error: unknown) => this.#onResult(app, query, {...this.#findings, phase: 'failed', problem: answerOf(error)}),
    );
  }

  #onResult(app: App, query: string, findings: Findings): void {
    if (query === this.#query) this.#show(app, findings);
  }

  #show(app: App, findings: Findings): void {
    if (findings.phase === 'idle' && this.#findings.phase === 'idle') return;
    this.#findings = {...findings, messages: findings.messages.slice(0, maxFound)};
    refreshPicker(app, this.#pickerId, {rows: this.#rowsWith(this.#findings)});
  }
}

/** Returns what the server answered instead of results; undefined when it did not answer. */
function answerOf(error: unknown): string | undefined {
  if (!isApiFailure(error)) return undefined;
  const isSilent = error.kind === 'retry' && (error.reason === 'network' || error.reason === 'timeout');
  return isSilent ? undefined : failureMessage(error);
}

function foundTitle({account}: Frame, {phase, messages, problem}: Findings): string {
  if (phase === 'asking') return 'Messages · searching…';
  if (phase === 'done') return messages.length === 0 ? 'No messages' : 'Messages';
  const isOnline = account.connection.phase === 'online';
  const found = messages.length === 0 ? 'No messages' : 'Saved messages';
  if (!isOnline) return found;
  return `${found} · ${problem ?? 'the server did not answer'}`;
}

function foundRow({account}: Frame, message: Message): FoundRow {
  const conversation = conversationOf(message);
  return {
    key: `message ${message.id}`,
    label: `${userName(account, message.senderId, message.senderName)}: ${excerpt(message.content, messageContext(account), message.facts)}`,
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
