import {fetchServerSettings} from '#state/fetches/fetch-server-settings.ts';
import {failureReason} from '#ui/actions/server-request.ts';
import type {App} from '#ui/core/app.ts';
import type {Frame} from '#ui/core/frame.ts';
import type {Card} from '#ui/core/overlay.ts';
import {plainGlyphText} from '#ui/format/ui-glyphs.ts';
import {blankLine} from '#ui/layout/ui-line.ts';
import {cardKeyLines} from '#ui/overlays/card-lines.ts';
import {openCard} from '#ui/overlays/cards.ts';
import {memoizedCardLines, replaceCard} from '#ui/overlays/loading-card.ts';
import type {ServerSettings} from '#wire/objects/server-settings.ts';
import {aboutFacts} from './about-facts.ts';
import {openConnectionCard} from './connection-card.ts';
import {factLines, factText} from './fact-lines.ts';

/** The response to the request for the server's settings, or the reason why there is none. */
export type SettingsResult = ServerSettings | {readonly problem: string} | undefined;

const keys = [
  ['o', 'Open in a browser'],
  ['c', 'Copy'],
  ['n', 'Connection'],
] as const;

/** Opens a card about the organization, its server and the account. The login methods follow when the server answers. */
export function openAboutCard(app: App): void {
  const {promise: loading, resolve} = Promise.withResolvers<void>();
  const cardWith = (settings: SettingsResult): Card => ({
    loading,
    id: 'about',
    title: 'About this server',
    columns: 78,
    hint: 'Esc closes',
    lines: memoizedCardLines((frame, width) => [
      ...cardKeyLines(keys, width),
      blankLine,
      ...factLines(shownFacts(frame, settings), width),
    ]),
    onKey: (from, {name, ctrl, alt}) => ctrl !== true && alt !== true && pressOnAbout(from, name, settings),
  });
  const waiting = cardWith(undefined);
  openCard(app, waiting);
  fetchServerSettings(app.session.context)
    .catch((error: unknown) => ({problem: failureReason(error) ?? ''}))
    .then((settings) => {
      replaceCard(app, waiting, cardWith(settings));
      resolve();
    });
}

function shownFacts(frame: Frame, settings: SettingsResult) {
  return aboutFacts(frame, settings).map((fact) =>
    'title' in fact ? fact : {...fact, value: plainGlyphText(fact.value, frame.display)},
  );
}

function pressOnAbout(app: App, name: string, settings: SettingsResult): boolean {
  switch (name) {
    case 'o':
      app.device.open(app.state.server.url).then((text) => app.toast(text));
      return true;
    case 'c':
      app.device.copy(factText(aboutFacts(app.frame, settings))).then((text) => app.toast(text));
      return true;
    case 'n':
      openConnectionCard(app);
      return true;
    default:
      return false;
  }
}
