import {deepEqual} from '#std/deep-equal.ts';
import {changeProblem} from '#ui/actions/server-request.ts';
import {retryConnection, retryProblem} from '#ui/banner/accept-banner-offer.ts';
import type {App} from '#ui/core/app.ts';
import type {Frame} from '#ui/core/frame.ts';
import type {Card} from '#ui/core/overlay.ts';
import type {ToastMessage} from '#ui/core/toast-message.ts';
import {plainGlyphText} from '#ui/format/ui-glyphs.ts';
import {blankLine} from '#ui/layout/ui-line.ts';
import {cardKeyLines, openCard, replaceCard} from '#ui/overlays/cards.ts';
import {type ConnectionReport, connectionFacts, connectionReport, factLines, factText} from './connection-facts.ts';

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
    hint: {Esc: 'closes'},
    lines: (frame, width) => [...cardKeyLines(keys, width), blankLine, ...factLines(shownFacts(frame, report), width)],
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

/** Reconnects at once; while connected, asks the server whether it is there. */
function reconnect(app: App): void {
  const {phase} = app.state.connection;
  const problem = phase === 'online' || phase === 'starting' ? undefined : retryProblem(app);
  if (problem === undefined) retryConnection(app);
  app.toast(problem ?? 'Reconnecting…');
}

/** Replaces the event queue: everything that the server knows about the account is loaded again. */
export function registerAgain(app: App): void {
  app.session.registerAgain();
  app.toast('Loading the account again…');
}

/** Returns the reason why there is nothing to send now. */
function sendOutboxProblem(app: App): string | undefined {
  const problem = changeProblem(app);
  if (problem !== undefined) return problem;
  const isEmpty = app.state.outbox.length === 0 && app.session.pendingChanges.pendingActions().length === 0;
  return isEmpty ? 'The outbox is empty' : undefined;
}

/** Sends what waits for the connection, or for the user after a long outage. Others wait for a decision: resend or edit. */
export function sendOutboxNow(app: App): void {
  const problem = sendOutboxProblem(app);
  if (problem !== undefined) {
    app.toast(problem);
    return;
  }
  const {session} = app;
  session.outbox.sendHeld();
  session.outbox.online();
  session.pendingChanges.online();
  if (app.state.connection.phase !== 'online') session.wake('manual');
  app.toast(sendingText(app));
}

function sendingText({state, session}: App): ToastMessage {
  const {length: undecided} = state.outbox.filter(({status}) => status === 'failed' || status === 'unconfirmed');
  const isSending = state.outbox.length > undecided || session.pendingChanges.pendingActions().length > 0;
  const rest = `${undecided} ${undecided === 1 ? 'needs' : 'need'} your decision`;
  if (!isSending) return {text: rest, hint: 'g o'};
  return undecided === 0 ? {text: 'Sending…'} : {text: 'Sending…', hint: `${rest} · g o`};
}

/** Copies what the connection screen shows, without messages and secrets, for a report of a problem. */
export function copyDiagnostics(app: App): void {
  const {server} = app.state;
  const text = [
    `Parley ${app.info.version ?? ''}`.trim(),
    `Zulip ${server.version ?? ''}, feature level ${server.level}`,
    factText(connectionFacts(app.frame, connectionReport(app))),
  ].join('\n');
  app.device.copy(text).then((done) => app.toast(done));
}
