import type {RateLimit} from '#api/request-log.ts';
import {retryConnection, retryProblem} from '#app/banner/accept-banner-offer.ts';
import type {App} from '#app/core/app.ts';
import {type CardKey, openCard, pressCardKey, replaceCard} from '#app/overlays/cards.ts';
import {toastResult} from '#app/requests/server-request.ts';
import {actionName} from '#app/watchers/report-problems.ts';
import {clockText} from '#content/time-text.ts';
import type {ConnectionStatus} from '#state/model/connection.ts';
import type {OutboxStatus} from '#state/model/outbox.ts';
import {conversationTitle} from '#state/selectors/names/names.ts';
import type {QueueStatus} from '#state/updates/event-queue.ts';
import {composed} from '#std/composed-text.ts';
import {deepEqual} from '#std/deep-equal.ts';
import type {UiRole} from '#theme/roles.ts';
import {changeProblem} from '#ui/core/change-problem.ts';
import type {Frame} from '#ui/core/frame.ts';
import type {Card} from '#ui/core/overlay.ts';
import type {ToastMessage} from '#ui/core/toast-message.ts';
import {excerpt} from '#ui/format/message-context.ts';
import {blankLine} from '#ui/layout/ui-line.ts';
import {cardKeyLines, cardTextField, paragraph} from '#ui/overlays/card-lines.ts';
import {timeOptionsOf} from '#wording/moment-text.ts';
import {plainGlyphText} from '#wording/ui-glyphs.ts';

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

const keys: readonly CardKey[] = [
  ['r', 'Reconnect', reconnect],
  ['R', 'Reload the account', registerAgain],
  ['s', 'Send the outbox', sendOutboxNow],
  ['c', 'Copy diagnostics', copyDiagnostics],
];

function cardWith(report: ConnectionReport, onClose: () => void): Card {
  const facts = (frame: Frame) => connectionFacts(frame, report);
  return {id: 'connection', title: 'Connection', ...factCard(keys, facts), onClose};
}

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

/** Sends what waits for the connection, or for the user after a long outage. Others wait for a decision: resend or edit. */
export function sendOutboxNow(app: App): void {
  const {session} = app;
  const isEmpty = app.state.outbox.length === 0 && session.pendingChanges.pendingActions().length === 0;
  const problem = changeProblem(app) ?? (isEmpty ? 'The outbox is empty' : undefined);
  if (problem !== undefined) {
    app.toast(problem);
    return;
  }
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
  const versions = `${`Parley ${app.info.version ?? ''}`.trim()}\nZulip ${server.version ?? ''}, feature level ${server.level}\n`;
  copyFacts(app, connectionFacts(app.frame, connectionReport(app)), versions);
}

/**
 * What the connection screen shows besides the account's state, at one moment. `now`: milliseconds since the epoch, rounded
 * down to the second. `monotonic`: the monotonic clock at the same moment. `changes`: the names of the changes that the
 * server has not confirmed.
 */
type ConnectionReport = ReturnType<typeof connectionReport>;

const secondMs = 1000;

function connectionReport({session, clock}: Pick<App, 'session' | 'clock'>) {
  const {records, rateLimit} = session.context.api.connection.requestLog;
  return {
    now: Math.floor(clock.now() / secondMs) * secondMs,
    monotonic: clock.monotonic(),
    queue: session.queueStatus,
    requests: records,
    rateLimit,
    changes: session.pendingChanges.pendingActions().map(actionName),
  };
}

/** Returns what there is to know about the connection. */
function connectionFacts(frame: Frame, report: ConnectionReport): readonly Fact[] {
  const {account} = frame;
  const {now, queue} = report;
  return [
    ...statusFacts(frame, account.connection, report.monotonic),
    {name: 'Server', value: account.server.url},
    {name: 'Event queue', value: queue.id ?? 'none'},
    {name: 'Last event', value: lastEventText(queue)},
    {name: 'Last answer', value: queue.lastResponseAt === undefined ? 'none yet' : agoText(queue.lastResponseAt, now)},
    {name: 'Registered', value: queue.ageMs === undefined ? '' : agoText(now - queue.ageMs, now)},
    {name: 'Rate limit', value: rateLimitText(report.rateLimit, now)},
    ...outboxFacts(frame),
    listFact('Changes', report.changes.length, 'no unconfirmed changes', 'unconfirmed'),
    ...report.changes.slice(0, maxListed).map((value) => ({name: '', value, role: 'dim'}) as const),
    {title: 'Last requests'},
    ...report.requests.map(({endpoint, at, ms, status}) => {
      const result = status === 200 ? '' : status === undefined ? ', no answer' : `, status ${status}`;
      return {
        name: `${Math.round(ms)} ms`,
        value: `${endpoint.replaceAll(/[.-]/g, ' ')}, ${agoText(at, now)}${result}`,
      };
    }),
  ];
}

const maxListed = 8;

