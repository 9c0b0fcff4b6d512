import {clockText} from '#content/time-text.ts';
import type {ServerBusyResponse} from '#state/model/connection.ts';
import {bannerOfferText} from '#ui/banner/banner-lines.ts';
import type {UiGlyphs} from '#ui/format/ui-glyphs.ts';
import type {UiSpan} from '#ui/layout/ui-line.ts';
import type {ConnectionContent} from './connection-content.ts';

type OfflineStatus = Extract<ConnectionContent['status'], {phase: 'offline'}>;

/**
 * Returns the banner for being signed out or refused; undefined otherwise. The keys come first, so that truncation
 * spares them.
 */
export function connectionBannerSpans(
  {status, isFocused, offer, keyHint}: ConnectionContent,
  {bar, dot}: UiGlyphs,
): readonly UiSpan[] | undefined {
  if (status.phase !== 'signedOut' && status.phase !== 'refused') return undefined;
  const isSignedOut = status.phase === 'signedOut';
  const savedNote = isSignedOut ? ' What you wrote is saved.' : '';
  const help = isSignedOut && offer !== 'logIn' ? keyHelp(status) : '';
  const what = isSignedOut ? 'Signed out' : 'Not connected';
  const text = `${isFocused ? bar : ' '}${what}${keyHint} ${dot} ${status.problem}${help}${savedNote}`;
  return [{text, role: 'banner'}];
}

/** A new key does not help a deactivated account or organization. */
function keyHelp({isDeactivated}: {readonly isDeactivated?: boolean}): string {
  return isDeactivated === true ? ' Parley keeps trying.' : ' “parley login” gets a new key.';
}

/** The connection status; while online, a single glyph. When focused, it begins with a bar, which needs no colour. */
export function connectionSpans(content: ConnectionContent, isShort: boolean, glyphs: UiGlyphs): readonly UiSpan[] {
  const {status, outage, isFocused, time} = content;
  const bar = isFocused ? glyphs.bar : '';
  const silentFor = outage?.silentFor;
  if (silentFor !== undefined && status.phase !== 'offline')
    return [{text: `${bar}${glyphs.waiting} no answer for ${secondsText(silentFor)}`, role: 'warning'}];
  switch (status.phase) {
    case 'online':
      return [{text: `${bar}${glyphs.online}`, role: 'online'}];
    case 'starting':
      return status.savedAt === undefined
        ? [{text: `${glyphs.waiting} connecting`, role: 'dim'}]
        : [{text: `cached ${clockText(status.savedAt, time)}`, role: 'dim'}];
    case 'offline':
      return outageSpans(content, status, isShort, glyphs);
    default:
      return [{text: glyphs.offline, role: 'offline'}];
  }
}

/** When focused, it shows in full when the next retry is, and how to retry now. */
function outageSpans(
  content: ConnectionContent,
  status: OfflineStatus,
  isShort: boolean,
  glyphs: UiGlyphs,
): readonly UiSpan[] {
  const text = outageText(content, status, isShort, glyphs);
  if (!content.isFocused) return [{text, role: 'warning'}];
  const before = isShort ? '' : `${text} ${glyphs.dot} `;
  return [{text: `${glyphs.bar}${before}${bannerOfferText('retry')}`, role: 'warning', bold: true}];
}

function outageText(content: ConnectionContent, status: OfflineStatus, isShort: boolean, glyphs: UiGlyphs): string {
  const {isFresh = false, retryIn} = content.outage ?? {};
  const {waiting, dot} = glyphs;
  const when = retryIn === undefined ? '' : ` in ${secondsText(retryIn)}`;
  if (status.answered !== undefined) {
    const [text, short] = responseTexts[status.answered];
    return isShort ? `${waiting} ${short}${when}` : `${waiting} ${text}, retrying${when}`;
  }
  if (isFresh) return isShort && when !== '' ? `${waiting} again${when}` : `${waiting} reconnecting${when}`;
  const since = offlineText(content, status.since, isShort, dot);
  if (!content.isFocused) return since;
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

function offlineText(
  {waiting, time, isTimeKnown}: ConnectionContent,
  since: number,
  isShort: boolean,
  dot: string,
): string {
  if (isShort || !isTimeKnown) return waiting === 0 ? 'offline' : `offline ${dot} ${waiting} waiting`;
  const sentLater = `${waiting} message${waiting === 1 ? '' : 's'} waiting`;
  const at = `offline since ${clockText(since, time)}`;
  return waiting === 0 ? at : `${at} ${dot} ${sentLater}`;
}
