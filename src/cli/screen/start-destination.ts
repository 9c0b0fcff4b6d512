import type {App} from '#app/core/app.ts';
import {openView} from '#app/navigation/navigation.ts';
import {openRefusedSearch} from '#app/search-view/search-picker.ts';
import {resolveNarrow} from '#state/fetches/fetch-messages.ts';
import {hasServerState} from '#state/initial-state.ts';
import {conversationNarrow, type Narrow} from '#state/model/narrow.ts';
import {parseDestination} from '#state/selectors/search/parse-destination.ts';
import {parseSearch, searchText} from '#state/selectors/search/parse-search.ts';
import {unreadCounts} from '#state/selectors/unreads/unread-counts.ts';
import type {AccountState} from '#state/state.ts';
import {homeView, messagesView, type View} from '#ui/core/frame.ts';
import {failureMessage, isApiFailure} from '#wire/failure.ts';

/** The first view: text from the command line, a view, or undefined for the default. */
export type StartDestination = string | View | undefined;

/** The narrow that a text means with the data known so far, or the reason why it means none. */
type ParsedDestination = {readonly narrow: Narrow; readonly query?: string} | {readonly problem: string};

/** Parses a channel, topic, user or link; other text becomes a search. The query has whole names. */
export function parseStartDestination(state: AccountState, text: string): ParsedDestination {
  const destination = parseDestination(state, text);
  if (destination.kind === 'conversation') return {narrow: conversationNarrow(destination.conversation)};
  if (destination.kind === 'narrow') return withQuery(state, destination.narrow);
  if (isName(text)) return {problem: destination.problem};
  const {narrow, problems} = parseSearch(state, text);
  const [problem] = problems;
  return problem === undefined ? withQuery(state, narrow) : {problem};
}

function withQuery(state: AccountState, narrow: Narrow): ParsedDestination {
  return {narrow, query: searchText(narrow, state)};
}

/** Returns whether the text can only name a channel, topic, user or link. */
function isName(text: string): boolean {
  return /^[#@]|^https?:\/\/|>/i.test(text.trim());
}

function leadsToMessage(narrow: Narrow): boolean {
  return narrow.some(({operator}) => operator === 'near' || operator === 'with');
}

/** Returns the view of the first frame, from saved data. */
export function initialView(state: AccountState, destination: StartDestination): View {
  if (typeof destination === 'object') return destination;
  const parsed =
    destination === undefined || !hasServerState(state) ? undefined : parseStartDestination(state, destination);
  if (parsed === undefined || 'problem' in parsed || leadsToMessage(parsed.narrow)) return defaultView(state);
  return messagesView(parsed.narrow, parsed.query);
}

/**
 * Opens the destination, or else the default view: at once if the saved data suffices, otherwise when the
 * server has responded, unless the user has moved on meanwhile.
 */
export function openStartDestination(app: App, destination: StartDestination): void {
  const {view} = app.screen;
  const isUnchanged = () => app.screen.view === view && app.screen.overlays.length === 0;
  const text = typeof destination === 'string' ? destination : undefined;
  const hasState = hasServerState(app.state);
  const parsed = text === undefined || !hasState ? undefined : parseStartDestination(app.state, text);
  if (parsed !== undefined && !('problem' in parsed)) {
    void openParsed(app, parsed);
    return;
  }
  if (hasState || destination === view) openView(app, view, {isRevisit: true});
  if (text === undefined && (hasState || destination === view)) return;
  app.session.ready().then(
    () => {
      if (isUnchanged()) afterRegistration(app, text);
    },
    () => {},
  );
}

function afterRegistration(app: App, text: string | undefined): void {
  const parsed = text === undefined ? undefined : parseStartDestination(app.state, text);
  if (parsed !== undefined && !('problem' in parsed)) {
    void openParsed(app, parsed);
    return;
  }
  openView(app, defaultView(app.state), {isRevisit: true});
  if (parsed === undefined || text === undefined) return;
  if (isName(text)) app.toast(parsed.problem, 'error');
  else openRefusedSearch(app, text);
}

async function openParsed(
  app: App,
  {narrow, query}: Extract<ParsedDestination, {readonly narrow: Narrow}>,
): Promise<void> {
  if (!leadsToMessage(narrow)) {
    openView(app, messagesView(narrow, query), {isRevisit: true});
    return;
  }
  try {
    const {narrow: resolved, near} = await resolveNarrow(app.session.context, narrow);
    openView(app, messagesView(resolved), {isRevisit: true, anchor: near});
  } catch (error) {
    app.toast(isApiFailure(error) ? failureMessage(error) : 'This conversation could not be opened.', 'error');
  }
}

/** Returns the view to start with: the inbox when there are unread messages, else the home view of the account. */
export function defaultView(state: AccountState): View {
  return unreadCounts(state).total > 0 ? {kind: 'inbox'} : homeView(state);
}
