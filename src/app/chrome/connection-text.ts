import type {Frame} from '#app/core/frame.ts';
import {timeOptionsOf} from '#app/format/moment-text.ts';
import {uiGlyphs} from '#app/format/ui-glyphs.ts';
import type {UiSpan} from '#app/layout/ui-line.ts';
import {clockText} from '#content/time-text.ts';
import type {OutboxEntry, OutboxStatus} from '#state/model/outbox.ts';
import type {AccountState} from '#state/state.ts';
import {connectionOffer, offerText} from './banner.ts';

type Offline = Extract<AccountState['connection'], {phase: 'offline'}>;

/** What stands in the way of everything; undefined when nothing does. What can be done about it survives every cut. */
export function bannerSpans(frame: Frame): readonly UiSpan[] | undefined {
  const {connection} = frame.account;
  if (connection.phase !== 'signedOut' && connection.phase !== 'refused') return undefined;
  const {dash, dot} = uiGlyphs(frame.looks);
  const offer = connectionOffer(frame);
  const way = offer === undefined ? '' : ` ${dash} ${offerText(offer, hasKeys(frame))}`;
  const isSignedOut = connection.phase === 'signedOut';
  const kept = isSignedOut ? ' What you wrote is kept.' : '';
  const help = isSignedOut && offer !== 'logIn' ? ' “parley login” gets a new key.' : '';
  const what = isSignedOut ? 'Signed out' : 'Not connected';
  return [{text: `${barOf(frame)}${what}${way} ${dot} ${connection.problem}${help}${kept}`, role: 'banner'}];
}

/** How we stand with the server. While all is well, one sign. */
export function connectionSpans(frame: Frame, isShort: boolean): readonly UiSpan[] {
  const {account, looks} = frame;
  const {connection} = account;
  const glyphs = uiGlyphs(looks);
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

/** With the keys it says in full when it is tried again, and how to do that now. */
function outageSpans(frame: Frame, connection: Offline, isShort: boolean): readonly UiSpan[] {
  const {dot} = uiGlyphs(frame.looks);
  const text = outageText(frame, connection, isShort);
  if (!hasKeys(frame)) return [{text, role: 'warning'}];
  const before = isShort ? '' : `${text} ${dot} `;
  return [{text: `${barOf(frame)}${before}${offerText('retry', true)}`, role: 'warning', bold: true}];
}

function outageText(frame: Frame, connection: Offline, isShort: boolean): string {
  const {screen, looks} = frame;
  const {isFresh = false, retryIn} = screen.outage ?? {};
  const {waiting, dot} = uiGlyphs(looks);
  const when = retryIn === undefined ? '' : ` in ${secondsText(retryIn)}`;
  if (connection.answered !== undefined) {
    return isShort ? `${waiting} busy${when}` : `${waiting} server busy, retrying${when}`;
  }
  if (isFresh) return isShort && when !== '' ? `${waiting} again${when}` : `${waiting} reconnecting${when}`;
  const since = offlineText(frame, connection.since, isShort);
  if (!hasKeys(frame)) return since;
  return `${since} ${dot} ${when === '' ? 'trying' : `again${when}`}`;
}

/** Whoever waits for minutes counts no seconds. */
function secondsText(seconds: number): string {
  return seconds < 100 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
}

function hasKeys({screen}: Frame): boolean {
  return screen.focus === 'connection';
}

/** What has the keys shows it without colour, too. */
function barOf(frame: Frame): string {
  return hasKeys(frame) ? uiGlyphs(frame.looks).bar : ' ';
}

function offlineText(frame: Frame, since: number, isShort: boolean): string {
  const waiting = waitingCount(frame.account);
  const {dot} = uiGlyphs(frame.looks);
  if (isShort) return waiting === 0 ? 'offline' : `offline ${dot} ${waiting} waiting`;
  const sentLater = `${waiting} message${waiting === 1 ? '' : 's'} waiting`;
  const at = `offline since ${timeOfDay(frame, since)}`;
  return waiting === 0 ? at : `${at} ${dot} ${sentLater}`;
}

function timeOfDay(frame: Frame, at: number): string {
  return clockText(at, timeOptionsOf(frame));
}

const underWay: ReadonlySet<OutboxStatus> = new Set(['queued', 'sending', 'held']);
const inTrouble: ReadonlySet<OutboxStatus> = new Set(['failed', 'unconfirmed']);

function waitingCount({outbox}: AccountState): number {
  return outbox.filter(({status}) => underWay.has(status)).length;
}

/** A message that only its author can help. */
export function isInTrouble({status}: OutboxEntry): boolean {
  return inTrouble.has(status);
}

export function failedCount({outbox}: AccountState): number {
  return outbox.filter(isInTrouble).length;
}

/** What is known of unread messages may be old news. */
export function isGuessing({connection}: AccountState): boolean {
  return connection.phase !== 'online' && 'savedAt' in connection && connection.savedAt !== undefined;
}
