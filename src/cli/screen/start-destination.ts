import {isApiFailure, sentence} from '#api/failure.ts';
import type {App} from '#app/core/app.ts';
import {messagesView, type View} from '#app/core/view.ts';
import {openView} from '#app/navigation/navigation.ts';
import {resolveNarrow} from '#state/fetches/resolve-narrow.ts';
import {isKnown} from '#state/initial-state.ts';
import {conversationNarrow, type Narrow} from '#state/model/narrow.ts';
import {parseDestination} from '#state/selectors/search/parse-destination.ts';
import {parseSearch} from '#state/selectors/search/parse-search.ts';
import type {AccountState} from '#state/state.ts';
import {startView} from './start-view.ts';

/** Where somebody wants to begin: words of a command line, or a view; undefined where nobody said. */
export type Wish = string | View | undefined;

/** What words come to, as far as is known now. */
type Place = {readonly narrow: Narrow; readonly query?: string} | {readonly problem: string};

/** A channel, a topic, people, a link; everything else is searched for. */
export function placeOf(state: AccountState, text: string): Place {
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
export function firstView(state: AccountState, wish: Wish): View {
  if (typeof wish === 'object') return wish;
  const found = wish === undefined || !isKnown(state) ? undefined : placeOf(state, wish);
  if (found === undefined || 'problem' in found || leadsToMessage(found.narrow)) return startView(state);
  return messagesView(found.narrow, found.query);
}

/**
 * Goes to the place, or to where one begins: at once if what is known is enough, else with the first registration, unless
 * somebody has gone elsewhere meanwhile.
 */
export function begin(app: App, wish: Wish): void {
  const {view} = app.screen;
  const isStill = () => app.screen.view === view && app.screen.overlays.length === 0;
  const place = typeof wish === 'string' ? wish : undefined;
  const isAtOnce = isKnown(app.state);
  const found = place === undefined || !isAtOnce ? undefined : placeOf(app.state, place);
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
  const found = place === undefined ? undefined : placeOf(app.state, place);
  if (found !== undefined && !('problem' in found)) {
    void goTo(app, found);
    return;
  }
  openView(app, startView(app.state), {isRevisit: true});
  if (found !== undefined) app.toast(found.problem, 'error');
}

async function goTo(app: App, {narrow, query}: Extract<Place, {readonly narrow: Narrow}>): Promise<void> {
  if (!leadsToMessage(narrow)) {
    openView(app, messagesView(narrow, query), {isRevisit: true});
    return;
  }
  try {
    const {narrow: resolved, near} = await resolveNarrow(app.session.context, narrow);
    openView(app, messagesView(resolved), {isRevisit: true, anchor: near});
  } catch (error) {
    app.toast(isApiFailure(error) ? sentence(error) : 'This place cannot be opened.', 'error');
  }
}
