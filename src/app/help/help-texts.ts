import type {App} from '#app/core/app.ts';
import {openCard} from '#app/overlays/cards.ts';
import {spansColumns, wrapSpans} from '#content/styled-text/wrap.ts';
import type {AccountState} from '#state/state.ts';
import {senderRoles, type UiRole} from '#theme/roles.ts';
import type {Frame, PaneLine} from '#ui/core/frame.ts';
import {unreadCountSpans} from '#ui/format/unread-count-spans.ts';
import {alertWordMark} from '#ui/inbox/triage-row.ts';
import {blankLine, fittedLine, type UiSpan} from '#ui/layout/ui-line.ts';
import {presenceSpans, rowSymbolSpans} from '#ui/lists/navigation-row.ts';
import {messageGlyphs} from '#ui/message-pane/lines/typeset.ts';
import {hangingLines} from '#ui/overlays/card-lines.ts';
import type {NamedEntry} from '#ui/search/omnibox.ts';
import {searchOperators} from '#ui/search/search-operands.ts';
import {uiGlyphs} from '#wording/ui-glyphs.ts';

/** A help page. A line that begins with two spaces is a key and what it does. */
interface HelpText extends NamedEntry {
  readonly text: string;
}

const legendId = 'legend';

const helpTexts: readonly HelpText[] = [
  {
    id: 'moving',
    title: 'Moving around',
    detail: 'panes, conversations, history',
    text: `The pane with the solid cursor bar has the keyboard.

  Tab, Shift-Tab   next and previous pane
  j, k             down and up; J, K by pages
  Enter            opens the selected row
  Ctrl-G           go to anything by name, or to a pasted link
  g D              go to a date: yesterday, last monday, 12 May 14:00
  n, N, p          next unread topic, followed topic, direct message
  Alt-a            next important unread, also while writing
  Alt-Left         back; Alt-Right forward; Alt-/ previous conversation
  Ctrl-W v, s      a second conversation beside, below; Ctrl-W w goes there
  Esc              one step back; it never quits and never deletes

g opens a menu of views and waits for the second key. The combined feed, a, leaves out muted conversations, except where you are mentioned.

Offline, views show the messages saved on this machine and say so.`,
  },
  {
    id: 'reading',
    title: 'How messages become read',
    detail: 'the inbox, Space, undo',
    text: `Listing or previewing a conversation marks nothing read.

In lists and conversations, e marks a conversation done and moves to the next. In the inbox, Space pages down and marks it done at its end. A closed spoiler, or the line of a muted user, counts as seen. In a conversation, messages become read as they are shown, if your account settings say so.

The first title of the inbox names its order. By priority, mentions come first, then direct messages and followed topics, the newest first; then channels as in the sidebar. O chooses another order: newest first, oldest first or by channel. Rows keep their places while you work; Ctrl-L sorts again.

Only the messages that were there when you pressed the key become read; a message that arrives at the same moment stays unread. z undoes the last action, Z redoes it.

While the terminal window is in the background, nothing becomes read.`,
  },
  {
    id: 'writing',
    title: 'Writing',
    detail: 'sending, line breaks, completion',
    text: `r replies, c starts a topic, x starts a direct message. The destination is always shown above the text.

  Ctrl-J           line break, always
  Ctrl-D           send, always
  @ # : \`\`\`        complete people, channels, emoji, languages
  Ctrl-T           change the destination
  Ctrl-O           open your editor
  Ctrl-X           menu of all other actions
  Esc              close; your text is saved as a draft

Text belongs to its conversation: it stays there when you go elsewhere, and is there when you come back.`,
  },
  {
    id: 'drafts',
    title: 'Drafts and outbox',
    detail: 'd, unsent and scheduled messages',
    text: `Everything you write is saved to disk within a moment, and to the server if your account syncs drafts.

  d                drafts; 1 to 4: drafts, outbox, scheduled, reminders
  Enter            continue a draft in its conversation
  S                send it now
  Backspace        delete it; z restores it

Offline, messages wait in the outbox and are sent in order when the server is back. Messages that waited long ask for confirmation first.`,
  },
  {
    id: 'search',
    title: 'Search operators',
    detail: 'channel: sender: is: has: …',
    text: `A search finds messages that contain all its words. These operators narrow it down; a minus in front negates them.

${searchOperators.map(({operator, about}) => `  ${`${operator}:`.padEnd(17)}${about}`).join('\n')}

Quotes keep words together: topic:"release notes". A part of a name is enough if one person or channel has it: sender:maren. OR joins searches: channel:ops OR is:mentioned. Days and times may be yesterday, mon, 2h, "3 weeks", 2026-05-12 or "12 May 14:00". A pasted link to a conversation or message opens it.`,
  },
  {
    id: 'keys',
    title: 'Custom keys',
    detail: 'keys.toml, presets',
    text: `keys.toml beside the settings file binds and unbinds keys per mode:

  preset = "vim+"
  [msgs]
  "Ctrl-T" = "msg.star"
  "S" = "-"

The presets are zulip (e edits, z shows a message in its conversation, as in Zulip's apps), vim+, weechat and gmail.

Write a sequence with spaces: "g x". parley keys prints the bindings, parley keys --probe what your terminal sends. Press ? then Tab to look up a key.`,
  },
  {
    id: 'copying',
    title: 'Copying and the mouse',
    detail: 'links, text, selection',
    text: `  l                copy a link to the message
  C                copy its text; again, its Markdown source
  o                open a link by number
  Alt-l            text only, for the terminal's own selection
  Alt-m            mouse on or off until Parley quits; g , saves the setting

With the mouse on, a click in a side pane opens the row; a click on a row or message in the main pane selects it, and a second click opens the row or link. The wheel scrolls the pane under it. Shift and the mouse select text, as the terminal does.`,
  },
];

