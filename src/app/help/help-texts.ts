import type {App} from '#app/core/app.ts';
import type {DisplayOptions} from '#app/core/frame.ts';
import type {PaneLine} from '#app/core/pane-line.ts';
import {fittedLine} from '#app/layout/ui-line.ts';
import {openCard} from '#app/overlays/cards.ts';
import type {NamedEntry} from '#app/search/omnibox-row.ts';
import {searchOperators} from '#app/search/search-help.ts';
import {wrapSpans} from '#content/styled-text/wrap.ts';
import {memoizeLast} from '#std/memo.ts';
import {symbolHelpText} from './sign-text.ts';

/** A short text about one thing. A line that begins with two spaces stands as it is: a key and what it does. */
interface HelpText extends NamedEntry {
  readonly text: string | ((looks: DisplayOptions) => string);
}

const helpTexts: readonly HelpText[] = [
  {
    id: 'moving',
    title: 'Moving around',
    detail: 'panes, conversations, history',
    text: `One pane has the keys: its cursor is a solid bar.

  Tab, Shift-Tab   the next and the previous pane
  j, k             down and up; J, K by pages
  Enter            opens what the cursor is on
  Ctrl-G           goes anywhere by name
  n, N, p          the next unread topic, followed topic, direct message
  Alt-a            the most important unread, also while writing
  Alt-Left         back; Alt-Right forward; Alt-/ the last conversation
  Esc              one step out; it never quits and never deletes

g opens a menu of places. It waits for its second key as long as you like. The combined feed, a, leaves out what you muted, except where you are mentioned.

Without a connection, views show what this machine holds, and say so.`,
  },
  {
    id: 'signs',
    title: 'What the signs mean',
    detail: 'followed, resolved, starred, who is there',
    text: symbolHelpText,
  },
  {
    id: 'reading',
    title: 'What becomes read, and when',
    detail: 'the inbox, Space, undo',
    text: `Nothing becomes read by being listed or previewed.

In the inbox, e is done with a conversation and goes to the next, Space reads on and is done at its end; a spoiler that is closed, or the line in place of somebody you muted, counts as seen. In a conversation, messages become read as they are shown, if your account says so.

Exactly what was there when you pressed the key becomes read. What arrives in the same moment stays unread. z takes the last step back, Z does so everywhere.

While the terminal is not in front, nothing becomes read.`,
  },
  {
    id: 'writing',
    title: 'Writing',
    detail: 'sending, line breaks, completion',
    text: `r replies, c begins a topic, x writes to somebody. Where a message goes is always above the text.

  Ctrl-J           a line break, always
  Ctrl-D           sends, always
  @ # : \`\`\`        complete people, channels, emoji, languages
  Ctrl-T           another destination
  Ctrl-O           your editor
  Ctrl-X           a menu of everything else
  Esc              closes; what you wrote is a draft

Text belongs to its conversation. Going elsewhere leaves it there, and it is there when you come back.`,
  },
  {
    id: 'drafts',
    title: 'Drafts and messages on their way',
    detail: 'd, the outbox, scheduled messages',
    text: `Everything you write is on disk a moment later, and on the server too if your account keeps drafts there.

  d                drafts; 1 to 4: drafts, outbox, scheduled, reminders
  Enter            takes a draft up where it belongs
  S                sends it now
  Backspace        deletes it; z brings it back

Without a connection messages wait in the outbox and are sent once, in order, when the server is back. What waited long asks first.`,
  },
  {
    id: 'search',
    title: 'Search words',
    detail: 'channel: sender: is: has: …',
    text: `Words find messages with all of them. These narrow a search down; a minus before them turns them around.

${searchOperators.map(({operator, about}) => `  ${`${operator}:`.padEnd(17)}${about}`).join('\n')}

Quotes hold words together: topic:"release notes".`,
  },
  {
    id: 'keys',
    title: 'Keys of your own',
    detail: 'keys.toml, presets',
    text: `keys.toml beside the settings file binds and unbinds keys, by the place where they work:

  preset = "vim+"
  [msgs]
  "Ctrl-T" = "msg.star"
  "S" = "-"

A sequence is written with spaces: "g x". parley keys prints what is bound, parley keys --probe what your terminal sends. ? then Tab looks up a key.`,
  },
  {
    id: 'copying',
    title: 'Copying and the mouse',
    detail: 'links, text, selection',
    text: `  l                copies a link to the message
  C                copies its text; again, its source
  o                opens links by number
  Alt-l            shows the text alone, for the terminal's own selection
  Alt-m            the mouse, on or off, until Parley ends; g , keeps it so

With the mouse on, a click beside the messages opens, a click on a row or a message puts the cursor there, and a second one opens the row or the link. The wheel scrolls what it is over. Shift and the mouse select text, as the terminal does.`,
  },
];

/** What the palette finds after `?`. */
export const helpEntries: readonly NamedEntry[] = helpTexts;

export function openHelpText(app: App, id: string): void {
  const found = helpTexts.find((text) => text.id === id);
  if (found === undefined) return;
  const linesOf = memoizeLast(textLines);
  openCard(app, {
    id: 'help-text',
    title: found.title,
    columns: 76,
    lines: ({display: looks}, width) => {
      const text = typeof found.text === 'string' ? found.text : found.text(looks);
      return linesOf(text, width);
    },
    hint: 'Esc closes',
  });
}

function textLines(text: string, width: number): readonly PaneLine[] {
  return text.split('\n').flatMap((line): readonly PaneLine[] => {
    if (line === '') return [fittedLine([], width)];
    if (!line.startsWith('  ')) return wrapSpans([{text: line, role: 'text'}], {width});
    const [key = '', ...about] = line.trim().split(/ {2,}/);
    const before = `  ${key}`.padEnd(19);
    return [
      fittedLine(
        [
          {text: before, role: 'key'},
          {text: about.join('  '), role: 'text'},
        ],
        width,
      ),
    ];
  });
}
