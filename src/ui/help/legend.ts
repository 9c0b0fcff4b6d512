import {spansColumns, wrapSpans} from '#content/styled-text/wrap.ts';
import type {AccountState} from '#state/state.ts';
import {senderRoles, type UiRole} from '#theme/roles.ts';
import type {App} from '#ui/core/app.ts';
import type {Frame} from '#ui/core/frame.ts';
import type {PaneLine} from '#ui/core/pane-line.ts';
import {unreadCountSpans} from '#ui/format/counted-noun.ts';
import {uiGlyphs} from '#ui/format/ui-glyphs.ts';
import {blankLine, fittedLine, type UiSpan} from '#ui/layout/ui-line.ts';
import {presenceSpans, rowSymbolSpans} from '#ui/lists/navigation-row.ts';
import {messageGlyphs} from '#ui/message-pane/lines/typeset.ts';
import {openCard} from '#ui/overlays/cards.ts';

/** A mark as lists and messages draw it, and its meaning. */
export type LegendRow = readonly [mark: readonly UiSpan[], about: string];

interface LegendSection {
  readonly title: string;
  readonly rows: readonly LegendRow[];
}

/** Opens the legend of marks and colours. */
export function openLegend(app: App): void {
  openCard(app, {id: 'legend', title: 'Marks and colours', columns: 76, lines: legendLines, hint: {Esc: 'close'}});
}

function legendLines(frame: Frame, width: number): readonly PaneLine[] {
  return legendSections(frame).flatMap(({title, rows}, at) => [
    ...(at === 0 ? [] : [blankLine]),
    fittedLine([{text: title, role: 'section'}], width),
    ...rows.flatMap(([mark, about]) => rowLines(mark, about, width)),
  ]);
}

const markColumns = 16;

function rowLines(mark: readonly UiSpan[], about: string, width: number): readonly PaneLine[] {
  const margin: UiSpan = {text: '  ', role: 'text'};
  const space: UiSpan = {text: ' '.repeat(Math.max(2, markColumns - 2 - spansColumns(mark))), role: 'text'};
  const rest: UiSpan = {text: ' '.repeat(Math.min(markColumns, Math.floor(width / 2))), role: 'text'};
  return wrapSpans<UiRole>([{text: about, role: 'text'}], {width, first: [margin, ...mark, space], rest: [rest]});
}

/** Returns the rows of the legend, drawn by the functions and tables that draw lists and messages. */
export function legendSections({display, account}: Pick<Frame, 'display' | 'account'>): readonly LegendSection[] {
  const [glyphs, signs] = [uiGlyphs(display), messageGlyphs(display)];
  const one = (text: string, role: UiRole): readonly UiSpan[] => [{text, role}];
  const symbol = (name: 'isResolved' | 'isFollowed' | 'hasDraft') =>
    trimmed(rowSymbolSpans({isResolved: false, isFollowed: false, hasDraft: false, [name]: true}, glyphs));
  const count = (messages: number, mentions: number, isQuiet = false) =>
    unreadCountSpans({count: messages, mentions, isQuiet});
  const presence = (name: 'active' | 'idle' | 'offline') => trimmed(presenceSpans(name, glyphs));
  return [
    {
      title: 'Unread messages',
      rows: [
        [count(4, 0), '4 unread messages'],
        [count(4, 1), '4 unread messages, one of them mentions you'],
        [count(4, 4), '4 unread messages, all of them mention you'],
        [one('!4', 'mention_count'), '4 unread messages, with one of your alert words'],
        [count(4, 0, true), 'dimmed: muted, in no total'],
        [one('+2', 'success'), 'arrived since the inbox was opened'],
      ],
    },
    {
      title: 'Conversations and channels',
      rows: [
        [symbol('isFollowed'), 'followed topic'],
        [symbol('isResolved'), 'resolved topic; also done, subscribed'],
        [symbol('hasDraft'), 'has a draft'],
        [one(glyphs.snoozed, 'warning'), 'back from snooze'],
        [one('name', 'muted'), 'dimmed name: muted'],
        ...channelRows(account),
      ],
    },
    {
      title: 'People',
      rows: [
        [presence('active'), 'active; of a group, someone is active'],
        [presence('idle'), 'idle'],
        [presence('offline'), 'offline'],
        [senderSpans(), 'each person keeps one of these colours'],
      ],
    },
    {
      title: 'Messages',
      rows: [
        [one(signs.star, 'star'), 'starred'],
        [one(signs.dot, 'unread'), 'unread'],
        [one(signs.next, 'dim'), 'next message of the same person'],
        [one('[+1 2]', 'reaction_own'), 'reaction of 2 people, you are one of them'],
        [one('@you', 'self_mention'), 'mentions you'],
        [one('@name', 'mention'), 'mentions somebody else'],
        [one('word', 'alert_word'), 'one of your alert words'],
        [one('link', 'link'), 'link; o opens it'],
        [one('text', 'pending'), 'being sent'],
        [one('! not sent', 'failed'), 'not sent; errors look like this'],
      ],
    },
    {
      title: 'Lists',
      rows: [
        [one(glyphs.bar, 'cursor_bar'), 'the cursor, in the pane with the keyboard'],
        [one(glyphs.barIdle, 'cursor_bar_idle'), 'shown, or the cursor of another pane'],
        [one(glyphs.marked, 'marked'), 'selected with v'],
        [one(glyphs.folded, 'section'), 'folded group'],
      ],
    },
  ];
}

/** Short names, one in each colour of a sender. */
const senderNames = ['An', 'Bo', 'Cy', 'Di', 'Ed', 'Fe', 'Gu', 'Ha', 'Iv', 'Jo', 'Ka', 'Lu'];
const senderSpans = (): readonly UiSpan[] => senderRoles.map((role, at) => ({text: senderNames[at] ?? '', role}));

/** Returns a row with one of the user's channels in its colour. */
function channelRows({subscriptions, channels}: AccountState): readonly LegendRow[] {
  const own = [...subscriptions.values()].find(({isSubscribed, isMuted}) => isSubscribed && !isMuted);
  const name = own === undefined ? undefined : channels.get(own.channelId)?.name;
  if (own === undefined || name === undefined) return [];
  return [[[{text: `#${name}`, role: 'channel', tint: own.color}], 'a channel, in the colour that you chose']];
}

function trimmed(spans: readonly UiSpan[]): readonly UiSpan[] {
  return spans.map((span) => ({...span, text: span.text.trim()}));
}
