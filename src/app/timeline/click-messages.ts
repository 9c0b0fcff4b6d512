import type {App} from '#app/core/app.ts';
import type {Frame} from '#app/core/frame.ts';
import type {PaneLine} from '#app/core/pane-line.ts';
import {linksOf} from '#app/message-actions/message-links.ts';
import {openLinkChoice} from '#app/message-actions/open-link.ts';
import {openConversation} from '#app/navigation/navigation.ts';
import {textColumns} from '#content/styled-text/text-width.ts';
import {conversationOf} from '#state/messages/loaded-messages.ts';
import {conversationOfNarrow} from '#state/model/narrow.ts';
import {mainTimelineNow, selectRow} from './selection.ts';
import type {ShownRow} from './timeline-window.ts';

export interface MessageClick {
  /** From the top and the left of the messages. */
  readonly line: number;
  readonly column: number;
  /** The messages had the keys already. */
  readonly hadFocus: boolean;
}

/**
 * Somebody points at a line and a column of the messages as they were painted. A message gets the cursor; a link in the one
 * that had it already is followed; the heading above messages of a conversation opens that.
 */
export function clickMessages(
  app: App,
  painted: Frame,
  {line, column, hadFocus: hadKeys}: MessageClick,
): void {
  const shown = mainTimelineNow(painted);
  const {rows = [], lines = []} = shown?.window ?? {};
  const row = rows.find(({first, last}) => first <= line && line <= last);
  if (row === undefined) {
    openHeading(app, lines[line], rows, line);
    return;
  }
  const link = hadKeys && shown?.selected === row.key ? linkAt(lines[line], column) : undefined;
  if (link === undefined) selectRow(app, row.key);
  else openLinkOfMessage(app, row.key, link);
}

/** Only views of several conversations have headings. */
function openHeading(app: App, heading: PaneLine | undefined, rows: readonly ShownRow[], line: number): void {
  const {view} = app.screen;
  if (view.kind !== 'messages' || conversationOfNarrow(view.narrow) !== undefined) return;
  if (heading?.spans.some(({role}) => role === 'topic') !== true) return;
  const below = rows.find(({first}) => first > line)?.key;
  const message = typeof below === 'number' ? app.state.messages.byId.get(below) : undefined;
  if (message !== undefined) openConversation(app, conversationOf(message));
}

/** Which link of its message is at a column, from 0. */
function linkAt(line: PaneLine | undefined, column: number): number | undefined {
  let end = 0;
  for (const {text, link} of line?.spans ?? []) {
    end += textColumns(text);
    if (column < end) return link;
  }
  return undefined;
}

function openLinkOfMessage(app: App, key: ShownRow['key'], link: number): void {
  const message = typeof key === 'number' ? app.state.messages.byId.get(key) : undefined;
  if (message === undefined) return;
  const found = linksOf(app.state, message, app.screen.expandedMessageIds.has(message.id))[link];
  if (found !== undefined) openLinkChoice(app, found);
}
