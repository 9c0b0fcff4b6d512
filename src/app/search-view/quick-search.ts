import type {App} from '#app/core/app.ts';
import type {Frame} from '#app/core/frame.ts';
import type {Picker, PickerRow} from '#app/core/overlay.ts';
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

/** What was found for a search so far. */
export interface Findings {
  readonly phase: 'idle' | 'asking' | 'done' | 'failed';
  readonly messages: readonly Message[];
}

export const noFindings: Findings = {phase: 'idle', messages: []};

/** Returns what was found as rows: below a line, with where they come from. */
export function foundRows(frame: Frame, findings: Findings): readonly PickerRow[] {
  if (findings.phase === 'idle') return [];
  const title: PickerRow = {key: 'found', label: foundTitle(frame, findings), isTitle: true};
  return [title, ...findings.messages.map((message) => foundRow(frame, message))];
}

/** Messages for a search that is still being typed: those on this machine first, then what the server finds. */
export class QuickSearch {
  readonly #pickerId: string;
  readonly #rowsWith: (findings: Findings) => Picker['rows'];
  #cancel = () => {};
  #asked = '';
  #findings = noFindings;

  /** `rowsWith`: the rows of the picker when this was found. */
  constructor(pickerId: string, rowsWith: (findings: Findings) => Picker['rows']) {
    this.#pickerId = pickerId;
    this.#rowsWith = rowsWith;
  }

  ask(app: App, text: string): void {
    const asked = text.trim();
    if (asked === this.#asked) return;
    this.#cancel();
    this.#asked = asked;
    if (asked.length < fewestCharacters) this.#show(app, noFindings);
    else this.#cancel = app.clock.after(quietMs, () => this.#look(app, asked));
  }

  stop(app: App): void {
    this.#cancel();
    this.#cancel = () => {};
    this.#asked = '';
    this.#show(app, noFindings);
  }

  #look(app: App, asked: string): void {
    const {narrow} = parseSearch(app.state, asked);
    if (narrow.length === 0) {
      this.#show(app, noFindings);
      return;
    }
    this.#show(app, {phase: 'asking', messages: messagesHere(app, narrow)});
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
      (messages) => this.#answered(app, asked, {phase: 'done', messages: messages.toReversed()}),
      () => this.#answered(app, asked, {...this.#findings, phase: 'failed'}),
    );
  }

  #answered(app: App, asked: string, findings: Findings): void {
    if (asked === this.#asked) this.#show(app, findings);
  }

  #show(app: App, {phase, messages}: Findings): void {
    if (phase === 'idle' && this.#findings.phase === 'idle') return;
    this.#findings = {phase, messages: messages.slice(0, mostFound)};
    refreshPicker(app, this.#pickerId, {rows: this.#rowsWith(this.#findings)});
  }
}

function foundTitle({account}: Frame, {phase, messages}: Findings): string {
  if (phase === 'asking') return 'Messages · asking the server…';
  if (phase === 'done') return messages.length === 0 ? 'No messages' : 'Messages';
  const isOnline = account.connection.phase === 'online';
  return isOnline ? 'Messages on this machine · the server did not answer' : 'Messages on this machine';
}

function foundRow({account}: Frame, message: Message): PickerRow {
  const conversation = conversationOf(message);
  const row: PickerRow = {
    key: `message ${message.id}`,
    label: `${userName(account, message.senderId, message.senderName)}: ${excerpt(message.content, messageContext(account))}`,
    right: conversationRowTitle(account, conversation),
    rightRole: 'dim',
  };
  found.set(row, {id: message.id, conversation});
  return row;
}

/** Only plain words can be looked for without a server. */
function messagesHere(app: App, narrow: Narrow): readonly Message[] {
  const [term, more] = narrow;
  if (more !== undefined || term?.operator !== 'search' || term.negated === true) return [];
  return app.session.context.store.messages.search(String(term.operand), mostFound);
}
