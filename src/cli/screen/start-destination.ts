import {failureMessage, isApiFailure} from '#api/failure.ts';
import type {App} from '#app/core/app.ts';
import {messagesView, type View} from '#app/core/view.ts';
import {openView} from '#app/navigation/navigation.ts';
import {resolveNarrow} from '#state/fetches/resolve-narrow.ts';
import {hasServerState} from '#state/initial-state.ts';
import {conversationNarrow, type Narrow} from '#state/model/narrow.ts';
import {parseDestination} from '#state/selectors/search/parse-destination.ts';
import {parseSearch} from '#state/selectors/search/parse-search.ts';
import type {AccountState} from '#state/state.ts';
import {defaultView} from './start-view.ts';

/** Where somebody wants to begin: words of a command line, or a view; undefined where nobody said. */
export type StartDestination = string | View | undefined;

/** What words come to, as far as is known now. */
type ParsedDestination = {readonly narrow: Narrow; readonly query?: string} | {readonly problem: string};

/** A channel, a topic, people, a link; everything else is searched for. */
export function parseStartDestination(state: AccountState, text: string): ParsedDestination {
  const destination = parseDestination(state, text);
  if (destination.kind === 'conversation') return {narrow: conversationNarrow(destination.conversation)};
  if (destination.kind === 'narrow') return {narrow: destination.narrow, query: text};
  if (isName(text)) return {problem: destination.problem};
  const {narrow, problems} = parseSearch(state, text);
  const [problem] = problems;
  return problem === undefined ? {narrow, query: text} : {problem};
}

/** What can mean nothing but a place. */
function isName(text: string): boolean {
  return /^[#@]|^https?:\/\/|>/i.test(text.trim());
}

function leadsToMessage(narrow: Narrow): boolean {
  return narrow.some(({operator}) => operator === 'near' || operator === 'with');
}

/** The first picture: made from what the disk knows. */
export function initialView(state: AccountState, wish: StartDestination): View {
  if (typeof wish === 'object') return wish;
  const found = wish === undefined || !hasServerState(state) ? undefined : parseStartDestination(state, wish);
  if (found === undefined || 'problem' in found || leadsToMessage(found.narrow)) return defaultView(state);
  return messagesView(found.narrow, found.query);
}

/**
 * Goes to the place, or to where one begins: at once if what is known is enough, else with the first registration, unless
 * somebody has gone elsewhere meanwhile.
 */
export function openStartDestination(app: App, wish: StartDestination): void {
  const {view} = app.screen;
  const isStill = () => app.screen.view === view && app.screen.overlays.length === 0;
  const place = typeof wish === 'string' ? wish : undefined;
  const isAtOnce = hasServerState(app.state);
  const found = place === undefined || !isAtOnce ? undefined : parseStartDestination(app.state, place);
  if (found !== undefined && !('problem' in found)) {
    void goTo(app, found);
    return;
  }
  if (isAtOnce || wish === view) openView(app, view, {isRevisit: true});
  if (place === undefined && (isAtOnce || wish === view)) return;
  app.session.ready().then(
    () => {
      if (isStill()) afterRegistration(app, place);
    },
    () => {},
  );
}

function afterRegistration(app: App, place: string | undefined): void {
  const found = place === undefined ? undefined : parseStartDestination(app.state, place);
  if (found !== undefined && !('problem' in found)) {
    void goTo(app, found);
    return;
  }
  openView(app, defaultView(app.state), {isRevisit: true});
  if (found !== undefined) app.toast(found.problem, 'error');
}

async function goTo(
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
    app.toast(isApiFailure(error) ? failureMessage(error) : 'This place cannot be opened.', 'error');
  }
}
