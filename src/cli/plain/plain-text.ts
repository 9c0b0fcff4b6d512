import type {Frame} from '#app/core/frame.ts';
import type {PickerRow} from '#app/core/overlay.ts';
import type {ListId} from '#app/core/screen-state.ts';
import {messageContext} from '#app/format/message-context.ts';
import {plainGlyphText, uiGlyphs} from '#app/format/ui-glyphs.ts';
import {inboxSummaryLines} from '#app/inbox/pane/inbox-summary.ts';
import {isTriageItem, type TriageItem} from '#app/inbox/triage-row.ts';
import type {ListRow} from '#app/lists/list-row.ts';
import {listSources} from '#app/lists/list-sources.ts';
import {visibleRowsOf} from '#app/lists/visible-rows.ts';
import {asciiGlyphs} from '#content/render/glyphs.ts';
import {renderMessage} from '#content/render/render-message.ts';
import {lineToText} from '#content/styled-text/ansi.ts';
import {clockText, dateText, dayNumber, type TimeOptions} from '#content/time-text.ts';
import {conversationOf} from '#state/messages/loaded-messages.ts';
import type {Message} from '#state/model/message.ts';
import {conversationTitle, userName} from '#state/selectors/names/names.ts';
import type {AccountState} from '#state/state.ts';
import {printableLine} from '#std/printable.ts';

/** Everything as lines that are read once, from the top: no columns, no borders, nothing that is drawn. */

/** `3. Carol in #web > login, 09:31: text`; further lines of the text are set in. */
export function plainMessageText(
  {account, display: looks, minute}: Frame,
  message: Message,
  {number, hasPlace}: {readonly number?: number | undefined; readonly hasPlace: boolean},
): string {
  const options = {zone: looks.zone, hour12: account.settings.twentyFourHourTime === false, now: minute};
  const at = message.timestamp * 1000;
  const isToday = dayNumber(at, options) === dayNumber(minute, options);
  const when = isToday ? clockText(at, options) : `${dateText(at, options)} ${clockText(at, options)}`;
  const place = hasPlace ? ` in ${plainTitle(conversationTitle(account, conversationOf(message)))}` : '';
  const who = printableLine(userName(account, message.senderId, message.senderName));
  const isHidden = account.mutedUsers.has(message.senderId);
  const lines = isHidden ? ['(hidden: you muted this person)'] : contentLines(account, message, options, who);
  const head = `${number === undefined ? '' : `${number}. `}${who}${place}, ${when}: `;
  return head + lines.join('\n   ');
}

/** No line is broken but where whoever wrote it did. */
const anyWidth = 2000;

/** As the screen has it, with names for names and nothing hidden, in signs that everything can read aloud. */
function contentLines(
  account: AccountState,
  {content, senderId, submessages}: Message,
  time: TimeOptions,
  senderName: string,
): readonly string[] {
  const {lines} = renderMessage(
    {source: content, senderName, senderId, submessages},
    messageContext(account),
    {
      ...time,
      hour12: time.hour12 === true,
      width: anyWidth,
      glyphs: asciiGlyphs,
      expanded: true,
      footLinks: true,
    },
  );
  return lines.map((line) =>
    lineToText(line)
      .trimEnd()
      .replace(/^-{4,}$/, '---'),
  );
}

/** `#web > login` with signs that everything can read aloud. */
export function plainTitle(title: string): string {
  return printableLine(title).replaceAll('›', '>');
}

/** What is unread there, in a sentence. */
export function inboxItemText(item: TriageItem): string {
  const marks = [
    item.hasMention && 'mentions you',
    item.hasAlertWord && 'has an alert word',
    item.isFollowed && 'followed',
    item.isMuted && item.inboxGroup !== 'muted' && 'muted',
    item.isResolved && 'resolved',
    item.hasDraft && 'has a draft',
    item.isNew && 'new',
  ].filter((mark) => mark !== false);
  const signs = marks.length === 0 ? '' : ` (${marks.join(', ')})`;
  return `${item.count} unread in ${plainTitle(item.label)}${signs}`;
}

/** Those of the list, which leaves the muted out unless somebody asks for them. */
export function inboxItems(frame: Frame): readonly TriageItem[] {
  return visibleRowsOf(frame, 'inbox')
    .rows.filter(isTriageItem)
    .filter(({isRemoved: isGone}) => !isGone);
}

/** A row of any other list. */
export function listRowText(frame: Frame, id: ListId, row: ListRow): string {
  const line = listSources[id].line(row, {
    columns: frame.screen.size.columns,
    glyphs: uiGlyphs(frame.display),
    isFocused: false,
    isFolded: false,
    label: (role, text = row.label) => [{text, role}],
  });
  return plainTitle(lineToText(line))
    .replaceAll(/\s{2,}/g, '  ')
    .trim();
}

export function pickerRowText({label, detail, disabled}: PickerRow): string {
  const more = disabled ?? detail;
  return plainTitle(more === undefined || more === '' ? label : `${label}: ${more}`);
}

/** A sentence that the screen would show for a moment, without the keys in it; undefined for what writing says itself. */
export function toastText(text: string, {display: looks}: Frame): string | undefined {
  if (text.endsWith(' Alt-. goes there')) return undefined;
  return printableLine(plainGlyphText(text, looks))
    .replace(/\s+[·-]\s+[zZ] undo$/, '. “undo” takes it back.')
    .replace(/\s+[·-]\s+d$/, '. “drafts” lists it.');
}

/** What stands in the inbox when nothing is left, without the keys that it offers. */
export function emptyInboxTexts(frame: Frame): readonly string[] {
  return inboxSummaryLines(frame, frame.screen.size.columns)
    .filter(({spans}) => spans.length > 0 && !spans.some(({role}) => role === 'hint_key'))
    .map((line) => plainTitle(lineToText(line)).replace(/\s+[·-]\s+6 shows$/, ': “muted” lists them'))
    .filter((text) => text !== '');
}