/** The help pages, as the palette finds them after `?`. */
export const helpEntries: readonly NamedEntry[] = [
  ...helpTexts,
  {
    id: legendId,
    title: 'Marks and colours',
    detail: 'followed, resolved, starred, presence',
    aliases: ['symbols', 'legend'],
  },
];

export function openHelpText(app: App, id: string): void {
  if (id === legendId) openLegend(app);
  const help = helpTexts.find((text) => text.id === id);
  if (help === undefined) return;
  openCard(app, {
    id: 'help-text',
    title: help.title,
    isGeneral: true,
    columns: 76,
    lines: (_frame, width) => textLines(help.text, width),
    hint: {Esc: 'closes'},
  });
}

function textLines(text: string, width: number): readonly PaneLine[] {
  return text.split('\n').flatMap((line): readonly PaneLine[] => {
    if (line === '') return [blankLine];
    if (!line.startsWith('  ')) return wrapSpans([{text: line, role: 'text'}], {width});
    const [key = '', ...about] = line.trim().split(/ {2,}/);
    const before = `  ${key}`.padEnd(19);
    return hangingLines({text: before, role: 'key'}, [{text: about.join('  '), role: 'text'}], width);
  });
}

/** A mark as lists and messages draw it, and its meaning. */
type LegendRow = readonly [mark: readonly UiSpan[], about: string];

interface LegendSection {
  readonly title: string;
  readonly rows: readonly LegendRow[];
}

/** Opens the legend of marks and colours. */
export function openLegend(app: App): void {
  openCard(app, {
    id: 'legend',
    title: 'Marks and colours',
    isGeneral: true,
    columns: 76,
    lines: legendLines,
    hint: {Esc: 'closes'},
  });
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
  const glyphs = uiGlyphs(display);
  const signs = messageGlyphs(display);
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
        [count(4, 0, true), 'dimmed: muted, in no total'],
        [one(alertWordMark, 'mention_count'), 'in the inbox: one of your alert words is in it'],
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
  const name = own && channels.get(own.channelId)?.name;
  if (own === undefined || name === undefined) return [];
  return [[[{text: `#${name}`, role: 'channel', tint: own.color}], 'a channel, in the colour that you chose']];
}

function trimmed(spans: readonly UiSpan[]): readonly UiSpan[] {
  return spans.map((span) => ({...span, text: span.text.trim()}));
}