function lastEventText({lastEventId}: QueueStatus): string {
  if (lastEventId === undefined) return '';
  return lastEventId < 0 ? 'none yet' : `number ${lastEventId}`;
}

const movedText =
  'If the server has a new address, quit, use “parley login” with it, and start again: unsent work is kept.';

function statusFacts(frame: Frame, connection: ConnectionStatus, now: number): readonly Fact[] {
  switch (connection.phase) {
    case 'online':
    case 'starting': {
      const {silentSince} = connection;
      const text = connection.phase === 'online' ? 'Connected' : 'Connecting…';
      if (silentSince === undefined) return [{name: 'State', value: text}];
      return [{name: 'State', value: `${text}, no answer for ${secondsText(now - silentSince)}`, role: 'warning'}];
    }
    case 'offline': {
      const since = clockText(connection.since, timeOptionsOf(frame));
      const {retryAt} = connection;
      const next = retryAt === undefined ? 'now…' : `in ${secondsText(Math.max(0, retryAt - now))}`;
      return [
        {name: 'State', value: `Offline since ${since}`, role: 'warning'},
        {name: 'Reason', value: connection.problem},
        {name: 'Next try', value: connection.answered === 'wait' ? `${next}: the server asked to wait` : next},
        ...(connection.answered === undefined ? [{name: 'Moved?', value: movedText}] : []),
      ];
    }
    case 'signedOut':
    case 'refused':
      return [
        {name: 'State', value: connection.phase === 'refused' ? 'Refused' : 'Signed out', role: 'error'},
        {name: 'Reason', value: connection.problem},
      ];
    case 'stopped':
      return [{name: 'State', value: 'Stopped'}];
  }
}

function rateLimitText(rateLimit: RateLimit | undefined, now: number): string {
  if (rateLimit === undefined) return 'not said by the server';
  const {limit, remaining, resetAt} = rateLimit;
  const isOver = resetAt <= now;
  if (isOver) return `${limit} requests available`;
  return `${remaining} of ${limit} requests left, all again in ${secondsText(resetAt - now)}`;
}

const outboxTexts: Readonly<Record<OutboxStatus, string>> = {
  queued: 'waiting',
  sending: 'being sent',
  sent: 'sent, not seen yet',
  unconfirmed: 'possibly not sent',
  failed: 'not sent',
  held: 'not sent automatically',
};

function outboxFacts({account}: Frame): readonly Fact[] {
  const {outbox} = account;
  return [
    listFact('Outbox', outbox.length, 'empty', outbox.length === 1 ? 'message' : 'messages'),
    ...outbox.slice(0, maxListed).flatMap(({status, conversation, content, problem}): Fact[] => [
      {name: '', value: `${outboxTexts[status]}${problem === undefined ? '' : `: ${problem}`}`},
      {
        name: '',
        value: composed`${conversationTitle(account, conversation)}: ${excerpt(content)}`,
        role: 'dim',
        isPrivate: true,
      },
    ]),
  ];
}

function listFact(name: string, count: number, none: string, some: string): Fact {
  return {name, value: count === 0 ? none : `${count} ${some}`};
}

/** Returns `12 s`, `5 min` or `3 h`. */
function secondsText(ms: number): string {
  const seconds = Math.round(ms / secondMs);
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}

function agoText(at: number, now: number): string {
  return now - at < secondMs ? 'just now' : `${secondsText(now - at)} ago`;
}

/** A named value of a card; a title begins a group of them. */
export type Fact =
  | {readonly title: string}
  | {
      readonly name: string;
      readonly value: string;
      readonly role?: UiRole;
      /** The value may contain words of messages, so it is not copied. */
      readonly isPrivate?: true;
    };

/** Returns a card of facts below its keys; facts without a value are left out. */
export function factCard(keys: readonly CardKey[], facts: (frame: Frame) => readonly Fact[]) {
  const factLines = (frame: Frame, width: number) =>
    facts(frame).flatMap((fact, at) =>
      'title' in fact
        ? [...(at === 0 ? [] : [blankLine]), ...paragraph(fact.title, 'title', width)]
        : cardTextField(fact.name, plainGlyphText(fact.value, frame.display), width, fact.role),
    );
  return {
    columns: 78,
    hint: {Esc: 'closes'},
    lines: (frame, width) => [...cardKeyLines(keys, width), blankLine, ...factLines(frame, width)],
    onKey: (app, key) => pressCardKey(app, key, keys),
  } satisfies Partial<Card>;
}

/** Copies the facts that are not private, one in each line. */
export function copyFacts(app: App, facts: readonly Fact[], before = ''): void {
  const lines = facts.flatMap((fact) => {
    if ('title' in fact) return [`# ${fact.title}`];
    return fact.value === '' || fact.isPrivate === true ? [] : [[fact.name, fact.value].filter(Boolean).join(': ')];
  });
  toastResult(app, app.device.copy(before + lines.join('\n')));
}
