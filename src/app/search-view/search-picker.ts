import type {App} from '#app/core/app.ts';
import {openConversation, openNarrow} from '#app/navigation/navigation.ts';
import {changePickerField, openPicker} from '#app/overlays/picker.ts';
import {wrapSpans} from '#content/styled-text/wrap.ts';
import {channelIdOfNarrow, conversationOfNarrow, type Narrow} from '#state/model/narrow.ts';
import {searchNote, searchPieces, searchText} from '#state/selectors/search/parse-search.ts';
import {composed} from '#std/composed-text.ts';
import type {Frame} from '#ui/core/frame.ts';
import type {Acceptance, KeyEffects, Picker, PickerRow} from '#ui/core/overlay.ts';
import {viewTitle} from '#ui/format/conversation-name.ts';
import {openedPicker} from '#ui/overlays/picker-rows.ts';
import type {Completion} from '#ui/search/completion.ts';
import {type FoundLink, findLink, narrowLinkIn} from '#ui/search/find-conversations.ts';
import {problemsSoFar, searchCompletion, searchedTopics, searchProblems} from '#ui/search/search-operands.ts';
import {latinText} from '#ui/text/send-keys.ts';
import {emptyLine, replaceAll, replaceRange, selectAll, setText} from '#ui/text/text-field.ts';
import {type FoundRow, foundRows, type MessageSearch, QuickSearch} from './quick-search.ts';
import {runSearch, searchHistory} from './run-search.ts';

const id = 'search';
const maxRecentSearches = 6;
const searchKey = 'search';

/** Opens the search box. It starts with the shown search, selected: typing replaces it, and the cursor keys keep it. */
export function openSearch(app: App): void {
  const {view} = app.screen;
  const before = view.kind === 'messages' ? (view.query ?? '') : '';
  const field = before === '' ? emptyLine : selectAll(setText(emptyLine, `${before} `));
  openPicker(app, new SearchPicker(app).picker, field);
}

/** Opens the search box with a search that is not understood, and says why. */
export function openRefusedSearch(app: App, text: string): void {
  openPicker(app, new SearchPicker(app, true).picker, setText(emptyLine, text));
}

interface SearchRow extends FoundRow {
  readonly search?: string;
  readonly link?: Narrow;
  /** Terms to continue with. */
  readonly start?: string;
  readonly completed?: {readonly completion: Completion; readonly at: number} | undefined;
}

class SearchPicker {
  readonly #history: readonly string[];
  readonly #search = new QuickSearch(id, (search) => this.#rowsWith(search));
  readonly picker: Picker<SearchRow>;
  /** Whether a search was refused: then unfinished terms are checked too. */
  readonly #isRefused: boolean;
  readonly #place: ShownPlace | undefined;

  constructor(app: App, isRefused = false) {
    this.#isRefused = isRefused;
    this.#place = shownPlace(app);
    this.#history = searchHistory(app);
    this.picker = {
      id,
      title: 'Search messages',
      placeholder: 'Words, or channel: topic: sender: is: has: …',
      columns: 96,
      rowsShown: 16,
      rows: this.#rowsWith(undefined),
      startAt: (_frame, query, rows) => this.#start(query, rows),
      accept: (opened, row, how) => this.#accept(opened, row, how),
      // A link is opened, not searched for.
      onQuery: (opened, query) => this.#search.ask(opened, narrowLinkIn(query) === undefined ? query : ''),
      topicsOf: ({account}, query) => searchedTopics(account, query),
      onClose: (opened) => this.#search.stop(opened),
      hintForRow: (frame, row) => this.#hint(frame, row),
    };
  }

