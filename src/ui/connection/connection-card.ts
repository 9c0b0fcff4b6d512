import {deepEqual} from '#std/deep-equal.ts';
import type {App} from '#ui/core/app.ts';
import type {Frame} from '#ui/core/frame.ts';
import type {Card} from '#ui/core/overlay.ts';
import {plainGlyphText} from '#ui/format/ui-glyphs.ts';
import {blankLine} from '#ui/layout/ui-line.ts';
import {cardKeyLines} from '#ui/overlays/card-lines.ts';
import {openCard} from '#ui/overlays/cards.ts';
import {memoizedCardLines, replaceCard} from '#ui/overlays/loading-card.ts';
import {copyDiagnostics, reconnect, registerAgain, sendOutboxNow} from './connection-actions.ts';
import {type ConnectionReport, connectionFacts, connectionReport} from './connection-facts.ts';
import {factLines} from './fact-lines.ts';

const keys = [
  ['r', 'Reconnect'],
  ['R', 'Reload the account'],
  ['s', 'Send the outbox'],
  ['c', 'Copy diagnostics'],
] as const;

/** The times and counts of the card are those of the last second. */
const refreshMs = 1000;

/** Opens a card about the connection, which follows it while it is open. */
export function openConnectionCard(app: App): void {
  let report = connectionReport(app);
  let card = cardWith(report, () => stop());
  let cancelTimer = () => {};
  const refresh = () => {
    const next = connectionReport(app);
    if (deepEqual(next, report)) return;
    report = next;
    const fresh = cardWith(report, () => stop());
    replaceCard(app, card, fresh);
    card = fresh;
  };
  const tick = () => {
    refresh();
    cancelTimer = app.clock.after(refreshMs, tick);
  };
  const unsubscribe = app.session.cache.subscribe(['connection', 'outbox'], refresh);
  const stop = () => {
    cancelTimer();
    unsubscribe();
  };
  app.onEnd(stop);
  openCard(app, card);
  cancelTimer = app.clock.after(refreshMs, tick);
}

function cardWith(report: ConnectionReport, onClose: () => void): Card {
  return {
    id: 'connection',
    title: 'Connection',
    columns: 78,
    hint: 'Esc closes',
    lines: memoizedCardLines((frame, width) => [
      ...cardKeyLines(keys, width),
      blankLine,
      ...factLines(shownFacts(frame, report), width),
    ]),
    onKey: (app, {name, ctrl, alt}) => ctrl !== true && alt !== true && pressOnConnection(app, name),
    onClose,
  };
}

function shownFacts(frame: Frame, report: ConnectionReport) {
  return connectionFacts(frame, report).map((fact) =>
    'title' in fact ? fact : {...fact, value: plainGlyphText(fact.value, frame.display)},
  );
}

function pressOnConnection(app: App, name: string): boolean {
  const action = actions.get(name);
  action?.(app);
  return action !== undefined;
}

const actions: ReadonlyMap<string, (app: App) => void> = new Map([
  ['r', reconnect],
  ['R', registerAgain],
  ['s', sendOutboxNow],
  ['c', copyDiagnostics],
]);
