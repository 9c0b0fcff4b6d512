import type {App} from '#app/core/app.ts';
import type {Click} from '#app/core/part-input.ts';
import {linksOf} from '#app/links/message-links.ts';
import {openLinkChoice} from '#app/links/open-link.ts';
import {closeFilterInput} from '#app/lists/change-list.ts';
import {selectRow} from '#app/message-pane/selection.ts';
import {openConversation} from '#app/navigation/navigation.ts';
import {textColumns} from '#content/styled-text/text-width.ts';
import {conversationOf} from '#state/messages/loaded-messages.ts';
import {conversationOfNarrow} from '#state/model/narrow.ts';
import type {PaneLine} from '#ui/core/frame.ts';
import {mainTimelineNow} from '#ui/message-pane/selected-message.ts';
import type {ShownRow} from '#ui/message-pane/timeline-window.ts';
import {screenLayout} from '#ui/screen-layout.ts';

export function clickMessagePane(app: App, click: Click): void {
  clickMessages(app, click);
  closeFilterInput(app);
  app.set({focus: 'main'});
}

/** Selects a message, opens a link of the selected one, or opens the conversation of a heading. */
function clickMessages(app: App, {cell, painted, hadFocus}: Click): void {
  const {main} = screenLayout(painted);
  const [line, column] = [cell.y - main.y, cell.x - main.x];
  const shown = mainTimelineNow(painted);
  const {rows = [], lines = []} = shown?.window ?? {};
  const row = rows.find(({first, last}) => first <= line && line <= last);
  if (row === undefined) {
    openHeading(app, lines[line], rows, line);
    return;
  }
  const link = hadFocus && shown?.selected === row.key ? linkAt(lines[line], column) : undefined;
  if (link === undefined) selectRow(app, row.key);
  else openLinkOfMessage(app, row.key, link);
}

/** Opens the conversation of a heading; only views of several conversations have headings. */
function openHeading(app: App, heading: PaneLine | undefined, rows: readonly ShownRow[], line: number): void {
  const {view} = app.screen;
  if (view.kind !== 'messages' || conversationOfNarrow(view.narrow) !== undefined) return;
  if (heading?.spans.some(({role}) => role === 'topic') !== true) return;
  const below = rows.find(({first}) => first > line)?.key;
  const message = typeof below === 'number' ? app.state.messages.byId.get(below) : undefined;
  if (message !== undefined) openConversation(app, conversationOf(message));
}

/** Returns the index of the message's link at a column. */
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
