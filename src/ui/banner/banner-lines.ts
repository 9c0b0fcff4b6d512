import {wrapSpans} from '#content/styled-text/wrap.ts';
import {refreshSeconds} from '#state/fetches/view-refresher.ts';
import {channelName} from '#state/selectors/names/names.ts';
import {canSubscribe, isSubscribed, missingChannelReason} from '#state/selectors/permissions/channel-permissions.ts';
import {composed} from '#std/composed-text.ts';
import type {UiRole} from '#theme/roles.ts';
import {changeProblem} from '#ui/core/change-problem.ts';
import {type DisplayOptions, type Frame, type PaneLine, viewChannelId} from '#ui/core/frame.ts';
import {type Layout, layoutOf, type Rect} from '#ui/layout/layout.ts';
import {fittedLine, type UiLine, type UiSpan} from '#ui/layout/ui-line.ts';
import {type UiGlyphs, uiGlyphs} from '#wording/ui-glyphs.ts';

/** The action of Enter on a banner. */
export type BannerOffer = 'retry' | 'logIn' | 'subscribe';

const offerTexts: Readonly<Record<BannerOffer, string>> = {
  retry: 'reconnects',
  logIn: 'logs in again',
  subscribe: 'subscribes',
};

/**
 * Returns the keys to an offer from the current focus, after a dash; empty where they mean something else: in the
 * composer Enter sends.
 */
export function bannerOfferHint(
  {screen, display}: Pick<Frame, 'screen' | 'display'>,
  offer: BannerOffer | undefined,
  own: 'banner' | 'connection',
): string {
  if (offer === undefined || (screen.focus !== own && screen.focus !== 'main')) return '';
  return ` ${uiGlyphs(display).dash} ${screen.focus === own ? '' : 'Tab '}${bannerOfferText(offer)}`;
}

/** Returns the key to a focused offer. */
export function bannerOfferText(offer: BannerOffer): string {
  return `Enter ${offerTexts[offer]}`;
}

/** Returns what can be done about the connection; undefined while it works, or when the server asked to wait. */
export function connectionOffer({account, info}: Pick<Frame, 'account' | 'info'>): BannerOffer | undefined {
  const {connection} = account;
  switch (connection.phase) {
    case 'signedOut':
      return info.canLogIn === true && connection.isDeactivated !== true ? 'logIn' : 'retry';
    case 'refused':
      return 'retry';
    case 'offline':
      return connection.answered === 'wait' ? undefined : 'retry';
    default:
      return undefined;
  }
}

interface ViewBanner {
  readonly text: string;
  /** Used on narrow screens. */
  readonly short: string;
  readonly offer?: BannerOffer;
}

/** The view is fetched from time to time, see `ViewRefresher`. */
const notLive = {
  text: `Not subscribed: updates every ${refreshSeconds} s`,
  short: `Not live (${refreshSeconds} s)`,
} as const;

/** The banner above all views that nothing can be written, or about the shown channel: that it is not subscribed or not accessible. */
export function viewBanner(frame: Frame): ViewBanner | undefined {
  const {account, screen, minute} = frame;
  if (screen.writeProblem !== undefined) {
    const {directory, cause} = screen.writeProblem;
    return {
      text: `Cannot write to ${directory}: ${cause}. Messages and drafts are not kept when Parley ends.`,
      short: `Cannot write: ${cause}. Messages and drafts are not kept when Parley ends.`,
    };
  }
  const channelId = viewChannelId(screen.view);
  const isOnline = account.connection.phase === 'online';
  if (channelId === undefined || isSubscribed(account, channelId)) return undefined;
  if (!account.channels.has(channelId)) {
    const text = missingChannelReason(account, channelId);
    return isOnline ? {text, short: 'No access to this channel.'} : undefined;
  }
  const permission = canSubscribe(account, channelId, minute);
  if (!permission.ok) return {text: permission.reason, short: permission.reason};
  if (!isOnline)
    return {text: composed`You are not subscribed to #${channelName(account, channelId)}`, short: 'Not subscribed'};
  const offer = changeProblem(frame) === undefined ? 'subscribe' : undefined;
  return {text: notLive.text, short: notLive.short, ...(offer && {offer})};
}

/** Returns what Enter does on a banner; undefined where it is not shown or offers nothing. */
export function bannerOfferAt(
  frame: Frame,
  {header, banner}: Pick<Layout, 'header' | 'banner'>,
  focus: 'banner' | 'connection',
): BannerOffer | undefined {
  if (focus === 'connection') return header === undefined ? undefined : connectionOffer(frame);
  return banner === undefined ? undefined : viewBanner(frame)?.offer;
}

/** From this width on there is room for sentences. */
const roomyFrom = 60;
const maxRows = 3;

/** Returns how many rows the banner needs: a reason is not cut; 0 without a banner. */
export function bannerRows(frame: Frame): number {
  const banner = viewBanner(frame);
  if (banner === undefined) return 0;
  // An offer has a short text for narrow screens.
  if (banner.offer !== undefined) return 1;
  return Math.min(maxRows, reasonLines(banner, layoutOf(frame.screen, 1).main.columns).length);
}

function reasonLines({text, short}: ViewBanner, columns: number): readonly UiLine[] {
  const span = {text: columns < roomyFrom ? short : text, role: 'warning'} as const;
  return wrapSpans<UiRole>([span], {width: Math.max(1, columns - 1)});
}

type BannerContent = NonNullable<ReturnType<typeof bannerContent>>;

/** Selects the banner with the keys to its offer. */
export function bannerContent(frame: Frame) {
  const banner = viewBanner(frame);
  if (banner === undefined) return undefined;
  const isFocused = frame.screen.focus === 'banner' && banner.offer !== undefined;
  return {...banner, isFocused, keyHint: bannerOfferHint(frame, banner.offer, 'banner')};
}

/** The lines above the messages. */
export function bannerLines(
  banner: BannerContent | undefined,
  {columns, rows}: Rect,
  display: DisplayOptions,
): readonly PaneLine[] {
  if (banner === undefined) return [];
  if (rows === 1 || banner.offer !== undefined) return [bannerLine(banner, columns, uiGlyphs(display))];
  return reasonLines(banner, columns)
    .slice(0, rows)
    .map(({spans}) => fittedLine([{text: ' ', role: 'text'}, ...spans], columns));
}

function bannerLine(
  {text, short, isFocused, keyHint}: BannerContent,
  columns: number,
  {bar, ellipsis}: UiGlyphs,
): PaneLine {
  const spans: UiSpan[] = [
    {text: isFocused ? bar : ' ', role: 'cursor_bar'},
    {text: columns < roomyFrom ? short : text, role: 'warning', ...(isFocused && {bold: true})},
    {text: keyHint, role: 'hint'},
  ];
  return fittedLine(spans, columns, ellipsis);
}