  #rowsWith(search: MessageSearch | undefined): Picker<SearchRow>['rows'] {
    return (frame, query, cursor) => this.#rows(frame, query, cursor, search);
  }

  #rows(frame: Frame, query: string, cursor: number, search: MessageSearch | undefined): readonly SearchRow[] {
    const completions = this.#completionRows(frame, query, cursor);
    if (query.trim() === '')
      return [...this.#placeRows(''), ...this.#recentSearches(), ...titled('Search operators', completions)];
    const link = findLink(frame.account, query);
    if (link !== undefined) return [this.#linkRow(link)];
    const problems = (this.#isRefused ? searchProblems : problemsSoFar)(frame.account, query);
    const own: SearchRow = {key: searchKey, label: composed`Search for ${query.trim()}`, search: query};
    const note = problems.length > 0 ? undefined : searchNote(query);
    return [
      ...problemRows(frame, note === undefined ? problems : [`${note}.`]),
      own,
      ...this.#placeRows(query.trim()),
      ...titled('Search operators', completions),
      ...foundRows(frame, search),
    ];
  }

  #linkRow(found: FoundLink): SearchRow {
    if ('problem' in found) return {key: 'link', label: found.problem, disabled: found.problem};
    return {key: 'link', label: found.title, detail: found.detail, link: found.narrow};
  }

  /** Offers to search only in what is shown, unless the query already says where. */
  #placeRows(query: string): readonly SearchRow[] {
    if (this.#place === undefined || saysWhere(query)) return [];
    const {noun, title, terms} = this.#place;
    if (query === '') return [{key: 'place', label: `In this ${noun}`, detail: title, start: terms}];
    return [
      {key: 'place', label: composed`Search for ${query} in this ${noun}`, detail: title, search: `${terms} ${query}`},
    ];
  }

  #recentSearches(): readonly SearchRow[] {
    const recent = this.#history.slice(0, maxRecentSearches);
    const rows = recent.map((text, at) => ({key: `history ${at}`, label: text, search: text}));
    return titled('Recent searches', rows);
  }

  /** Completes the term before the cursor. */
  #completionRows({account, minute, display}: Frame, query: string, cursor: number): readonly SearchRow[] {
    const completion = searchCompletion(account, {
      text: query,
      cursor,
      field: 'search',
      nowMs: minute,
      zone: display.zone,
      remap: latinText,
    });
    return (completion?.options ?? []).map(({label, detail, ranges, refusal}, at) => ({
      ...{key: `word ${at} ${label}`, label, detail, matched: ranges, disabled: refusal},
      completed: completion && {completion, at},
    }));
  }

  #hint(frame: Frame, row: SearchRow | undefined): KeyEffects {
    if (row === undefined) return {Esc: 'closes'};
    if (row.link !== undefined) return {Enter: 'opens the link', Esc: 'closes'};
    if (row.completed !== undefined || row.start !== undefined) return {Enter: 'completes', Esc: 'closes'};
    if (row.message !== undefined) return {Enter: 'opens the message', Esc: 'closes'};
    if (row.key !== searchKey) return {Enter: 'searches', Tab: 'changes it', Esc: 'closes'};
    const field = openedPicker(frame)?.field;
    if (field?.last === 'selecting') return {Enter: 'searches', Right: 'edits it', Esc: 'closes'};
    const hasCompletion = field !== undefined && this.#completionRows(frame, field.text, field.cursor).length > 0;
    return hasCompletion ? {Enter: 'searches', Tab: 'completes', Esc: 'closes'} : {Enter: 'searches', Esc: 'closes'};
  }

  /** Starts on a completion of an unfinished term; otherwise on the search itself. */
  #start(query: string, rows: readonly SearchRow[]): number {
    if (query.trim() === '') return 0;
    const first = rows.findIndex(({completed}) => completed?.completion.selects === 'first');
    return first < 0 ? rows.findIndex(({key}) => key === searchKey) : first;
  }

  #accept(app: App, row: SearchRow, how: Acceptance): void {
    const {message, link, search: text, start} = row;
    if (start !== undefined) {
      changePickerField(app, (field) => replaceAll(field, `${start} `));
      return;
    }
    if (message !== undefined) {
      app.closeOverlay();
      openConversation(app, message.conversation, {anchor: message.id});
      return;
    }
    if (link !== undefined) {
      app.closeOverlay();
      openNarrow(app, link);
      return;
    }
    if (text === undefined) this.#complete(app, row);
    else if (how === 'tab') this.#tab(app, text);
    else this.#run(app, text);
  }

  /** Tab on a previous search puts it into the field; on the current text, accepts the first completion. */
  #tab(app: App, text: string): void {
    const open = openedPicker(app);
    if (open === undefined) return;
    if (text !== open.field.text) {
      changePickerField(app, (field) => replaceAll(field, `${text} `));
      return;
    }
    const [first] = this.#completionRows(app.frame, text, open.field.cursor);
    if (first !== undefined) this.#complete(app, first);
  }

  #complete(app: App, {completed: chosen}: SearchRow): void {
    const option = chosen?.completion.options[chosen.at];
    if (chosen === undefined || option === undefined) return;
    const {start, end} = chosen.completion;
    changePickerField(app, (field) => replaceRange(field, start, end, option.drill ?? option.insert));
  }

  #run(app: App, text: string): void {
    app.closeOverlay();
    if (!runSearch(app, text)) openRefusedSearch(app, text);
  }
}

/** The conversation or channel that is shown, and the terms that search in it. */
interface ShownPlace {
  readonly noun: 'conversation' | 'channel';
  readonly title: string;
  readonly terms: string;
}

function shownPlace({screen: {view}, state, frame}: App): ShownPlace | undefined {
  if (view.kind !== 'messages' || view.query !== undefined) return undefined;
  const narrow = view.narrow.filter(({operator}) => operator !== 'near' && operator !== 'with');
  const isConversation = conversationOfNarrow(narrow) !== undefined;
  const isChannel = narrow.length === 1 && channelIdOfNarrow(narrow) !== undefined;
  if (!isConversation && !isChannel) return undefined;
  const noun = isConversation ? 'conversation' : 'channel';
  return {noun, title: viewTitle(frame, view), terms: searchText(narrow, state)};
}

const placeOperators: ReadonlySet<string> = new Set(['channel', 'channels', 'topic', 'dm', 'dm-including', 'in']);

function saysWhere(query: string): boolean {
  return searchPieces(query).pieces.some((piece) => piece.kind === 'term' && placeOperators.has(piece.operator));
}

const maxProblemColumns = 80;
/** The columns that the box and the space around it take at most. */
const boxColumns = 12;

/** Returns what is not understood, as lines above the rows. */
function problemRows({screen}: Frame, problems: readonly string[]): readonly PickerRow[] {
  const width = Math.max(20, Math.min(maxProblemColumns, screen.size.columns - boxColumns));
  const lines = problems.flatMap((text) => wrapSpans([{text, role: 'warning' as const}], {width}));
  return lines.map(({spans}, at) => ({
    key: `problem ${at}`,
    label: spans.map(({text}) => text).join(''),
    role: 'warning',
    isTitle: true,
  }));
}

function titled(title: string, rows: readonly SearchRow[]): readonly SearchRow[] {
  return rows.length === 0 ? [] : [{key: `title ${title}`, label: title, isTitle: true}, ...rows];
}
