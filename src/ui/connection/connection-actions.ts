import {changeProblem} from '#ui/actions/server-request.ts';
import {retryConnection, retryProblem} from '#ui/banner/accept-banner-offer.ts';
import type {App} from '#ui/core/app.ts';
import {connectionFacts, connectionReport} from './connection-facts.ts';
import {factText} from './fact-lines.ts';

/** Reconnects at once; while connected, asks the server whether it is there. */
export function reconnect(app: App): void {
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

function sendingText({state, session}: App): string {
  const {length: undecided} = state.outbox.filter(({status}) => status === 'failed' || status === 'unconfirmed');
  const isSending = state.outbox.length > undecided || session.pendingChanges.pendingActions().length > 0;
  const rest = `${undecided} ${undecided === 1 ? 'needs' : 'need'} your decision · g o`;
  if (!isSending) return rest;
  return undecided === 0 ? 'Sending…' : `Sending… · ${rest}`;
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
