import {clockText} from '#content/pieces/time.ts';
import type {OutboxStatus} from '#state/model/outbox.ts';
import type {AccountState} from '#state/state.ts';
import type {Frame} from './frame.ts';
import type {UiSpan} from './lines.ts';
import {timeOptionsOf} from './moment-text.ts';
import {uiGlyphs} from './ui-glyphs.ts';

/** What stands in the way of everything, in a sentence; undefined when nothing does. */
export function bannerText({account}: Frame): string | undefined {
  const {connection} = account;
  if (connection.phase === 'signedOut') {
    return `Signed out: ${connection.problem} What you wrote is kept; “parley login” signs in again.`;
  }
  return connection.phase === 'refused' ? connection.problem : undefined;
}

/** How we stand with the server. While all is well, one sign. */
export function connectionSpans(frame: Frame, isShort: boolean): readonly UiSpan[] {
  const {account, screen, looks} = frame;
  const {connection} = account;
  const glyphs = uiGlyphs(looks);
  switch (connection.phase) {
    case 'online':
      return [{text: glyphs.online, role: 'online'}];
    case 'starting':
      return connection.savedAt === undefined
        ? [{text: `${glyphs.waiting} connecting`, role: 'dim'}]
        : [{text: `cached ${timeOfDay(frame, connection.savedAt)}`, role: 'dim'}];
    case 'offline':
      if (screen.offlineSeconds !== undefined) {
        return [{text: `${glyphs.waiting} reconnecting ${screen.offlineSeconds} s`, role: 'warning'}];
      }
      return [{text: offlineText(frame, connection.since, isShort), role: 'warning'}];
    default:
      return [{text: glyphs.offline, role: 'offline'}];
  }
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

/** Messages that only their author can help. */
export function failedCount({outbox}: AccountState): number {
  return outbox.filter(({status}) => inTrouble.has(status)).length;
}

/** What is known of unread messages may be old news. */
export function isGuessing({connection}: AccountState): boolean {
  return connection.phase !== 'online' && 'savedAt' in connection && connection.savedAt !== undefined;
}
