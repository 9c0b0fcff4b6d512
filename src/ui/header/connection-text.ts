import {clockText} from '#content/time-text.ts';
import {hasServerState} from '#state/initial-state.ts';
import type {ServerBusyResponse} from '#state/model/connection.ts';
import type {OutboxEntry, OutboxStatus} from '#state/model/outbox.ts';
import type {AccountState} from '#state/state.ts';
import {bannerOfferHint, bannerOfferText, connectionOffer} from '#ui/banner/banner-lines.ts';
import type {Frame} from '#ui/core/frame.ts';
import {timeOptionsOf} from '#ui/format/moment-text.ts';
import {uiGlyphs} from '#ui/format/ui-glyphs.ts';
import type {UiSpan} from '#ui/layout/ui-line.ts';

type OfflineStatus = Extract<AccountState['connection'], {phase: 'offline'}>;

/**
 * Returns the banner for being signed out or refused; undefined otherwise. The keys come first, so that truncation
 * spares them.
 */
export function connectionBannerSpans(frame: Frame): readonly UiSpan[] | undefined {
  const {connection} = frame.account;
  if (connection.phase !== 'signedOut' && connection.phase !== 'refused') return undefined;
  const {dot} = uiGlyphs(frame.display);
  const offer = connectionOffer(frame);
  const keyHint = bannerOfferHint(frame, offer, 'connection');
  const isSignedOut = connection.phase === 'signedOut';
  const savedNote = isSignedOut ? ' What you wrote is saved.' : '';
  const help = isSignedOut && offer !== 'logIn' ? keyHelp(connection) : '';
  const what = isSignedOut ? 'Signed out' : 'Not connected';
  return [
    {
      text: `${focusBar(frame)}${what}${keyHint} ${dot} ${connection.problem}${help}${savedNote}`,
      role: 'banner',
    },
  ];
}

/** A new key does not help a deactivated account or organization. */
function keyHelp({isDeactivated}: {readonly isDeactivated?: boolean}): string {
  return isDeactivated === true ? ' Parley keeps trying.' : ' “parley login” gets a new key.';
}

/** The connection status; while online, a single glyph. */
export function connectionSpans(frame: Frame, isShort: boolean): readonly UiSpan[] {
  const {account, display} = frame;
  const {connection} = account;
  const glyphs = uiGlyphs(display);
  const silentFor = frame.screen.outage?.silentFor;
  if (silentFor !== undefined && connection.phase !== 'offline') {
    const text = `${glyphs.waiting} no answer for ${secondsText(silentFor)}`;
    return [{text: `${hasKeys(frame) ? glyphs.bar : ''}${text}`, role: 'warning'}];
  }
  switch (connection.phase) {
    case 'online':
      return [{text: `${hasKeys(frame) ? glyphs.bar : ''}${glyphs.online}`, role: 'online'}];
    case 'starting':
      return connection.savedAt === undefined
        ? [{text: `${glyphs.waiting} connecting`, role: 'dim'}]
        : [{text: `cached ${timeOfDay(frame, connection.savedAt)}`, role: 'dim'}];
    case 'offline':
      return outageSpans(frame, connection, isShort);
    default:
      return [{text: glyphs.offline, role: 'offline'}];
  }
}

/** When focused, it shows in full when the next retry is, and how to retry now. */
function outageSpans(frame: Frame, connection: OfflineStatus, isShort: boolean): readonly UiSpan[] {
  const {dot} = uiGlyphs(frame.display);
  const text = outageText(frame, connection, isShort);
  if (!hasKeys(frame)) return [{text, role: 'warning'}];
  const before = isShort ? '' : `${text} ${dot} `;
  return [{text: `${focusBar(frame)}${before}${bannerOfferText('retry')}`, role: 'warning', bold: true}];
}

function outageText(frame: Frame, connection: OfflineStatus, isShort: boolean): string {
  const {screen, display} = frame;
  const {isFresh = false, retryIn} = screen.outage ?? {};
  const {waiting, dot} = uiGlyphs(display);
  const when = retryIn === undefined ? '' : ` in ${secondsText(retryIn)}`;
  if (connection.answered !== undefined) {
    const [text, short] = responseTexts[connection.answered];
    return isShort ? `${waiting} ${short}${when}` : `${waiting} ${text}, retrying${when}`;
  }
  if (isFresh) return isShort && when !== '' ? `${waiting} again${when}` : `${waiting} reconnecting${when}`;
  // Before the first registration the format of times is not known.
  const since = offlineText(frame, connection.since, isShort || !hasServerState(frame.account));
  if (!hasKeys(frame)) return since;
  return `${since} ${dot} ${when === '' ? 'trying' : `again${when}`}`;
}

/** What arrived instead of the expected response, in full and short. */
const responseTexts: Readonly<Record<ServerBusyResponse, readonly [string, string]>> = {
  busy: ['server busy', 'busy'],
  wait: ['server busy', 'busy'],
  webPage: ['got a web page, not Zulip', 'web page'],
  unreadable: ['unreadable response', 'unreadable'],
};

/** Long waits are shown in minutes. */
function secondsText(seconds: number): string {
  return seconds < 100 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
}

function hasKeys({screen}: Frame): boolean {
  return screen.focus === 'connection';
}

/** Marks the focused line without relying on colour. */
function focusBar(frame: Frame): string {
  return hasKeys(frame) ? uiGlyphs(frame.display).bar : ' ';
}

function offlineText(frame: Frame, since: number, isShort: boolean): string {
  const waiting = waitingCount(frame.account);
  const {dot} = uiGlyphs(frame.display);
  if (isShort) return waiting === 0 ? 'offline' : `offline ${dot} ${waiting} waiting`;
  const sentLater = `${waiting} message${waiting === 1 ? '' : 's'} waiting`;
  const at = `offline since ${timeOfDay(frame, since)}`;
  return waiting === 0 ? at : `${at} ${dot} ${sentLater}`;
}

function timeOfDay(frame: Frame, at: number): string {
  return clockText(at, timeOptionsOf(frame));
}

const pendingStatuses: ReadonlySet<OutboxStatus> = new Set(['queued', 'sending', 'held']);
const undeliveredStatuses: ReadonlySet<OutboxStatus> = new Set(['failed', 'unconfirmed']);

function waitingCount({outbox}: AccountState): number {
  return outbox.filter(({status}) => pendingStatuses.has(status)).length;
}

/** Whether the message needs its author to act. */
export function isUndelivered({status}: OutboxEntry): boolean {
  return undeliveredStatuses.has(status);
}

export function failedCount({outbox}: AccountState): number {
  return outbox.filter(isUndelivered).length;
}

/** Whether the unread counts may be outdated. */
export function hasStaleUnreads({connection}: AccountState): boolean {
  return connection.phase !== 'online' && 'savedAt' in connection && connection.savedAt !== undefined;
}
